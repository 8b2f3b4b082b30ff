/* png_read: reads PNG with libdeflate and with its own filters.
 *
 * Handles valid files without interlacing, which are nearly all. Anything unusual is left to
 * libvips, which may refuse it. Loading libvips takes 40 ms. */
#include "pixels/codec/codec.h"
#include "pixels/codec/first_frame.h"
#include "pixels/codec/png_filters.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

enum {
    SIGNATURE = 8,
    AROUND = 12,
    HEADER = 13
}; /* bytes; AROUND: before and after a chunk's data */
enum { GRAY = 0, RGB = 2, INDEXED = 3, GRAY_ALPHA = 4, RGB_ALPHA = 6 };
enum { MAX_SIDE = 1000000 }; /* the limit of libpng */
/* All rows are inflated at once. Deflate makes at most 1032 bytes from one. */
static const size_t MAX_ROWS = (size_t)1 << 28, MAX_PER_BYTE = 1032;

/* A file's parts; slices point into the file. */
struct png {
    int width, height, depth, colour;
    struct slice palette, clear, profile; /* PLTE, tRNS, iCCP; `at` is NULL if there is none */
    struct slice data;                    /* all IDAT data, in the file or in `joined` */
    struct text joined;
    size_t length, step; /* bytes of a row; bytes from one pixel to the next, at least 1 */
};

static uint32_t big(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* --- the file --- */

static int stored_channels(int colour)
{
    return colour == RGB ? 3 : colour == RGB_ALPHA ? 4 : colour == GRAY_ALPHA ? 2 : 1;
}

static bool is_gray(const struct png *p)
{
    return p->colour == GRAY || p->colour == GRAY_ALPHA;
}

static bool is_depth(int colour, int depth)
{
    switch (colour) {
    case GRAY:
        return depth == 1 || depth == 2 || depth == 4 || depth == 8 || depth == 16;
    case INDEXED:
        return depth == 1 || depth == 2 || depth == 4 || depth == 8;
    case RGB:
    case GRAY_ALPHA:
    case RGB_ALPHA:
        return depth == 8 || depth == 16;
    default:
        return false;
    }
}

static bool take_header(struct png *p, struct slice data)
{
    uint32_t width, height;
    size_t bits;

    if (data.length != HEADER || p->width)
        return false;
    width = big(data.at);
    height = big(data.at + 4);
    p->depth = (uint8_t)data.at[8];
    p->colour = (uint8_t)data.at[9];
    if (!width || !height || width > MAX_SIDE || height > MAX_SIDE ||
        !is_depth(p->colour, p->depth) || memcmp(data.at + 10, "\0\0\0", 3) != 0)
        return false;
    p->width = (int)width;
    p->height = (int)height;
    bits = (size_t)stored_channels(p->colour) * (size_t)p->depth;
    p->length = ((size_t)width * bits + 7) / 8;
    p->step = bits < 8 ? 1 : bits / 8;
    return true;
}

/* Joins the IDAT chunks, which are one stream. */
static void take_data(struct png *p, struct slice data)
{
    if (!p->data.at) {
        p->data = data;
        return;
    }
    if (!p->joined.length)
        text_add(&p->joined, p->data.at, p->data.length);
    text_add(&p->joined, data.at, data.length);
    p->data = (struct slice){ p->joined.at, p->joined.length };
}

/* Takes a chunk that may occur once, and only before another one. False otherwise. */
static bool take_single_chunk(struct slice *to, struct slice data, const struct slice *before)
{
    if (to->at || before->at)
        return false;
    *to = data;
    return true;
}

static bool take_chunk(struct png *p, const char *name, struct slice data)
{
    if (memcmp(name, "IHDR", 4) == 0)
        return take_header(p, data);
    if (!p->width)
        return false;
    if (memcmp(name, "iCCP", 4) == 0)
        return !p->palette.at && take_single_chunk(&p->profile, data, &p->data);
    if (memcmp(name, "PLTE", 4) == 0)
        return !p->clear.at && take_single_chunk(&p->palette, data, &p->data);
    if (memcmp(name, "tRNS", 4) == 0)
        return take_single_chunk(&p->clear, data, &p->data);
    if (memcmp(name, "IDAT", 4) != 0)
        return memcmp(name, "IEND", 4) == 0 && !data.length;
    take_data(p, data);
    return true;
}

/* True if pixels can have the transparent color. For others, decoders compare only some bits. */
static bool is_level(const struct png *p)
{
    for (size_t i = 0; i < p->clear.length && p->depth < 16; i += 2)
        if (p->clear.at[i] || (uint8_t)p->clear.at[i + 1] >> p->depth)
            return false;
    return true;
}

/* True if palette and transparency have the lengths that the color type needs. */
static bool has_colours(const struct png *p)
{
    size_t n = p->palette.length / 3;

    if (p->palette.at && (p->palette.length % 3 || !n || n > 256 || is_gray(p)))
        return false;
    if (p->colour == INDEXED && (!n || n > (size_t)1 << p->depth))
        return false;
    if (!p->clear.at)
        return true;
    switch (p->colour) {
    case GRAY:
        return p->clear.length == 2 && is_level(p);
    case RGB:
        return p->clear.length == 6 && is_level(p);
    case INDEXED:
        return p->clear.length && p->clear.length <= n;
    default:
        return false;
    }
}

/* Finds the parts of a file whose chunks are valid (first_frame.h). False if anything is
 * unusual. */
static bool begin(struct png *p, const struct first_frame *f)
{
    struct slice file = f->bytes;
    bool good = true, more = true;

    *p = (struct png){ .width = 0 };
    for (size_t at = SIGNATURE; good && more;) {
        struct slice data = { file.at + at + 8, big(file.at + at) };
        const char *name = file.at + at + 4;

        good = take_chunk(p, name, data);
        more = memcmp(name, "IEND", 4) != 0;
        at += AROUND + data.length;
    }
    good = good && p->data.at && has_colours(p);
    if (!good)
        text_drop(&p->joined);
    return good;
}

static int channels_of(const struct png *p)
{
    return (p->colour == INDEXED ? 3 : stored_channels(p->colour)) + (p->clear.at != NULL);
}

/* --- rows --- */

static unsigned index_at(const uint8_t *row, int x, int depth)
{
    size_t bit = (size_t)x * (size_t)depth;

    return (unsigned)row[bit / 8] >> (8 - depth - (int)(bit % 8)) & ((1u << depth) - 1);
}

/* Writes the colors of indices; false if an index has no color. */
static bool put_colours(const struct png *p, const uint8_t *row, uint8_t *to)
{
    const char *rgb = p->palette.at;
    unsigned n = (unsigned)p->palette.length / 3;

    for (int x = 0; x < p->width; x++) {
        unsigned i = index_at(row, x, p->depth);

        if (i >= n)
            return false;
        memcpy(to, rgb + 3 * (size_t)i, 3);
        to += 3;
        if (p->clear.at)
            *to++ = i < p->clear.length ? (uint8_t)p->clear.at[i] : 255;
    }
    return true;
}

/* Scales fewer than 8 bits to the full range. */
static void put_gray(const struct png *p, const uint8_t *row, uint8_t *to)
{
    unsigned max = (1u << p->depth) - 1, clear = p->clear.at ? (uint8_t)p->clear.at[1] : 0;

    for (int x = 0; x < p->width; x++) {
        unsigned level = index_at(row, x, p->depth);

        *to++ = (uint8_t)(level * (255 / max));
        if (p->clear.at)
            *to++ = level == clear ? 0 : 255;
    }
}

/* Writes gray or RGB of 8 bits with alpha, if one color is transparent. */
static void put_cleared(const struct png *p, const uint8_t *row, uint8_t *to)
{
    size_t n = (size_t)stored_channels(p->colour);

    for (int x = 0; x < p->width; x++, row += n) {
        bool clear = true;

        for (size_t c = 0; c < n; c++) {
            clear &= row[c] == (uint8_t)p->clear.at[2 * c + 1];
            *to++ = row[c];
        }
        *to++ = clear ? 0 : 255;
    }
}

static void put_16(const struct png *p, const uint8_t *row, uint16_t *to)
{
    size_t n = (size_t)stored_channels(p->colour);

    for (int x = 0; x < p->width; x++) {
        bool clear = true;

        for (size_t c = 0; c < n; c++, row += 2) {
            clear &= p->clear.at && memcmp(row, p->clear.at + 2 * c, 2) == 0;
            *to++ = (uint16_t)(row[0] << 8 | row[1]);
        }
        if (p->clear.at)
            *to++ = clear ? 0 : UINT16_MAX;
    }
}

static bool put_row(const struct png *p, const uint8_t *row, void *to)
{
    if (p->colour == INDEXED)
        return put_colours(p, row, to);
    if (p->depth == 16)
        put_16(p, row, to);
    else if (p->depth < 8)
        put_gray(p, row, to);
    else if (p->clear.at)
        put_cleared(p, row, to);
    else
        memcpy(to, row, p->length);
    return true;
}

/* Writes the pixels of rows. Each row has its filter number before it; filters are reversed in
 * place. */
static bool put_rows(const struct png *p, uint8_t *rows, struct plane *plane)
{
    uint8_t *zeros = calloc(p->length + PNG_BEHIND, 1);
    const uint8_t *above = zeros;
    bool good = true;

    for (int y = 0; good && y < p->height; y++) {
        uint8_t *row = rows + (size_t)y * (p->length + 1);

        good = png_undo_row(row[0], row + 1, above, p->length, p->step) &&
               put_row(p, row + 1, plane_row(plane, y));
        above = row + 1;
    }
    free(zeros);
    return good;
}

/* True if the stream is complete and as long as the rows. */
static bool inflate(const struct png *p, uint8_t *rows, size_t length)
{
    struct libdeflate_decompressor *inflater;
    size_t read = 0;
    bool good;

    libdeflate_set_memory_allocator(memory_take, free);
    inflater = libdeflate_alloc_decompressor();
    good = libdeflate_zlib_decompress_ex(inflater, p->data.at, p->data.length, rows, length, &read,
                                         NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(inflater);
    return good && read == p->data.length;
}

/* Returns false without any allocated memory left. */
static bool decode(const struct png *p, struct pool *pool, struct plane *plane)
{
    size_t length = (size_t)p->height * (p->length + 1);
    uint8_t *rows;
    bool good;

    if (length > MAX_ROWS || length / MAX_PER_BYTE > p->data.length)
        return false;
    rows = memory_take(length + PNG_BEHIND);
    memset(rows + length, 0, PNG_BEHIND);
    good = inflate(p, rows, length);
    if (good) {
        *plane = pool_plane(pool, (struct frame){ p->width, p->height }, channels_of(p),
                            p->depth == 16 ? PIXEL_U16 : PIXEL_U8);
        good = put_rows(p, rows, plane);
        if (!good)
            pool_return(pool, plane);
    }
    free(rows);
    return good;
}

/* --- for codec.c --- */

bool codec_png_probe(struct slice bytes, struct picture_header *header, struct text *why)
{
    struct first_frame first;
    struct png png;
    bool good;

    if (!first_frame_find(bytes, PICTURE_PNG, &first, why))
        return false;
    good = begin(&png, &first);
    if (good) {
        header->frame = (struct frame){ png.width, png.height };
        header->channels = channels_of(&png);
        header->type = png.depth == 16 ? PIXEL_U16 : PIXEL_U8;
        header->palette = png.colour == INDEXED;
        header->orientation = first.orientation;
        header->several = first.several;
        text_drop(&png.joined);
    }
    first_frame_drop(&first);
    return good || codec_vips_probe(bytes, PICTURE_PNG, header, why);
}

bool codec_png_read(struct slice bytes, struct pool *pool, size_t max_pixels, bool library,
                    struct picture *picture, int *orientation, struct text *why)
{
    struct first_frame first;
    struct png png;
    bool good, plain;

    if (!first_frame_find(bytes, PICTURE_PNG, &first, why))
        return false;
    good = codec_check_size(first.frame.width, first.frame.height, max_pixels, why);
    if (!good) {
        first_frame_drop(&first);
        return false;
    }
    plain = begin(&png, &first);
    good = plain && (!png.profile.at || codec_png_profile(png.profile, is_gray(&png), picture)) &&
           decode(&png, pool, &picture->plane);
    if (good)
        *orientation = first.orientation;
    if (plain)
        text_drop(&png.joined);
    first_frame_drop(&first);
    if (good)
        return true;
    free(picture->icc);
    picture->icc = NULL;
    picture->icc_length = 0;
    if (library)
        return codec_vips_read(bytes, PICTURE_PNG, pool, max_pixels, false, picture, orientation,
                               why);
    text_adds(why, "the PNG is interlaced or damaged");
    return false;
}
