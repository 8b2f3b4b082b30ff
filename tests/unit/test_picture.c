/* test_picture: files written and read back, turned upright, cut short, and refused. */
#include "unit.h"

#include "pixels/picture.h"
#include "base/dynlib.h"

#include <string.h>

static struct pool pool;
static const size_t PLENTY = 1 << 24;

static struct slice slice_of(const struct text *t)
{
    return (struct slice){ t->at, t->length };
}

static double get(const struct plane *p, int x, int y, int b)
{
    const unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + b;

    return p->type == PIXEL_U8 ? row[i] : ((const uint16_t *)(const void *)row)[i];
}

static void set(const struct plane *p, int x, int y, int b, int v)
{
    unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + b;

    if (p->type == PIXEL_U8)
        row[i] = (uint8_t)v;
    else
        ((uint16_t *)(void *)row)[i] = (uint16_t)v;
}

/* A smooth picture that every turn changes; alpha is a ramp, too. */
static struct picture smooth(int w, int h, int channels, enum pixel_type type)
{
    struct picture p = { .plane = pool_plane(&pool, (struct frame){ w, h }, channels, type) };
    int scale = type == PIXEL_U8 ? 1 : 257;

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int b = 0; b < channels; b++)
                set(&p.plane, x, y, b,
                    (40 + 160 * x / w + 50 * y / h * (b + 1) / 4) * scale + (scale > 1 ? x : 0));
    return p;
}

static double difference(const struct plane *a, const struct plane *b)
{
    double worst = 0;

    if (a->width != b->width || a->height != b->height || a->channels != b->channels ||
        a->type != b->type)
        return 1e9;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            for (int c = 0; c < a->channels; c++)
                worst = fmax(worst, fabs(get(a, x, y, c) - get(b, x, y, c)));
    return worst;
}

static struct text written(const struct picture *p, enum picture_format format, int quality)
{
    struct picture_options options = { format, quality, SUBSAMPLING_444, 1, false };
    struct text out = { 0 }, why = { 0 };

    if (!CHECK(picture_write(p, &options, &out, &why)))
        fprintf(stderr, "    %s\n", text_string(&why));
    text_drop(&why);
    return out;
}

/* Reads, or says why not and gives an empty picture. */
static bool can_read(struct slice bytes, struct picture *p, bool talk)
{
    struct text why = { 0 };
    bool ok = picture_read(bytes, &pool, PLENTY, NULL, p, &why);

    CHECK(ok == (why.length == 0));
    CHECK(ok || (p->plane.px == NULL && p->icc == NULL));
    if (!ok && talk)
        fprintf(stderr, "    %s\n", text_string(&why));
    text_drop(&why);
    return ok;
}

/* A profile that has only the mandatory parts of its header. */
static void profile(struct picture *p, size_t length, const char *space)
{
    p->icc = calloc(1, length);
    p->icc_length = length;
    for (size_t i = 132; i < length; i++)
        p->icc[i] = (uint8_t)(i * 31);
    for (int i = 0; i < 4; i++)
        p->icc[i] = (uint8_t)(length >> (24 - 8 * i));
    p->icc[8] = 4;
    memcpy(p->icc + 12, "mntr", 4);
    memcpy(p->icc + 16, space, 4);
    memcpy(p->icc + 20, "XYZ ", 4);
    memcpy(p->icc + 36, "acsp", 4);
    memcpy(p->icc + 68, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12); /* D50 */
}

static void check_round_trip(enum picture_format format, int channels, enum pixel_type type,
                             double slack, bool keeps_kind)
{
    struct picture p = smooth(77, 53, channels, type), q;
    struct picture_header header;
    struct text bytes, again, why = { 0 };
    enum picture_format sniffed = PICTURE_SAME;

    profile(&p, 70000, channels <= 2 ? "GRAY" : "RGB ");
    bytes = written(&p, format, 95);
    again = written(&p, format, 95);
    CHECK(bytes.length == again.length && !memcmp(bytes.at, again.at, bytes.length));
    CHECK(picture_sniff(slice_of(&bytes), &sniffed) && sniffed == format);
    CHECK(picture_probe(slice_of(&bytes), &header, &why));
    CHECK(header.format == format && header.frame.width == 77 && header.frame.height == 53);
    CHECK(header.orientation == 1 && !header.palette);
    if (CHECK(can_read(slice_of(&bytes), &q, true))) {
        CHECK(header.channels == q.plane.channels && header.type == q.plane.type);
        CHECK(q.format == format);
        if (keeps_kind) {
            CHECK(difference(&p.plane, &q.plane) <= slack);
            CHECK(q.icc_length == p.icc_length && !memcmp(q.icc, p.icc, p.icc_length));
        }
        picture_drop(&q, &pool);
    }
    picture_drop(&p, &pool);
    text_drop(&bytes);
    text_drop(&again);
    text_drop(&why);
}

static void test_round_trips(void)
{
    for (int channels = 1; channels <= 4; channels++) {
        check_round_trip(PICTURE_WEBP, channels, PIXEL_U8, 12, channels >= 3);
        for (int type = PIXEL_U8; type <= PIXEL_U16; type++) {
            check_round_trip(PICTURE_PNG, channels, (enum pixel_type)type, 0, true);
            check_round_trip(PICTURE_TIFF, channels, (enum pixel_type)type, 0, true);
        }
    }
    check_round_trip(PICTURE_JPEG, 1, PIXEL_U8, 4, true);
    check_round_trip(PICTURE_JPEG, 3, PIXEL_U8, 5, true);
}

static void test_jpeg_options(void)
{
    struct picture p = smooth(64, 48, 4, PIXEL_U8), rgb = smooth(64, 48, 3, PIXEL_U8), q;
    struct picture deep = smooth(64, 48, 3, PIXEL_U16);
    struct text out = { 0 }, why = { 0 };
    size_t sizes[3];

    CHECK(
        !picture_write(&p, &(struct picture_options){ PICTURE_JPEG, 90, 0, 1, false }, &out, &why));
    CHECK(out.length == 0 && why.length > 0);
    for (int s = SUBSAMPLING_420; s <= SUBSAMPLING_444; s++) {
        struct picture_options options = { PICTURE_JPEG, 90, (enum subsampling)s, 1, false };

        text_clear(&out);
        text_adds(&out, "before");
        CHECK(picture_write(&rgb, &options, &out, &why));
        CHECK(!memcmp(out.at, "before\xff\xd8", 8));
        sizes[s] = out.length;
        if (CHECK(can_read((struct slice){ out.at + 6, out.length - 6 }, &q, true)))
            CHECK(difference(&q.plane, &rgb.plane) < 16);
        picture_drop(&q, &pool);
    }
    CHECK(sizes[0] < sizes[1] && sizes[1] < sizes[2]);
    text_clear(&out);
    CHECK(!picture_write(&deep, &(struct picture_options){ PICTURE_JPEG, 90, 0, 1, false }, &out,
                         &why));
    CHECK(!picture_write(&deep, &(struct picture_options){ PICTURE_WEBP, 90, 0, 1, false }, &out,
                         &why));
    CHECK(out.length == 0);
    picture_drop(&p, &pool);
    picture_drop(&rgb, &pool);
    picture_drop(&deep, &pool);
    text_drop(&out);
    text_drop(&why);
}

/* Returns the pixels of an upright picture as a camera would have stored them. The text of
 * TIFF 6.0, tag 274, says which side of the picture row 0 and column 0 show. */
static struct picture as_stored(const struct picture *upright, int orientation)
{
    static const char *const SIDES[] = { "", "tl", "tr", "br", "bl", "lt", "rt", "rb", "lb" };
    const char *side = SIDES[orientation];
    int w = upright->plane.width, h = upright->plane.height;
    bool across = side[0] == 'l' || side[0] == 'r';
    struct frame frame = { across ? h : w, across ? w : h };
    struct picture raw = { .plane = pool_plane(&pool, frame, 1, PIXEL_U8) };

    for (int r = 0; r < frame.height; r++)
        for (int c = 0; c < frame.width; c++) {
            int x = across ? (side[0] == 'l' ? r : w - 1 - r) : (side[1] == 'l' ? c : w - 1 - c);
            int y = across ? (side[1] == 't' ? c : h - 1 - c) : (side[0] == 't' ? r : h - 1 - r);

            set(&raw.plane, c, r, 0, (int)get(&upright->plane, x, y, 0));
        }
    return raw;
}

static void check_upright(struct slice bytes, const struct picture *upright, int orientation)
{
    struct picture_header header;
    struct picture q;
    struct text why = { 0 };

    CHECK(picture_probe(bytes, &header, &why));
    CHECK(header.orientation == orientation);
    CHECK(header.frame.width == upright->plane.width);
    CHECK(header.frame.height == upright->plane.height);
    if (CHECK(can_read(bytes, &q, true)))
        CHECK(difference(&q.plane, &upright->plane) <= 3);
    picture_drop(&q, &pool);
    text_drop(&why);
}

static void test_orientations(void)
{
    /* APP1: length, "Exif", TIFF header, one directory of one entry: 0x0112, SHORT, 1, value. */
    char little[] = "\xff\xe1\0\x22"
                    "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0V\0\0\0\0\0\0\0";
    char big[] = "\xff\xe1\0\x22"
                 "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0V\0\0\0\0\0\0";
    struct picture upright = smooth(40, 24, 1, PIXEL_U8);

    for (int o = 1; o <= 8; o++) {
        struct picture raw = as_stored(&upright, o);
        struct text jpeg = written(&raw, PICTURE_JPEG, 100), with = { 0 };
        struct text tiff = written(&raw, PICTURE_TIFF, 0);
        char *tag = memmem(tiff.at, tiff.length, "\x12\x01\x03\0\x01\0\0\0\x01\0", 10);

        little[28] = (char)o;
        big[29] = (char)o;
        text_add(&with, jpeg.at, 2);
        text_add(&with, o % 2 ? little : big, 36);
        text_add(&with, jpeg.at + 2, jpeg.length - 2);
        check_upright(slice_of(&with), &upright, o);
        if (CHECK(tag != NULL)) {
            tag[8] = (char)o;
            check_upright(slice_of(&tiff), &upright, o);
        }
        text_drop(&jpeg);
        text_drop(&with);
        text_drop(&tiff);
        picture_drop(&raw, &pool);
    }
    picture_drop(&upright, &pool);
}

/* A GIF of 256 grays whose codes are all 9 bits wide: the table is cleared before it would grow. */
static struct text gif_of(int w, int h)
{
    struct text out = { 0 };
    unsigned char block[255];
    uint32_t bits = 0;
    int held = 0, n = 0;

    text_add(&out, "GIF89a", 6);
    for (int i = 0; i < 4; i++)
        text_addc(&out, (char)((i < 2 ? w : h) >> 8 * (i % 2)));
    text_add(&out, "\xf7\0\0", 3);
    for (int i = 0; i < 768; i++)
        text_addc(&out, (char)(i % 3 ? i / 3 : 255 - i / 3));
    text_add(&out, ",\0\0\0\0", 5);
    text_add(&out, out.at + 6, 4);
    text_add(&out, "\0\x08", 2);
    for (int i = 0; i <= w * h; i++) {
        uint32_t codes[2] = { 256, i == w * h ? 257 : (uint32_t)(i * 3 % 256) };

        for (int k = i % 200 && i != w * h ? 1 : 0; k < 2; k++) {
            bits |= codes[k] << held;
            for (held += 9; held >= 8 || (i == w * h && k == 1 && held > 0);
                 held -= 8, bits >>= 8) {
                block[n++] = (unsigned char)bits;
                if (n == 255 || (i == w * h && k == 1 && held <= 8)) {
                    text_addc(&out, (char)n);
                    text_add(&out, block, (size_t)n);
                    n = 0;
                }
            }
        }
    }
    text_add(&out, "\0;", 2);
    return out;
}

static void test_gif(void)
{
    struct text gif = gif_of(60, 40), why = { 0 };
    struct picture_header header;
    struct picture p;

    CHECK(picture_probe(slice_of(&gif), &header, &why) && header.palette);
    if (CHECK(can_read(slice_of(&gif), &p, true))) {
        CHECK(p.plane.channels == 3 && p.plane.width == 60 && p.plane.height == 40);
        CHECK(get(&p.plane, 7, 1, 1) == 67 * 3 % 256 &&
              get(&p.plane, 7, 1, 0) == 255 - 67 * 3 % 256);
    }
    picture_drop(&p, &pool);
    text_drop(&gif);
    text_drop(&why);
}

static void check_cuts(struct slice whole, const char *name)
{
    static const double SHARES[] = { 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1 };
    struct picture p;

    CHECK(can_read(whole, &p, true));
    picture_drop(&p, &pool);
    for (size_t i = 0; i < COUNTOF(SHARES); i++) {
        size_t length = (size_t)((double)(whole.length - 1) * SHARES[i]);
        char *cut = malloc(length); /* so that a reader beyond the end is seen */

        memcpy(cut, whole.at, length);
        if (!CHECK(!can_read((struct slice){ cut, length }, &p, false)))
            fprintf(stderr, "    %s cut at %g\n", name, SHARES[i]);
        picture_drop(&p, &pool);
        free(cut);
    }
}

static void test_cuts(void)
{
    struct picture p = smooth(200, 150, 3, PIXEL_U8);
    struct text gif = gif_of(200, 150);

    for (int y = 0; y < 150; y++)
        for (int i = 0; i < 600; i++)
            set(&p.plane, i / 3, y, i % 3, unit_int(0, 255));
    for (int f = PICTURE_JPEG; f <= PICTURE_TIFF; f++) {
        struct text bytes = written(&p, (enum picture_format)f, 90);

        check_cuts(slice_of(&bytes), picture_format_name((enum picture_format)f));
        text_drop(&bytes);
    }
    gif.length--; /* a missing last byte is harmless */
    check_cuts(slice_of(&gif), "gif");
    text_drop(&gif);
    picture_drop(&p, &pool);
}

static void test_refusals(void)
{
    static const char *const HEADS[] = { "\xff\xd8\xff\xe0", "\x89PNG\r\n\x1a\n",
                                         "RIFF....WEBP",     "II*",
                                         "GIF89a",           "<svg>" };
    struct picture big = smooth(100, 50, 3, PIXEL_U8), p;
    struct text why = { 0 };
    char junk[600];

    CHECK(!can_read((struct slice){ "", 0 }, &p, false));
    CHECK(!can_read((struct slice){ NULL, 0 }, &p, false));
    for (size_t i = 0; i < COUNTOF(HEADS); i++) {
        for (size_t k = 0; k < sizeof junk; k++)
            junk[k] = (char)unit_int(0, 255);
        memcpy(junk, HEADS[i], strlen(HEADS[i]));
        junk[3] = i == 3 ? 0 : junk[3];
        CHECK(!can_read((struct slice){ junk, sizeof junk }, &p, false));
        CHECK(!can_read((struct slice){ junk, strlen(HEADS[i]) }, &p, false));
    }
    for (int f = PICTURE_JPEG; f <= PICTURE_TIFF; f++) {
        struct text bytes = written(&big, (enum picture_format)f, 90);

        text_clear(&why);
        CHECK(!picture_read(slice_of(&bytes), &pool, 4999, NULL, &p, &why));
        CHECK(strstr(text_string(&why), "4999") != NULL);
        CHECK(picture_read(slice_of(&bytes), &pool, 5000, NULL, &p, &why));
        picture_drop(&p, &pool);
        text_drop(&bytes);
    }
    text_drop(&why);
    picture_drop(&big, &pool);
}

static void test_overlay(void)
{
    static const char SVG[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='100'>"
        "<rect x='10' y='20' width='20' height='60' fill='#ff0080' fill-opacity='0.5'/></svg>";
    struct picture p = smooth(40, 100, 3, PIXEL_U8), q = smooth(40, 100, 3, PIXEL_U8);
    struct text why = { 0 };

    if (!CHECK(picture_overlay(&p.plane, SVG, sizeof SVG - 1, &why)))
        fprintf(stderr, "    %s\n", text_string(&why));
    CHECK(get(&p.plane, 5, 50, 0) == get(&q.plane, 5, 50, 0));
    CHECK_NEAR(get(&p.plane, 20, 50, 0), (255 + get(&q.plane, 20, 50, 0)) / 2, 2);
    CHECK_NEAR(get(&p.plane, 20, 79, 1), get(&q.plane, 20, 79, 1) / 2, 2);
    CHECK(!picture_overlay(&p.plane, "<svg", 4, &why));
    picture_drop(&p, &pool);
    picture_drop(&q, &pool);
    text_drop(&why);
}

/* A library that is not there, and one without a function. */
static void test_doors(void)
{
    static const char *const NAMES[] = { "cos", "sin", "no_such_function" };
    const struct dynlib there = { "libm.so.6", "the C library", NAMES, 2 };
    const struct dynlib lacking = { "libm.so.6", "a newer one", NAMES, 3 };
    const struct dynlib missing = { "libnowhere.so.1", "libnowhere1", NAMES, 3 };
    double (*functions[3])(double);
    struct text why = { 0 };

    if (CHECK(dynlib_open(&there, functions, &why)))
        CHECK(functions[0](0) == 1 && functions[1](0) == 0);
    CHECK(why.length == 0);
    CHECK(!dynlib_open(&lacking, functions, &why));
    CHECK(!strcmp(text_string(&why), "libm.so.6 cannot be loaded: it has no no_such_function; "
                                     "install a newer one"));
    text_clear(&why);
    CHECK(!dynlib_open(&missing, functions, &why));
    CHECK(!strncmp(text_string(&why), "libnowhere.so.1 cannot be loaded: ", 34));
    CHECK(!strstr(text_string(&why) + 34, "libnowhere.so.1"));
    CHECK(strstr(text_string(&why), "; install libnowhere1") != NULL);
    text_drop(&why);
}

static void test_versions(void)
{
    struct text versions = { 0 };

    picture_versions(&versions);
    CHECK(strstr(text_string(&versions), "libvips 42.") != NULL);
    text_drop(&versions);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_versions),     TEST(test_doors),        TEST(test_round_trips),
        TEST(test_jpeg_options), TEST(test_orientations), TEST(test_gif),
        TEST(test_cuts),         TEST(test_refusals),     TEST(test_overlay),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
