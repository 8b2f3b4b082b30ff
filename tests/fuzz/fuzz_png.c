/* fuzz_png: PNG files whose chunks have right sums, read by our own decoder and by libvips: both
 * refuse one, or both give the same. */
#include "pixels/codec/codec.h"
#include "../unit/png_files.h"
#include "fuzz.h"

enum { MAX_PIXELS = 1 << 16 };

static struct pool pool;

/* Adds IDAT with rows that are compressed here, so that the rest of the input reaches the filters.
 */
static void add_data(struct text *file, struct slice rows)
{
    size_t room = libdeflate_zlib_compress_bound(NULL, rows.length);
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    char *stream = memory_take(room);
    size_t n = libdeflate_zlib_compress(c, rows.at, rows.length, stream, room);

    libdeflate_free_compressor(c);
    png_chunk(file, "IDAT", stream, n);
    free(stream);
}

/* Sides stay small, since libvips allocates what the header declares. */
static void add_header(struct text *file, struct feed *f)
{
    char header[13] = { 0, 0, 0, (char)feed_int(f, 0, 40), 0, 0, 0, (char)feed_int(f, 0, 40) };

    header[8] = (char)(feed_byte(f) & 31);
    header[9] = (char)(feed_byte(f) & 7);
    header[12] = (char)(feed_byte(f) % 8 == 7);
    png_chunk(file, "IHDR", header, sizeof header);
}

static void make_file(struct feed *f, struct text *file)
{
    static const char *const names[] = { "PLTE", "tRNS", "iCCP", "IDAT", "eXIf", "gAMA", "IHDR" };

    text_add(file, "\x89PNG\r\n\x1a\n", 8);
    add_header(file, f);
    for (int n = feed_int(f, 0, 5); n; n--) {
        unsigned kind = feed_byte(f) % COUNTOF(names);
        size_t length = (size_t)feed_int(f, 0, 255);

        length = length < f->left ? length : f->left;
        png_chunk(file, names[kind], f->at, length);
        f->at += length;
        f->left -= length;
    }
    if (feed_byte(f) % 8)
        add_data(file, (struct slice){ (const char *)f->at, f->left });
    else
        png_chunk(file, "IDAT", f->at, f->left);
    png_chunk(file, "IEND", NULL, 0);
}

static void compare(const struct picture *a, const struct picture *b)
{
    const struct plane *p = &a->plane, *q = &b->plane;
    size_t row = (size_t)p->width * (size_t)p->channels * pixel_type_size(p->type);

    MUST(p->width == q->width && p->height == q->height);
    MUST(p->channels == q->channels && p->type == q->type);
    for (int y = 0; y < p->height; y++)
        MUST(memcmp((char *)p->px + (size_t)y * p->stride, (char *)q->px + (size_t)y * q->stride,
                    row) == 0);
    MUST(a->icc_length == b->icc_length);
    MUST(!a->icc || memcmp(a->icc, b->icc, a->icc_length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct feed f = { data, size };
    struct picture own = { .plane = { 0 } }, vips = { .plane = { 0 } };
    struct text file = { 0 }, why = { 0 };
    int turn = 1, turn_of_vips = 1;
    struct slice bytes;
    bool good;

    make_file(&f, &file);
    bytes = feed_copy((const uint8_t *)file.at, file.length);
    good = codec_png_read(bytes, &pool, MAX_PIXELS, true, &own, &turn, &why);
    MUST(codec_vips_read(bytes, PICTURE_PNG, &pool, MAX_PIXELS, false, &vips, &turn_of_vips,
                         &why) == good);
    if (good) {
        compare(&own, &vips);
        MUST(turn == turn_of_vips);
    }
    picture_drop(&own, &pool);
    picture_drop(&vips, &pool);
    slice_free(bytes);
    text_drop(&file);
    text_drop(&why);
    return 0;
}
