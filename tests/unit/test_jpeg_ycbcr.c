/* test_jpeg_ycbcr: conversions equal libjpeg's, to the byte. If this machine has no loops for them,
 * libjpeg is compared with itself. */
#include "jpegs.h"

#include "base/cpu.h"
#include "pixels/codec/jpeg_ycbcr.h"

static bool pictures_equal(const struct picture *a, const struct picture *b)
{
    bool good = frame_equal(a->full, b->full) && a->left == b->left && a->top == b->top &&
                a->plane.width == b->plane.width && a->plane.height == b->plane.height &&
                a->plane.channels == b->plane.channels;

    for (int y = 0; y < a->plane.height && good; y++)
        good = !memcmp(at(&a->plane, 0, y), at(&b->plane, 0, y),
                       (size_t)(a->plane.width * a->plane.channels));
    return good;
}

/* Reads with libjpeg's own conversions, which are used on machines without ours. */
static bool reads_by_libjpeg(struct slice bytes, const struct decode_hints *hints,
                             struct picture *p)
{
    bool ok;

    cpu_limit = CPU_AVX512_VBMI2;
    ok = can_read(bytes, hints, p);
    cpu_limit = CPU_FEATURES;
    return ok;
}

static void check_reading(struct slice bytes, const struct decode_hints *hints, const char *name)
{
    struct picture here, there;
    bool read = can_read(bytes, hints, &here);

    CHECK(read == reads_by_libjpeg(bytes, hints, &there));
    if (read && !CHECK(pictures_equal(&here, &there)))
        fprintf(stderr, "    %s, %d x %d\n", name, here.full.width, here.full.height);
    picture_drop(&here, &pool);
    picture_drop(&there, &pool);
}

/* Every colour is likely, and neighbours differ as much as they can. */
static struct plane wild(int w, int h, int channels)
{
    struct plane p = pool_plane(&pool, (struct frame){ w, h }, channels, PIXEL_U8);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w * channels; x++) {
            int v = unit_int(-40, 295);

            at(&p, 0, y)[x] = (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v);
        }
    return p;
}

static void test_reading(void)
{
    for (size_t k = 0; k < COUNTOF(KINDS); k++)
        for (int w = 1; w < 200; w += w < 40 ? 1 : 1 + unit_int(0, 12)) {
            int h = unit_int(1, 70);
            struct plane p = wild(w, h, KINDS[k].h > 0 ? 3 : 1);
            struct text jpeg = jpeg_of(&p, &KINDS[k], unit_int(50, 100));
            struct decode_hints part = { .left = w / 4, .width = (w + 1) / 2, .height = h };

            check_reading(slice_of(&jpeg), NULL, KINDS[k].name);
            check_reading(slice_of(&jpeg), &part, KINDS[k].name);
            part.width = w - part.left;
            check_reading(slice_of(&jpeg), &part, KINDS[k].name);
            text_drop(&jpeg);
            pool_return(&pool, &p);
        }
}

static struct text written(const struct plane *p, int quality, enum subsampling subsampling)
{
    struct picture picture = { .plane = *p, .format = PICTURE_JPEG, .chroma_x = 1, .chroma_y = 1 };
    struct picture_options options = { .format = PICTURE_JPEG,
                                       .quality = quality,
                                       .subsampling = subsampling };
    struct text out = { 0 }, why = { 0 };

    CHECK(picture_write(&picture, &options, &out, &why));
    text_drop(&why);
    return out;
}

static void check_writing(const struct plane *p, int quality, enum subsampling subsampling)
{
    struct text here = written(p, quality, subsampling), there;

    cpu_limit = CPU_AVX512_VBMI2;
    there = written(p, quality, subsampling);
    cpu_limit = CPU_FEATURES;
    if (!CHECK(here.length == there.length && !memcmp(here.at, there.at, here.length)))
        fprintf(stderr, "    %d x %d, %d\n", p->width, p->height, (int)subsampling);
    text_drop(&here);
    text_drop(&there);
}

static void test_writing(void)
{
    for (int w = 1; w < 300; w += w < 70 ? 1 : 1 + unit_int(0, 12))
        for (int s = SUBSAMPLING_420; s <= SUBSAMPLING_444; s++) {
            struct plane p = wild(w, unit_int(1, 70), 3);

            check_writing(&p, unit_int(80, 100), (enum subsampling)s);
            pool_return(&pool, &p);
        }
}

/* --- every colour there is --- */

static int clipped(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

static void luma_and_chroma(const uint8_t rgb[3], uint8_t out[3])
{
    int r = rgb[0], g = rgb[1], b = rgb[2], middle = (128 << 16) + 32767;

    out[0] = (uint8_t)((19595 * r + 38470 * g + 7471 * b + 32768) >> 16);
    out[1] = (uint8_t)((-11059 * r - 21709 * g + 32768 * b + middle) >> 16);
    out[2] = (uint8_t)((32768 * r - 27439 * g - 5329 * b + middle) >> 16);
}

static void colour(const uint8_t in[3], uint8_t rgb[3])
{
    int y = in[0], cb = in[1] - 128, cr = in[2] - 128;

    rgb[0] = (uint8_t)clipped(y + ((91881 * cr + 32768) >> 16));
    rgb[1] = (uint8_t)clipped(y + ((-22554 * cb - 46802 * cr + 32768) >> 16));
    rgb[2] = (uint8_t)clipped(y + ((116130 * cb + 32768) >> 16));
}

enum { ROW = 256 };

static void check_apart(int red, int green)
{
    uint8_t rgb[3 * ROW], plane[3][ROW + JPEG_COLOURS_STEP], want[3];
    bool good = true;

    for (int i = 0; i < ROW; i++) {
        rgb[3 * i] = (uint8_t)red;
        rgb[3 * i + 1] = (uint8_t)green;
        rgb[3 * i + 2] = (uint8_t)i;
    }
    jpeg_ycbcr_from_rgb(rgb, ROW, ROW, (uint8_t *const[]){ plane[0], plane[1], plane[2] });
    for (int i = 0; i < ROW; i++) {
        luma_and_chroma(rgb + 3 * i, want);
        good = good && plane[0][i] == want[0] && plane[1][i] == want[1] && plane[2][i] == want[2];
    }
    CHECK(good);
}

static void check_together(int y, int cb)
{
    uint8_t rgb[3 * ROW], plane[3][ROW + JPEG_COLOURS_STEP], want[3];
    struct jpeg_row row = { .luma = plane[0],
                            .chroma = { { .near = plane[1] }, { .near = plane[2] } },
                            .subsampling = SUBSAMPLING_444 };
    bool good = true;

    for (int i = 0; i < ROW; i++) {
        plane[0][i] = (uint8_t)y;
        plane[1][i] = (uint8_t)cb;
        plane[2][i] = (uint8_t)i;
    }
    jpeg_ycbcr_to_rgb(&row, rgb, ROW);
    for (int i = 0; i < ROW; i++) {
        colour((const uint8_t[]){ plane[0][i], plane[1][i], plane[2][i] }, want);
        good = good && !memcmp(rgb + 3 * i, want, 3);
    }
    CHECK(good);
}

static void test_all_colours(void)
{
    for (int i = 0; i < 256 * 256; i++) {
        check_apart(i / 256, i % 256);
        check_together(i / 256, i % 256);
    }
}

int main(void)
{
    static const struct unit_test TESTS[] = {
        { "JPEGs of every kind are read as libjpeg reads them", test_reading },
        { "JPEGs are written as libjpeg writes them", test_writing },
        { "every colour becomes luma and chroma and back by the formulas", test_all_colours },
    };

    /* The last one needs the loops themselves. */
    return unit_main(TESTS, COUNTOF(TESTS) - !jpeg_has_colour_loops());
}
