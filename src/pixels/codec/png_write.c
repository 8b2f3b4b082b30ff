/* png_write: writes PNG with its own filters and libdeflate. */
#include "pixels/codec/codec.h"
#include "pixels/codec/png_filters.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

/* --- filters --- */

/* Filters a row of pixels of `step` bytes; pixels left of the row count as 0. */
ALWAYS_INLINE void filter_as(enum filter filter, const uint8_t *row, const uint8_t *above,
                             uint8_t *restrict to, size_t length, size_t step)
{
    for (size_t i = 0; i < step; i++)
        to[i] = (uint8_t)(row[i] - predicted(filter, 0, above[i], 0));
    for (size_t i = step; i < length; i++)
        to[i] = (uint8_t)(row[i] - predicted(filter, row[i - step], above[i], above[i - step]));
}

VARIANTS static void filter_row(enum filter filter, const uint8_t *row, const uint8_t *above,
                                uint8_t *to, size_t length, size_t step)
{
    switch (filter) {
    case FILTER_SUB:
        filter_as(FILTER_SUB, row, above, to, length, step);
        break;
    case FILTER_UP:
        filter_as(FILTER_UP, row, above, to, length, step);
        break;
    case FILTER_AVERAGE:
        filter_as(FILTER_AVERAGE, row, above, to, length, step);
        break;
    case FILTER_PAETH:
        filter_as(FILTER_PAETH, row, above, to, length, step);
        break;
    default:
        memcpy(to, row, length);
    }
}

/* Returns the sum of the absolute filtered values. Differences are modulo 256, so values are
 * distances from 0 in either direction. */
VARIANTS static uint64_t cost(const uint8_t *filtered, size_t length)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < length; i++)
        sum += filtered[i] < 128 ? filtered[i] : 256u - filtered[i];
    return sum;
}

/* Produces the rows of a plane, each after the number of its filter. */
struct rows {
    const struct plane *plane;
    int y;
    size_t length, step; /* bytes of a row and of a pixel */
    bool choose;         /* use the filter of the least cost for each row; otherwise Paeth */
    uint8_t *zeros;      /* the row above the first one */
    uint8_t *swapped[2]; /* for 16 bits: this row and the one above, high byte first */
    uint8_t *tried;
};

static void rows_begin(struct rows *r, const struct plane *plane, bool choose)
{
    *r = (struct rows){ .plane = plane, .choose = choose };
    r->step = (size_t)plane->channels * pixel_type_size(plane->type);
    r->length = (size_t)plane->width * r->step;
    r->zeros = memory_take(4 * r->length);
    r->swapped[0] = r->zeros + r->length;
    r->swapped[1] = r->swapped[0] + r->length;
    r->tried = r->swapped[1] + r->length;
    memset(r->zeros, 0, r->length);
}

static const uint8_t *next_row(struct rows *r)
{
    const uint8_t *row = plane_row(r->plane, r->y);
    uint8_t *swapped = r->swapped[r->y % 2];

    if (r->plane->type == PIXEL_U8)
        return row;
    for (size_t i = 0; i < r->length / 2; i++) {
        uint16_t v = ((const uint16_t *)(const void *)row)[i];

        swapped[2 * i] = (uint8_t)(v >> 8);
        swapped[2 * i + 1] = (uint8_t)v;
    }
    return swapped;
}

/* Filters `n` more rows. */
static void rows_filter(struct rows *r, int n, uint8_t *to)
{
    for (; n; n--, r->y++, to += r->length + 1) {
        const uint8_t *above = r->zeros, *row = next_row(r);
        uint64_t min_cost = UINT64_MAX;

        if (r->y)
            above = r->plane->type == PIXEL_U8 ? plane_row(r->plane, r->y - 1)
                                               : r->swapped[(r->y - 1) % 2];
        to[0] = FILTER_PAETH;
        if (!r->choose)
            filter_row(FILTER_PAETH, row, above, to + 1, r->length, r->step);
        for (int f = 0; r->choose && f < FILTERS; f++) {
            uint64_t costs;

            filter_row((enum filter)f, row, above, r->tried, r->length, r->step);
            costs = cost(r->tried, r->length);
            if (costs >= min_cost)
                continue;
            min_cost = costs;
            to[0] = (uint8_t)f;
            memcpy(to + 1, r->tried, r->length);
        }
    }
}

static void rows_end(struct rows *r)
{
    free(r->zeros);
}

/* --- chunks --- */

static void put32(char *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (char)(v >> (24 - 8 * i));
}

/* Starts a chunk. Its data is appended next; chunk_end sets its length and checksum. */
static size_t chunk_begin(struct text *out, const char *type)
{
    size_t start = out->length;

    text_add(out, "\0\0\0", 4);
    text_add(out, type, 4);
    return start;
}

void codec_png_seal(char *chunk)
{
    const unsigned char *at = (const unsigned char *)chunk;
    size_t length = (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];

    put32(chunk + 8 + length, libdeflate_crc32(0, chunk + 4, length + 4));
}

static void chunk_end(struct text *out, size_t start)
{
    put32(out->at + start, (uint32_t)(out->length - start - 8));
    text_add(out, "\0\0\0", 4);
    codec_png_seal(out->at + start);
}

/* --- the file --- */

static void add_header(struct text *out, const struct plane *p, bool indexed)
{
    static const char COLOUR_TYPES[] = { 0, 0, 4, 2, 6 }; /* by channels */
    size_t chunk;
    char size[8];

    text_add(out, "\x89PNG\r\n\x1a\n", 8);
    chunk = chunk_begin(out, "IHDR");
    put32(size, (uint32_t)p->width);
    put32(size + 4, (uint32_t)p->height);
    text_add(out, size, 8);
    text_addc(out, p->type == PIXEL_U8 ? 8 : 16);
    text_addc(out, indexed ? 3 : COLOUR_TYPES[p->channels]);
    text_add(out, "\0\0\0", 3);
    chunk_end(out, chunk);
}

/* Pixels must not have an index without a color; the fill of a mask may be such an index. */
static void add_palette(struct text *out, const struct palette *p, const struct plane *plane)
{
    int n = p->n;
    size_t chunk;

    for (int y = 0; y < plane->height; y++) {
        const uint8_t *row = plane_row(plane, y);

        for (int x = 0; x < plane->width; x++)
            n = row[x] < n ? n : row[x] + 1;
    }
    chunk = chunk_begin(out, "PLTE");
    text_add(out, p->rgb, 3 * (size_t)n);
    chunk_end(out, chunk);
    if (!p->n_alpha)
        return;
    chunk = chunk_begin(out, "tRNS");
    text_add(out, p->alpha, (size_t)p->n_alpha);
    chunk_end(out, chunk);
}

/* A chunk may have 2^31 bytes, but readers prefer smaller ones. */
enum { DATA_CHUNK = 1 << 20 };

/* Compresses `length` bytes to IDAT chunks, or, with bytes to precede the data, to one iCCP
 * chunk. */
static void add_stream(struct text *out, const char *before, size_t n_before, const void *bytes,
                       size_t length, int level)
{
    struct libdeflate_compressor *compressor;
    size_t room = libdeflate_zlib_compress_bound(NULL, length), chunk;
    char *stream = memory_take(room);

    libdeflate_set_memory_allocator(memory_take, free);
    compressor = libdeflate_alloc_compressor(level);
    length = libdeflate_zlib_compress(compressor, bytes, length, stream, room);
    libdeflate_free_compressor(compressor);
    for (size_t at = 0, part; at < length; at += part) {
        part = n_before || length - at < DATA_CHUNK ? length - at : DATA_CHUNK;
        chunk = chunk_begin(out, n_before ? "iCCP" : "IDAT");
        text_add(out, before, n_before);
        text_add(out, stream + at, part);
        chunk_end(out, chunk);
    }
    free(stream);
}

/* Writes pixels per meter; the last byte is the unit. */
static void add_density(struct text *out, uint32_t density)
{
    char bytes[9] = { 0, 0, 0, 0, 0, 0, 0, 0, 1 };
    size_t chunk = chunk_begin(out, "pHYs");

    put32(bytes, density);
    put32(bytes + 4, density);
    text_add(out, bytes, sizeof bytes);
    chunk_end(out, chunk);
}

bool codec_png_write(const struct picture *picture, const struct picture_options *options,
                     struct text *out, struct text *why)
{
    static const char PROFILE[] =
        "ICC profile\0"; /* the profile's name, then the compression method */
    int level = options->compression ? options->compression : 1;
    bool indexed =
        picture->palette && picture->plane.channels == 1 && picture->plane.type == PIXEL_U8;
    struct rows rows;
    uint8_t *filtered;
    size_t length;

    (void)why; /* cannot fail */
    add_header(out, &picture->plane, indexed);
    if (indexed)
        add_palette(out, picture->palette, &picture->plane);
    if (codec_has_matching_profile(picture))
        add_stream(out, PROFILE, sizeof PROFILE, picture->icc, picture->icc_length, level);
    if (picture->density)
        add_density(out, picture->density);
    rows_begin(&rows, &picture->plane, level > 1);
    length = (size_t)picture->plane.height * (rows.length + 1);
    filtered = memory_take(length);
    rows_filter(&rows, picture->plane.height, filtered);
    rows_end(&rows);
    add_stream(out, NULL, 0, filtered, length, level);
    free(filtered);
    chunk_end(out, chunk_begin(out, "IEND"));
    return true;
}

void codec_png_version(struct text *out)
{
    text_addf(out, "libdeflate %s\n", LIBDEFLATE_VERSION_STRING);
}
