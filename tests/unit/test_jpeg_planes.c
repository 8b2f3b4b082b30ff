/* test_jpeg_planes: luma and chroma read as they lie in the file, at fractions, and written back.
 */
#include "jpegs.h"

static bool has_planes(const struct kind *kind)
{
    return kind->h > 0 && !kind->rgb && !kind->chroma_h;
}

/* libjpeg's own YCbCr (or gray) pixels, each with the chroma of the sample that it lies in. */
static struct plane reference(struct slice bytes, int channels, int shrink)
{
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr error;
    struct plane p;

    jpeg.err = jpeg_std_error(&error);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, (const unsigned char *)bytes.at, bytes.length);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_YCbCr;
    jpeg.do_fancy_upsampling = FALSE;
    jpeg.scale_denom = (unsigned)shrink;
    jpeg_start_decompress(&jpeg);
    p = pool_plane(&pool, (struct frame){ (int)jpeg.output_width, (int)jpeg.output_height },
                   channels, PIXEL_U8);
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = at(&p, 0, (int)jpeg.output_scanline);

        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_destroy_decompress(&jpeg);
    return p;
}

/* Checks the area that the planes cover. */
static bool is_reference(const struct picture *p, const struct plane *whole)
{
    for (int y = 0; y < p->plane.height; y++)
        for (int x = 0; x < p->plane.width; x++) {
            const uint8_t *want = at(whole, x, y);

            if (*at(&p->plane, x, y) != want[0])
                return false;
            for (int c = 0; c < 2 && p->chroma[0].px; c++) {
                int cx = (int)(x * p->chroma_x), cy = (int)(y * p->chroma_y);

                if (cx >= p->chroma[c].width || cy >= p->chroma[c].height ||
                    *at(&p->chroma[c], cx, cy) != want[1 + c])
                    return false;
            }
        }
    return true;
}

static void check_planes(struct slice bytes, struct frame f, const struct kind *kind,
                         const struct decode_hints *hints)
{
    struct picture p;
    bool planar = has_planes(kind);
    int bottom = hints->width && kind->h <= 0 + planar * 9 ? hints->top + hints->height : f.height;
    struct plane whole;

    if (!CHECK(can_read(bytes, hints, &p)))
        return;
    whole = reference(bytes, planar ? 3 : 1, p.shrink);
    CHECK(p.shrink == hints->shrink && p.left == 0 && p.top == 0 && frame_equal(p.full, f));
    CHECK((p.chroma[0].px != NULL) == planar && (p.chroma[1].px != NULL) == planar);
    CHECK(p.plane.channels == 1 && p.plane.width == whole.width && p.plane.height <= whole.height);
    CHECK(p.plane.height * p.shrink >= bottom);
    if (!CHECK(is_reference(&p, &whole)))
        fprintf(stderr, "    %s, %d x %d, shrink %d, to %d\n", kind->name, f.width, f.height,
                p.shrink, bottom);
    if (planar) { /* one chroma row more than covers the requested rows, unless there is none */
        double rows = (double)bottom / p.shrink * p.chroma_y;
        int all = (int)ceil(whole.height * p.chroma_y);

        CHECK(p.chroma[0].width == (int)ceil(whole.width * p.chroma_x));
        CHECK(p.chroma[0].height == all || p.chroma[0].height >= rows + 1);
    } else {
        CHECK(p.chroma_x == 1 && p.chroma_y == 1);
    }
    pool_return(&pool, &whole);
    picture_drop(&p, &pool);
}

static void test_planes(void)
{
    static const struct frame SIZES[] = { { 1, 1 },   { 9, 7 },    { 16, 16 },
                                          { 17, 33 }, { 40, 1 },   { 1, 40 },
                                          { 64, 96 }, { 101, 97 }, { 131, 211 } };

    for (size_t k = 0; k < COUNTOF(KINDS); k++)
        for (size_t s = 0; s < COUNTOF(SIZES); s++) {
            struct frame f = SIZES[s];
            struct text jpeg = jpeg_scene(f.width, f.height, &KINDS[k], 85);

            for (int shrink = 1; shrink <= 8 && !KINDS[k].rgb && !KINDS[k].chroma_h; shrink *= 2)
                for (int i = 0; i < 5; i++) {
                    struct decode_hints hints = { .planar = true, .shrink = shrink };

                    hints.width = i ? f.width : 0;
                    hints.top = unit_int(0, f.height - 1);
                    hints.height = unit_int(1, f.height - hints.top);
                    check_planes(slice_of(&jpeg), f, &KINDS[k], &hints);
                }
            text_drop(&jpeg);
        }
}

/* JFIF's equations. */
static double level_of(double y, double cb, double cr, int channel)
{
    double v = channel == 0   ? y + 1.402 * (cr - 128)
               : channel == 1 ? y - 0.344136286 * (cb - 128) - 0.714136286 * (cr - 128)
                              : y + 1.772 * (cb - 128);

    return fmin(255, fmax(0, v));
}

static void test_colours(void)
{
    struct text jpeg = jpeg_scene(97, 61, &(struct kind){ .h = 1, .v = 1 }, 90);
    struct picture p, rgb;
    double worst = 0;

    CHECK(can_read(slice_of(&jpeg), &(struct decode_hints){ .planar = true }, &p));
    CHECK(can_read(slice_of(&jpeg), NULL, &rgb));
    for (int y = 0; y < 61; y++)
        for (int x = 0; x < 97; x++)
            for (int b = 0; b < 3; b++)
                worst = fmax(worst, fabs(at(&rgb.plane, x, y)[b] -
                                         level_of(*at(&p.plane, x, y), *at(&p.chroma[0], x, y),
                                                  *at(&p.chroma[1], x, y), b)));
    CHECK_NEAR(worst, 0, 1);
    picture_drop(&p, &pool);
    picture_drop(&rgb, &pool);
    text_drop(&jpeg);
}

/* Planes are wished for, and interleaved pixels come. */
static void check_interleaved(const struct kind *kind, const struct decode_hints *hints)
{
    struct text jpeg = jpeg_scene(90, 70, kind, 90);
    struct picture p;

    if (CHECK(can_read(slice_of(&jpeg), hints, &p))) {
        CHECK(p.plane.channels == 3 && !p.chroma[0].px && p.chroma_x == 1 && p.shrink == 4);
        CHECK(p.plane.width == 23 && p.plane.height == 18 && p.full.width == 90);
        picture_drop(&p, &pool);
    }
    text_drop(&jpeg);
}

/* Requests that are not granted: RGB, chroma larger than luma or of two sizes, on its side, other
 * formats. */
static void test_not_granted(void)
{
    static const struct kind two_sizes = { .h = 2, .v = 1, .cr_h = 2 };
    static const char TURNED[] =
        "\xff\xe1\0\x22"
        "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x03\0\0\0\0\0\0\0";
    struct decode_hints hints = { .planar = true, .shrink = 4, .width = 9, .height = 9 };
    struct text jpeg = jpeg_scene(90, 70, &(struct kind){ .h = 2, .v = 2 }, 90), turned = { 0 };
    struct text png = { 0 }, why = { 0 };
    struct picture p;

    for (size_t k = 0; k < COUNTOF(KINDS); k++)
        if (KINDS[k].rgb || KINDS[k].chroma_h)
            check_interleaved(&KINDS[k], &hints);
    check_interleaved(&two_sizes, &hints);
    text_add(&turned, jpeg.at, 2);
    text_add(&turned, TURNED, 36);
    text_add(&turned, jpeg.at + 2, jpeg.length - 2);
    hints.shrink = 3;
    for (int i = 0; i < 2; i++) {
        struct text *bytes = i ? &png : &turned;

        if (CHECK(can_read(slice_of(bytes), &hints, &p))) {
            CHECK(p.plane.channels == 3 && !p.chroma[0].px && p.chroma_x == 1 && p.chroma_y == 1);
            CHECK(p.shrink == 1 && p.left == 0 && p.top == 0);
            CHECK(p.plane.width == 90 && p.plane.height == 70 && p.full.width == 90);
        }
        if (!i)
            CHECK(
                picture_write(&p, &(struct picture_options){ .format = PICTURE_PNG }, &png, &why));
        picture_drop(&p, &pool);
    }
    text_drop(&turned);
    text_drop(&jpeg);
    text_drop(&png);
    text_drop(&why);
}

/* --- at a fraction --- */

/* Colors that rise with the position: the center of a pixel of any size has the value of a ramp
 * there. */
static void colour_at(double x, double y, double *ycc)
{
    double r = 30 + x, b = 40 + 0.9 * y, g = 20 + 0.5 * x + 0.5 * y;

    ycc[0] = 0.299 * r + 0.587 * g + 0.114 * b;
    ycc[1] = 128 + (b - ycc[0]) / 1.772;
    ycc[2] = 128 + (r - ycc[0]) / 1.402;
}

static double off_ramp(const struct plane *p, double scale_x, double scale_y, int component)
{
    double worst = 0, ycc[3];

    for (int y = 1; y + 1 < p->height; y++)
        for (int x = 1; x + 1 < p->width; x++) {
            colour_at((x + 0.5) * scale_x, (y + 0.5) * scale_y, ycc);
            worst = fmax(worst, fabs(*at(p, x, y) - ycc[component]));
        }
    return worst;
}

static void test_ramp(void)
{
    struct plane rgb = pool_plane(&pool, (struct frame){ 190, 170 }, 3, PIXEL_U8);

    for (int y = 0; y < 170; y++)
        for (int x = 0; x < 190; x++) {
            double ycc[3];

            colour_at(x + 0.5, y + 0.5, ycc);
            for (int b = 0; b < 3; b++)
                at(&rgb, x, y)[b] = (uint8_t)(level_of(ycc[0], ycc[1], ycc[2], b) + 0.5);
        }
    for (int k = 2; k < 8; k++)
        for (int shrink = 1; shrink <= 8; shrink *= 2) {
            struct text jpeg = jpeg_of(&rgb, &KINDS[k], 100);
            struct decode_hints hints = { .planar = true, .shrink = shrink };
            struct picture p;

            if (CHECK(can_read(slice_of(&jpeg), &hints, &p))) {
                CHECK(p.plane.width == (190 + shrink - 1) / shrink);
                CHECK(p.plane.height == (170 + shrink - 1) / shrink);
                CHECK_NEAR(off_ramp(&p.plane, shrink, shrink, 0), 0, 2);
                for (int c = 0; c < 2; c++)
                    CHECK_NEAR(
                        off_ramp(&p.chroma[c], shrink / p.chroma_x, shrink / p.chroma_y, 1 + c), 0,
                        2.5);
            }
            picture_drop(&p, &pool);
            text_drop(&jpeg);
        }
    pool_return(&pool, &rgb);
}

/* --- writing --- */

static struct plane noise(int w, int h)
{
    struct plane p = scene(w, h, 1);

    for (int y = 0; y < h; y++)
        for (size_t x = (size_t)w; x < p.stride; x++)
            at(&p, 0, y)[x] = (uint8_t)unit_int(0, 255); /* shows if any padding is written */
    return p;
}

static struct picture planes_of(int w, int h, double x, double y)
{
    struct picture p = { .plane = noise(w, h), .chroma_x = x, .chroma_y = y };

    for (int c = 0; c < 2; c++)
        p.chroma[c] = noise((int)ceil(w * x), (int)ceil(h * y));
    return p;
}

static struct text written(const struct picture *p, int quality)
{
    struct text out = { 0 }, why = { 0 };

    if (!CHECK(picture_write(p, &(struct picture_options){ PICTURE_JPEG, quality, 0, 0, false },
                             &out, &why)))
        fprintf(stderr, "    %s\n", text_string(&why));
    text_drop(&why);
    return out;
}

/* The same by libjpeg from interleaved pixels: of equal ones, taking the mean changes nothing. */
static struct text interleaved(const struct picture *p, int quality)
{
    struct plane all =
        pool_plane(&pool, (struct frame){ p->plane.width, p->plane.height }, 3, PIXEL_U8);
    struct kind kind = { .h = p->chroma_x == 1 ? 1 : 2,
                         .v = p->chroma_y == 1 ? 1 : 2,
                         .ycc = true };
    struct text out;

    for (int y = 0; y < all.height; y++)
        for (int x = 0; x < all.width; x++) {
            int cx = (int)(x * p->chroma_x), cy = (int)(y * p->chroma_y);

            at(&all, x, y)[0] = *at(&p->plane, x, y);
            at(&all, x, y)[1] = *at(&p->chroma[0], cx, cy);
            at(&all, x, y)[2] = *at(&p->chroma[1], cx, cy);
        }
    out = jpeg_of(&all, &kind, quality);
    pool_return(&pool, &all);
    return out;
}

static void test_writing(void)
{
    for (int w = 1; w <= 17; w++)
        for (int h = 1; h <= 35; h += h < 17 ? 1 : 9)
            for (int s = 0; s < 4; s++) {
                struct picture p = planes_of(w, h, s & 1 ? 0.5 : 1, s & 2 ? 0.5 : 1);
                struct text got = written(&p, 90), want = interleaved(&p, 90);

                if (!CHECK(got.length == want.length && !memcmp(got.at, want.at, got.length)))
                    fprintf(stderr, "    %d x %d, %g x %g\n", w, h, p.chroma_x, p.chroma_y);
                text_drop(&got);
                text_drop(&want);
                picture_drop(&p, &pool);
            }
}

static double mean_square(const struct plane *a, const struct plane *b)
{
    double sum = 0;

    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            sum += pow(*at(a, x, y) - *at(b, x, y), 2);
    return sum / a->width / a->height;
}

/* Written and read again with equal tables, hardly anything changes; ever less of it. */
static void test_round_trips(void)
{
    const struct decode_hints hints = { .planar = true };

    for (int k = 2; k < 6; k++) {
        struct text first = jpeg_scene(203, 157, &KINDS[k], 90), second, third;
        struct picture a, b, c;

        CHECK(can_read(slice_of(&first), &hints, &a));
        second = written(&a, 90);
        CHECK(can_read(slice_of(&second), &hints, &b));
        third = written(&b, 90);
        CHECK(can_read(slice_of(&third), &hints, &c));
        CHECK(b.chroma_x == a.chroma_x && b.chroma_y == a.chroma_y);
        CHECK(mean_square(&a.plane, &b.plane) < 0.5); /* 51 dB */
        CHECK(mean_square(&a.chroma[0], &b.chroma[0]) < 0.5);
        CHECK(mean_square(&a.chroma[1], &b.chroma[1]) < 0.5);
        CHECK(mean_square(&b.plane, &c.plane) < mean_square(&a.plane, &b.plane));
        picture_drop(&a, &pool);
        picture_drop(&b, &pool);
        picture_drop(&c, &pool);
        text_drop(&first);
        text_drop(&second);
        text_drop(&third);
    }
}

static void check_refused(const struct picture *p, enum picture_format format, const char *word)
{
    struct text out = { 0 }, why = { 0 };

    CHECK(!picture_write(p, &(struct picture_options){ format, 90, 0, 0, false }, &out, &why));
    if (!CHECK(strstr(text_string(&why), word) != NULL))
        fprintf(stderr, "    %s\n", text_string(&why));
    CHECK(out.length == 0);
    text_drop(&out);
    text_drop(&why);
}

static void test_refusals(void)
{
    struct picture p = planes_of(33, 21, 0.5, 0.5);

    check_refused(&p, PICTURE_PNG, "png");
    p.chroma_x = 0.25;
    check_refused(&p, PICTURE_JPEG, "0.25");
    p.chroma_x = 1;
    check_refused(&p, PICTURE_JPEG, "belong");
    p.chroma_x = 0.5;
    p.chroma[1].height--;
    check_refused(&p, PICTURE_JPEG, "belong");
    picture_drop(&p, &pool);
}

/* The planes' profile is one for colours. */
static void test_profile(void)
{
    struct picture p = planes_of(33, 21, 0.5, 0.5), q;
    struct text jpeg;

    p.icc = calloc(1, 200);
    p.icc_length = 200;
    memcpy(p.icc + 16, "RGB ", 4);
    jpeg = written(&p, 90);
    CHECK(can_read(slice_of(&jpeg), &(struct decode_hints){ .planar = true }, &q));
    CHECK(q.icc_length == 200 && !memcmp(q.icc, p.icc, 200));
    picture_drop(&p, &pool);
    picture_drop(&q, &pool);
    text_drop(&jpeg);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_planes),  TEST(test_colours),     TEST(test_not_granted), TEST(test_ramp),
        TEST(test_writing), TEST(test_round_trips), TEST(test_refusals),    TEST(test_profile),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
