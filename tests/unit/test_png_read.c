/* test_png_read: PNG files of every kind give the same results as with libvips. */
#include "png_files.h"
#include "render_plane.h"
#include "unit.h"

#include "pixels/codec/codec.h"

static struct pool pool;

enum { MAX_FILE = 1 << 20 };

struct outcome {
    bool good;
    struct picture picture;
    int orientation;
};

static struct outcome read_own(struct slice file)
{
    struct outcome o = { .orientation = 1 };
    struct text why = { 0 };

    o.good = codec_png_read(file, &pool, MAX_FILE, true, &o.picture, &o.orientation, &why);
    text_drop(&why);
    return o;
}

static struct outcome read_vips(struct slice file)
{
    struct outcome o = { .orientation = 1 };
    struct text why = { 0 };

    o.good = codec_vips_read(file, PICTURE_PNG, &pool, MAX_FILE, false, &o.picture, &o.orientation,
                             &why);
    text_drop(&why);
    return o;
}

static bool headers_agree(const struct picture_header *a, const struct picture_header *b)
{
    return a->frame.width == b->frame.width && a->frame.height == b->frame.height &&
           a->channels == b->channels && a->type == b->type && a->palette == b->palette &&
           a->orientation == b->orientation && a->several == b->several;
}

static bool same_header(struct slice file)
{
    struct picture_header a = { .orientation = 1 }, b = { .orientation = 1 };
    struct text why = { 0 };
    bool good = codec_png_probe(file, &a, &why) == codec_vips_probe(file, PICTURE_PNG, &b, &why);

    text_drop(&why);
    return good && headers_agree(&a, &b);
}

/* True if a peek at the first bytes, however few, tells the same as the whole file. */
static bool begins_alike(struct slice file)
{
    struct picture_header whole = { .orientation = 1 }, begun = { 0 };
    struct text why = { 0 };
    bool good = picture_peek(file, &whole, &why), alike = true;

    for (size_t n = 1; n <= file.length; n++)
        if (picture_peek_beginning((struct slice){ file.at, n }, &begun))
            alike = alike && good && headers_agree(&begun, &whole);
    text_drop(&why);
    return alike;
}

/* True if both readers accept the file, or both refuse it, with equal results. */
static bool is_alike(struct slice file, bool *good)
{
    struct outcome own = read_own(file), vips = read_vips(file);
    bool alike = own.good == vips.good;

    if (alike && own.good)
        alike = planes_equal(&own.picture.plane, &vips.picture.plane) &&
                own.orientation == vips.orientation &&
                own.picture.icc_length == vips.picture.icc_length &&
                (!own.picture.icc ||
                 memcmp(own.picture.icc, vips.picture.icc, own.picture.icc_length) == 0);
    *good = own.good;
    picture_drop(&own.picture, &pool);
    picture_drop(&vips.picture, &pool);
    return alike;
}

static void make_rows(const struct png_parts *p, struct text *rows)
{
    size_t length = png_row_length(p);

    for (int y = 0; y < p->height; y++) {
        text_addc(rows, (char)(p->filter < 0 ? unit_int(0, 4) : p->filter));
        /* Few levels, so that some pixels are the transparent one. */
        for (size_t i = 0; i < length; i++)
            text_addc(rows, (char)(unit_int(0, 3) ? unit_int(0, 2) : unit_int(0, 255)));
    }
}

static void check(const struct png_parts *p, bool want)
{
    struct text rows = { 0 }, file = { 0 };
    struct slice bytes;
    bool good;

    make_rows(p, &rows);
    png_file(p, rows.at, &file);
    bytes = (struct slice){ file.at, file.length };
    if (!CHECK(is_alike(bytes, &good)) || !CHECK(!want || good) || !CHECK(same_header(bytes)) ||
        !CHECK(begins_alike(bytes)))
        fprintf(stderr, "    colour type %d, %d bits, %d x %d, filter %d, %zu bytes of tRNS\n",
                p->kind.colour, p->kind.depth, p->width, p->height, p->filter, p->clear.length);
    text_drop(&rows);
    text_drop(&file);
}

/* Returns as many bytes of transparency as the kind has, or fewer entries of a palette. */
static struct slice clear_of(const struct png_parts *p, char bytes[256])
{
    size_t n = p->kind.colour == PNG_GRAY      ? 2
               : p->kind.colour == PNG_RGB     ? 6
               : p->kind.colour == PNG_INDEXED ? (size_t)unit_int(1, p->colours)
                                               : 0;

    for (size_t i = 0; i < n; i++)
        bytes[i] = (char)(i % 2 || p->kind.depth == 16 ? unit_int(0, 2) : !unit_int(0, 9));
    return (struct slice){ n ? bytes : NULL, n };
}

/* All kinds by all filters, with and without transparency, of sides around the bytes' ends. */
static void test_kinds(void)
{
    char bytes[256];

    for (size_t k = 0; k < COUNTOF(png_kinds); k++)
        for (int filter = -1; filter <= 4; filter++)
            for (int i = 0; i < 24; i++) {
                struct png_parts p = { .kind = png_kinds[k],
                                       .width = unit_int(1, 20),
                                       .height = unit_int(1, 6),
                                       .filter = filter,
                                       .pieces = unit_int(1, 3) };

                if (p.kind.colour == PNG_INDEXED)
                    p.colours = 1 << p.kind.depth;
                if (i % 2)
                    p.clear = clear_of(&p, bytes);
                check(&p, true);
            }
}

/* Whatever the two make of it. */
static void test_oddities(void)
{
    char bytes[256] = { 0 };

    for (size_t k = 0; k < COUNTOF(png_kinds); k++)
        for (int i = 0; i < 40; i++) {
            struct png_parts p = { .kind = png_kinds[k],
                                   .width = unit_int(1, 9),
                                   .height = unit_int(1, 3),
                                   .filter = unit_int(0, 9) ? -1 : 5,
                                   .interlaced = i % 4 == 3 ? unit_int(1, 2) : 0,
                                   .colours = unit_int(0, 2) ? unit_int(0, 256) : 0,
                                   .pieces = unit_int(0, 4),
                                   .behind = unit_int(0, 3) ? 0 : (size_t)unit_int(1, 8) };

            if (unit_int(0, 1))
                p.clear = (struct slice){ bytes, (size_t)unit_int(0, 256) };
            check(&p, false);
        }
}

/* Chunk checksums are corrected after each damage. */
static void damage(struct text *file, bool *headed)
{
    size_t chunks = 0, at = 8, chosen;
    unsigned char *b = (unsigned char *)file->at;

    for (size_t i = at; i + 12 <= file->length;
         i += 12 + ((size_t)b[i] << 24 | (size_t)b[i + 1] << 16 | (size_t)b[i + 2] << 8 | b[i + 3]))
        chunks++;
    chosen = (size_t)unit_int(0, (int)chunks - 1);
    for (; chosen; chosen--)
        at += 12 +
              ((size_t)b[at] << 24 | (size_t)b[at + 1] << 16 | (size_t)b[at + 2] << 8 | b[at + 3]);
    *headed = at == 8;
    chunks = (size_t)b[at + 2] << 8 | b[at + 3];
    if (!chunks)
        return;
    for (int n = unit_int(1, 3); n; n--) {
        size_t byte = at + 8 + (size_t)unit_int(0, (int)chunks - 1);

        /* Sides stay small. */
        if (!*headed || byte >= 24 || byte == 19 || byte == 23)
            b[byte] ^= (unsigned char)(1 << unit_int(0, 7));
    }
    codec_png_seal(file->at + at);
}

static void test_damage(void)
{
    int refused = 0, read = 0;

    for (int i = 0; i < 6000; i++) {
        struct png_parts p = { .kind = png_kinds[(size_t)i % COUNTOF(png_kinds)],
                               .width = unit_int(1, 20),
                               .height = unit_int(1, 6),
                               .filter = -1,
                               .pieces = unit_int(1, 3) };
        struct text rows = { 0 }, file = { 0 };
        char bytes[256];
        bool headed, good;

        if (p.kind.colour == PNG_INDEXED)
            p.colours = unit_int(1, 1 << p.kind.depth);
        if (unit_int(0, 1))
            p.clear = clear_of(&p, bytes);
        make_rows(&p, &rows);
        png_file(&p, rows.at, &file);
        damage(&file, &headed);
        if (!CHECK(is_alike((struct slice){ file.at, file.length }, &good)))
            fprintf(stderr, "    damage %d: colour type %d, %d bits%s, %s here\n", i, p.kind.colour,
                    p.kind.depth, headed ? ", in the header" : "", good ? "read" : "refused");
        refused += !good;
        read += good;
        text_drop(&rows);
        text_drop(&file);
    }
    CHECK(refused > 1000 && read > 500);
}

/* --- profiles --- */

enum { ICC = 400 }; /* bytes of a profile with one tag of 256 bytes */

static void make_profile(uint8_t icc[ICC], bool gray)
{
    static const uint8_t D50[] = { 0, 0, 0xf6, 0xd6, 0, 1, 0, 0, 0, 0, 0xd3, 0x2d };

    memset(icc, 0, ICC);
    icc[2] = ICC >> 8;
    icc[3] = ICC & 255;
    icc[8] = 4;
    memcpy(icc + 12, "mntr", 4);
    memcpy(icc + 16, gray ? "GRAY" : "RGB ", 4);
    memcpy(icc + 20, "XYZ ", 4);
    memcpy(icc + 36, "acsp", 4);
    memcpy(icc + 68, D50, sizeof D50);
    icc[131] = 1;
    icc[139] = 144;
    icc[142] = 1;
    for (int i = 144; i < ICC; i++)
        icc[i] = (uint8_t)unit_int(0, 255);
}

static void check_profile(const struct png_parts *parts, const uint8_t *icc, size_t length,
                          struct slice behind, bool want)
{
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
    char chunk[700] = "profile\0";
    struct png_parts p = *parts;
    struct text rows = { 0 }, file = { 0 };
    struct picture picture = { .plane = { 0 } };
    bool is_gray = p.kind.colour == PNG_GRAY || p.kind.colour == PNG_GRAY_ALPHA;
    size_t n = libdeflate_zlib_compress(c, icc, length, chunk + 9, sizeof chunk - 9 - 20);
    bool good;

    libdeflate_free_compressor(c);
    memcpy(chunk + 9 + n, behind.at, behind.length);
    p.profile = (struct slice){ chunk, 9 + n + behind.length };
    make_rows(&p, &rows);
    png_file(&p, rows.at, &file);
    CHECK(is_alike((struct slice){ file.at, file.length }, &good));
    CHECK(codec_png_profile(p.profile, is_gray, &picture) == want);
    CHECK(!want || picture.icc_length == length);
    free(picture.icc);
    text_drop(&rows);
    text_drop(&file);
}

static void test_profiles(void)
{
    const struct slice none = { "", 0 }, more = { "xyz", 3 };

    for (size_t k = 0; k < COUNTOF(png_kinds); k++) {
        const struct png_parts p = { .kind = png_kinds[k],
                                     .width = 3,
                                     .height = 2,
                                     .colours = png_kinds[k].colour == PNG_INDEXED
                                                    ? 1 << png_kinds[k].depth
                                                    : 0,
                                     .pieces = 1 };
        bool gray = p.kind.colour == PNG_GRAY || p.kind.colour == PNG_GRAY_ALPHA;
        uint8_t icc[ICC], bad[ICC];

        make_profile(icc, gray);
        check_profile(&p, icc, ICC, none, true);
        if (p.kind.colour != PNG_RGB)
            continue;
        check_profile(&p, icc, ICC, more, false);
        check_profile(&p, icc, ICC - 1, none, false);
        for (int i = 0; i < ICC; i++) {
            /* Bytes that are neither known nor read may have any value. */
            bool looked = i < 4 || (i >= 12 && i < 24) || (i >= 36 && i < 40) ||
                          (i >= 64 && i < 80) || (i >= 128 && i < 132) || (i >= 136 && i < 144);

            memcpy(bad, icc, sizeof bad);
            bad[i] ^= 0x40;
            check_profile(&p, bad, ICC, none, !looked);
        }
        memcpy(bad, icc, sizeof bad);
        bad[143] = 1;
        check_profile(&p, bad, ICC, none, false);
        bad[139] = 143;
        check_profile(&p, bad, ICC, none, false);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_kinds),
        TEST(test_oddities),
        TEST(test_damage),
        TEST(test_profiles),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
