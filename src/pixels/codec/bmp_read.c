/* bmp_read: reads BMP files with 1 to 32 bits per pixel, with a palette, RLE or bit fields.
 *
 * Source: Microsoft's descriptions of BITMAPFILEHEADER, BITMAPCOREHEADER, BITMAPINFOHEADER and
 * BITMAPV4HEADER. A palette of grays gives one channel. */
#include "pixels/codec/codec.h"
#include "pixels/codec/first_frame.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

enum {
    FILE_HEADER = 14,
    CORE = 12, /* bytes of the oldest header after it */
    INFO = 40,
    RGB = 0, /* the compression methods */
    RLE8 = 1,
    RLE4 = 2,
    BIT_FIELDS = 3,
    ALPHA_FIELDS = 6,
};

struct bmp {
    struct slice file;
    int width, height, bits, storage;
    bool top_down;
    uint32_t mask[4];         /* of red, green, blue, alpha */
    uint8_t colours[256][3];  /* in the order red, green, blue */
    size_t n_colours, pixels; /* number of colors; offset of the pixels */
    bool gray, indexed;
};

static bool fail(struct text *why, const char *fault)
{
    text_adds(why, fault);
    return false;
}

static uint32_t get(const struct bmp *b, size_t at, int bytes)
{
    return bytes_little(b->file.at + at, bytes);
}

static bool has_bytes(const struct bmp *b, size_t at, size_t bytes)
{
    return at <= b->file.length && bytes <= b->file.length - at;
}

/* --- the header --- */

static bool read_sizes(struct bmp *b, size_t header)
{
    int64_t height;

    if (header == CORE) {
        b->width = (int)get(b, FILE_HEADER + 4, 2);
        b->height = (int)get(b, FILE_HEADER + 6, 2);
        b->bits = (int)get(b, FILE_HEADER + 10, 2);
        return b->width > 0 && b->height > 0;
    }
    b->width = (int32_t)get(b, FILE_HEADER + 4, 4);
    height = (int32_t)get(b, FILE_HEADER + 8, 4);
    b->top_down = height < 0;
    height = height < 0 ? -height : height;
    b->bits = (int)get(b, FILE_HEADER + 14, 2);
    b->storage = (int)get(b, FILE_HEADER + 16, 4);
    if (height > INT32_MAX)
        return false;
    b->height = (int)height;
    return b->width > 0 && b->height > 0;
}

/* Reads the bit fields. They are in the header, or after the oldest headers that may have them. */
static bool read_masks(struct bmp *b, size_t header, size_t *behind)
{
    static const uint32_t USUAL[2][3] = { { 0x7c00, 0x3e0, 0x1f }, { 0xff0000, 0xff00, 0xff } };
    size_t n = b->storage == ALPHA_FIELDS || header >= 56 ? 4 : 3;

    if (b->storage != BIT_FIELDS && b->storage != ALPHA_FIELDS) {
        if (b->bits == 16 || b->bits == 32)
            memcpy(b->mask, USUAL[b->bits == 32], sizeof USUAL[0]);
        return true;
    }
    if (!has_bytes(b, FILE_HEADER + INFO, 4 * n))
        return false;
    for (size_t i = 0; i < n; i++)
        b->mask[i] = get(b, FILE_HEADER + INFO + 4 * i, 4);
    if (header == INFO)
        *behind += 4 * n;
    return b->mask[0] && b->mask[1] && b->mask[2];
}

static bool read_palette(struct bmp *b, size_t header, size_t at)
{
    size_t entry = header == CORE ? 3 : 4, used = header >= INFO ? get(b, FILE_HEADER + 32, 4) : 0;

    b->indexed = b->bits <= 8;
    if (!b->indexed)
        return true;
    b->n_colours = used && used < (size_t)1 << b->bits ? used : (size_t)1 << b->bits;
    if (!has_bytes(b, at, entry * b->n_colours))
        return false;
    b->gray = true;
    for (size_t i = 0; i < b->n_colours; i++) {
        for (size_t c = 0; c < 3; c++)
            b->colours[i][c] = (uint8_t)b->file.at[at + entry * i + 2 - c];
        b->gray &= b->colours[i][0] == b->colours[i][1] && b->colours[i][1] == b->colours[i][2];
    }
    return true;
}

static bool is_stored_so(const struct bmp *b)
{
    switch (b->storage) {
    case RGB:
        return b->bits == 1 || b->bits == 2 || b->bits == 4 || b->bits == 8 || b->bits == 16 ||
               b->bits == 24 || b->bits == 32;
    case RLE8:
        return b->bits == 8 && !b->top_down;
    case RLE4:
        return b->bits == 4 && !b->top_down;
    case BIT_FIELDS:
    case ALPHA_FIELDS:
        return b->bits == 16 || b->bits == 32;
    default:
        return false;
    }
}

static bool begin(struct bmp *b, struct slice file, struct text *why)
{
    size_t header, behind;

    *b = (struct bmp){ .file = file };
    if (!has_bytes(b, 0, FILE_HEADER + CORE))
        return fail(why, "the BMP file ends in its header");
    header = get(b, FILE_HEADER, 4);
    behind = FILE_HEADER + header;
    if ((header != CORE && header < INFO) || !has_bytes(b, FILE_HEADER, header) ||
        !read_sizes(b, header))
        return fail(why, "the BMP file has an unknown kind of header");
    if (!is_stored_so(b)) {
        text_addf(why, "%d bits per pixel with compression method %d are not supported", b->bits,
                  b->storage);
        return false;
    }
    b->pixels = get(b, 10, 4);
    if (!read_masks(b, header, &behind) || !read_palette(b, header, behind))
        return fail(why, "the BMP file ends in its palette");
    return true;
}

static int channels_of(const struct bmp *b)
{
    return b->indexed ? b->gray ? 1 : 3 : b->mask[3] ? 4 : 3;
}

/* True if the index of each color is its gray level. */
static bool is_plain_gray(const struct bmp *b)
{
    bool plain = b->gray && b->bits == 8;

    for (size_t i = 0; plain && i < b->n_colours; i++)
        plain = b->colours[i][0] == i;
    return plain || (b->gray && b->bits == 1);
}

bool codec_bmp_probe(struct slice bytes, struct picture_header *header, struct text *why)
{
    struct bmp b;

    if (!begin(&b, bytes, why))
        return false;
    header->frame = (struct frame){ b.width, b.height };
    header->channels = channels_of(&b);
    header->type = PIXEL_U8;
    header->palette = b.indexed && !is_plain_gray(&b);
    return true;
}

/* --- pixels --- */

static uint8_t *row_of(const struct plane *p, int y)
{
    return (uint8_t *)p->px + (size_t)y * p->stride;
}

/* Returns a field of a pixel, scaled to 8 bits. */
static uint8_t field(uint32_t pixel, uint32_t mask)
{
    uint32_t max = mask / (mask & -mask), value = (pixel & mask) / (mask & -mask);

    return (uint8_t)(((uint64_t)value * 255 + max / 2) / max);
}

static void take_index(const struct bmp *b, uint8_t *to, unsigned index)
{
    const uint8_t *colour = b->colours[index < b->n_colours ? index : 0];

    memcpy(to, colour, b->gray ? 1 : 3);
}

static void read_row(const struct bmp *b, const uint8_t *from, uint8_t *to, int channels)
{
    int bytes = b->bits / 8;

    for (int x = 0; x < b->width; x++, to += channels) {
        if (b->indexed) {
            size_t bit = (size_t)x * (size_t)b->bits;
            int shift = 8 - b->bits - (int)(bit % 8);

            take_index(b, to, (unsigned)from[bit / 8] >> shift & ((1u << b->bits) - 1));
        } else if (b->bits == 24) {
            for (int c = 0; c < 3; c++)
                to[c] = from[3 * x + 2 - c];
        } else {
            uint32_t pixel = bytes_little((const char *)from + (size_t)x * (size_t)bytes, bytes);

            for (int c = 0; c < channels; c++)
                to[c] = field(pixel, b->mask[c]);
        }
    }
}

/* Reads uncompressed rows, which are padded to multiples of four bytes and stored bottom up. */
static bool read_rows(const struct bmp *b, struct plane *p, struct text *why)
{
    size_t stride = ((size_t)b->width * (size_t)b->bits + 31) / 32 * 4;

    if (!has_bytes(b, b->pixels, stride * (size_t)b->height))
        return fail(why, "the BMP file ends before its pixels");
    for (int y = 0; y < b->height; y++) {
        const char *from = b->file.at + b->pixels + stride * (size_t)y;

        read_row(b, (const uint8_t *)from, row_of(p, b->top_down ? y : b->height - 1 - y),
                 p->channels);
    }
    return true;
}

/* The position of the next pixel, counted from the bottom. */
struct pen {
    const struct bmp *b;
    const struct plane *plane;
    int x, y;
};

static void put(struct pen *pen, unsigned index)
{
    if (pen->x < pen->b->width && pen->y < pen->b->height)
        take_index(pen->b,
                   row_of(pen->plane, pen->b->height - 1 - pen->y) + pen->x * pen->plane->channels,
                   index);
    pen->x++;
}

/* Returns the i-th index of bytes that hold one or two indices each. */
static unsigned index_at(const struct bmp *b, size_t at, int i)
{
    unsigned byte;

    if (b->bits == 8)
        return (uint8_t)b->file.at[at + (size_t)i];
    byte = (uint8_t)b->file.at[at + (size_t)i / 2];
    return i % 2 ? byte & 15 : byte >> 4;
}

/* Reads run-length encoded pixels. A run is a count and a value to repeat. After a count of 0, 0
 * ends the row, 1 ends the image, 2 moves the position, and larger numbers are a count of literal
 * pixels. Pixels in no run have index 0. */
static bool read_runs(const struct bmp *b, struct plane *p, struct text *why)
{
    struct pen pen = { b, p, 0, 0 };
    size_t at = b->pixels;

    for (int y = 0; y < b->height; y++)
        for (int x = 0; x < b->width; x++)
            take_index(b, row_of(p, y) + x * p->channels, 0);
    while (has_bytes(b, at, 2) && pen.y < b->height) {
        int count = (uint8_t)b->file.at[at], what = (uint8_t)b->file.at[at + 1];
        size_t bytes = b->bits == 8 ? (size_t)what : ((size_t)what + 1) / 2;

        at += 2;
        if (!count && what == 1)
            return true;
        if (!count && what == 0) {
            pen.x = 0;
            pen.y++;
        } else if (!count && what == 2) {
            if (!has_bytes(b, at, 2))
                break;
            pen.x += (uint8_t)b->file.at[at];
            pen.y += (uint8_t)b->file.at[at + 1];
            at += 2;
        } else if (!count) {
            if (!has_bytes(b, at, bytes))
                break;
            for (int i = 0; i < what; i++)
                put(&pen, index_at(b, at, i));
            at += bytes + bytes % 2;
        } else {
            for (int i = 0; i < count; i++)
                put(&pen, b->bits == 8 ? (unsigned)what
                          : i % 2      ? (unsigned)what & 15
                                       : (unsigned)what >> 4);
        }
    }
    return pen.y >= b->height || fail(why, "the BMP file ends before its pixels");
}

bool codec_bmp_read(struct slice bytes, struct pool *pool, size_t max_pixels,
                    struct picture *picture, struct text *why)
{
    struct bmp b;
    bool good;

    if (!begin(&b, bytes, why) || !codec_check_size(b.width, b.height, max_pixels, why))
        return false;
    picture->plane =
        pool_plane(pool, (struct frame){ b.width, b.height }, channels_of(&b), PIXEL_U8);
    good = b.storage == RLE8 || b.storage == RLE4 ? read_runs(&b, &picture->plane, why)
                                                  : read_rows(&b, &picture->plane, why);
    if (!good)
        pool_return(pool, &picture->plane);
    return good;
}
