/* plane: pixel types, reused buffers, rows as floats, copies and conversions. */
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Rows begin on cache lines. One more line after the last row lets the vector loops of libraries
 * read past the end. */
enum { LINE = 64 };

double pixel_type_max(enum pixel_type type)
{
    return type == PIXEL_U8 ? 255 : type == PIXEL_U16 ? 65535 : 1;
}

int pixel_type_levels(enum pixel_type type)
{
    return type == PIXEL_U8 ? 256 : 65536;
}

size_t pixel_type_size(enum pixel_type type)
{
    return type == PIXEL_U8 ? 1 : type == PIXEL_U16 ? 2 : 4;
}

double pixel_type_unit(enum pixel_type type)
{
    return pixel_type_max(type) / 255;
}

int plane_colours(const struct plane *p)
{
    return p->channels <= 2 ? 1 : 3;
}

size_t plane_bytes(const struct plane *p)
{
    return (size_t)p->height * p->stride;
}

/* Header of a buffer, in the cache line before its pixels. */
struct pool_buffer {
    struct pool_buffer *next;
    size_t room;
};

static struct pool_buffer *buffer_take(size_t room)
{
    struct pool_buffer *b;

    if (room > SIZE_MAX - 3 * LINE)
        memory_gone(room);
    room = (room + 2 * LINE - 1) / LINE * LINE;
    b = aligned_alloc(LINE, LINE + room);
    if (!b)
        memory_gone(room);
    b->room = room;
    memory_use_large_pages(b, LINE + room);
    return b;
}

/* Returns the smallest idle buffer that is large enough. If there is none, the largest idle one is
 * freed, so that there are never more buffers than planes were in use at one time. */
static struct pool_buffer *buffer_find(struct pool *pool, size_t room)
{
    struct pool_buffer **fit = NULL, **largest = NULL, *b;

    for (struct pool_buffer **at = &pool->idle; *at; at = &(*at)->next) {
        if ((*at)->room >= room && (!fit || (*at)->room < (*fit)->room))
            fit = at;
        if (!largest || (*at)->room > (*largest)->room)
            largest = at;
    }
    if (fit) {
        b = *fit;
        *fit = b->next;
        return b;
    }
    if (largest) {
        b = *largest;
        *largest = b->next;
        free(b);
    }
    return buffer_take(room);
}

struct plane pool_plane(struct pool *pool, struct frame frame, int channels, enum pixel_type type)
{
    struct plane p = {
        .type = type, .width = frame.width, .height = frame.height, .channels = channels
    };
    size_t row = (size_t)frame.width * (size_t)channels * pixel_type_size(type);

    p.stride = (row + LINE - 1) / LINE * LINE;
    if (p.stride && (size_t)frame.height > (SIZE_MAX - 3 * LINE) / p.stride)
        memory_gone(SIZE_MAX);
    p.px = (unsigned char *)buffer_find(pool, plane_bytes(&p)) + LINE;
    return p;
}

void pool_return(struct pool *pool, struct plane *p)
{
    struct pool_buffer *b;

    if (!p->px)
        return;
    b = (struct pool_buffer *)(void *)((unsigned char *)p->px - LINE);
    b->next = pool->idle;
    pool->idle = b;
    *p = (struct plane){ 0 };
}

void pool_drop(struct pool *pool)
{
    while (pool->idle) {
        struct pool_buffer *b = pool->idle;

        pool->idle = b->next;
        free(b);
    }
}

struct plane plane_part(const struct plane *p, int x, int y, int width, int height)
{
    struct plane part = *p;

    part.px = plane_row(p, y) + (size_t)x * (size_t)p->channels * pixel_type_size(p->type);
    part.width = width;
    part.height = height;
    return part;
}

VARIANTS void row_load(const void *row, enum pixel_type type, float *restrict to, size_t n)
{
    switch (type) {
    case PIXEL_U8:
        for (size_t i = 0; i < n; i++)
            to[i] = ((const uint8_t *)row)[i];
        break;
    case PIXEL_U16:
        for (size_t i = 0; i < n; i++)
            to[i] = ((const uint16_t *)row)[i];
        break;
    case PIXEL_F32:
        memcpy(to, row, n * sizeof *to);
    }
}

#ifdef CPU_HAS_INTRINSICS

/* Rounds and clamps eight floats as sample_round does; NaN becomes 0. */
INLINE_FOR_AVX2 __m256i levels_of_eight(const float *from)
{
    __m256 v = _mm256_max_ps(_mm256_loadu_ps(from), _mm256_setzero_ps());

    v = _mm256_min_ps(v, _mm256_set1_ps(255));
    return _mm256_cvttps_epi32(_mm256_add_ps(v, _mm256_set1_ps(0.5f)));
}

/* Stores as many bytes as there are whole groups of 32. Packing works on halves of registers, so
 * groups of four are put back in order at the end. Compilers pack by shuffles, which takes five
 * times as long. */
FOR_AVX2 static size_t store_bytes(const float *from, uint8_t *to, size_t n)
{
    const __m256i in_order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m256i low = _mm256_packs_epi32(levels_of_eight(from + i), levels_of_eight(from + i + 8));
        __m256i high =
            _mm256_packs_epi32(levels_of_eight(from + i + 16), levels_of_eight(from + i + 24));
        __m256i all = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), in_order);

        _mm256_storeu_si256((__m256i *)(void *)(to + i), all);
    }
    return i;
}

#else

static size_t store_bytes(const float *from, uint8_t *to, size_t n)
{
    (void)from, (void)to, (void)n;
    return 0;
}

#endif

VARIANTS static void store_remaining(const float *restrict from, enum pixel_type type, void *row,
                                     size_t n)
{
    switch (type) {
    case PIXEL_U8: {
        uint8_t *restrict to = row;

        for (size_t i = 0; i < n; i++)
            to[i] = (uint8_t)sample_round(from[i], 255);
        break;
    }
    case PIXEL_U16: {
        uint16_t *restrict to = row;

        for (size_t i = 0; i < n; i++)
            to[i] = (uint16_t)sample_round(from[i], 65535);
        break;
    }
    case PIXEL_F32:
        memcpy(row, from, n * sizeof *from);
    }
}

void row_store(const float *restrict from, enum pixel_type type, void *row, size_t n)
{
    size_t done = type == PIXEL_U8 && cpu_has_feature(CPU_AVX2) ? store_bytes(from, row, n) : 0;

    store_remaining(from + done, type, (char *)row + done,
                    n - done); /* only bytes may be done already */
}

void plane_copy(const struct plane *in, struct plane *out)
{
    size_t row = (size_t)in->width * (size_t)in->channels * pixel_type_size(in->type);

    if (in->height > 0 && row == in->stride && row == out->stride) { /* one long copy is faster */
        bytes_copy(plane_row(in, 0), plane_row(out, 0), row * (size_t)in->height);
        return;
    }
    for (int y = 0; y < in->height; y++)
        bytes_copy(plane_row(in, y), plane_row(out, y), row);
}

/* Converts between integers without floats. To and from floats it divides by the full value, so
 * that full range maps exactly. */
ALWAYS_INLINE void convert_row(const void *from, enum pixel_type a, void *to, enum pixel_type b,
                               size_t n)
{
    float in_max = (float)pixel_type_max(a), out_max = (float)pixel_type_max(b);

    for (size_t i = 0; i < n; i++) {
        if (a == PIXEL_U8 && b == PIXEL_U16)
            ((uint16_t *)to)[i] = (uint16_t)(((const uint8_t *)from)[i] * 257);
        else if (a == PIXEL_U16 && b == PIXEL_U8)
            ((uint8_t *)to)[i] = (uint8_t)((((const uint16_t *)from)[i] + 128) / 257);
        else
            sample_store(to, b, i, sample_load(from, a, i) / in_max * out_max);
    }
}

void plane_convert(const struct plane *in, struct plane *out)
{
    size_t n = (size_t)in->width * (size_t)in->channels;

    if (in->type == out->type) {
        plane_copy(in, out);
        return;
    }
    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        void *to = plane_row(out, y);

        if (in->type == PIXEL_F32 && out->type == PIXEL_U8)
            convert_row(from, PIXEL_F32, to, PIXEL_U8, n);
        else if (in->type == PIXEL_F32)
            convert_row(from, PIXEL_F32, to, PIXEL_U16, n);
        else if (in->type == PIXEL_U8 && out->type == PIXEL_U16)
            convert_row(from, PIXEL_U8, to, PIXEL_U16, n);
        else if (in->type == PIXEL_U8)
            convert_row(from, PIXEL_U8, to, PIXEL_F32, n);
        else if (out->type == PIXEL_U8)
            convert_row(from, PIXEL_U16, to, PIXEL_U8, n);
        else
            convert_row(from, PIXEL_U16, to, PIXEL_F32, n);
    }
}

/* Samples in a piece of a row: whole pixels for any number of channels. */
enum { LINES_PIECE = 12 * 32 };

/* `factor` and `offset` have LINES_PIECE entries, one per sample of a row. */
ALWAYS_INLINE void lines_piece(const void *from, enum pixel_type a, void *to, enum pixel_type b,
                               size_t at, size_t n, const float *restrict factor,
                               const float *restrict offset)
{
    const char *in = (const char *)from + at * pixel_type_size(a);
    char *restrict out = (char *)to + at * pixel_type_size(b);

    for (size_t i = 0; i < n; i++)
        sample_store(out, b, i, sample_load(in, a, i) * factor[i] + offset[i]);
}

ALWAYS_INLINE void lines_row(const void *from, enum pixel_type a, void *to, enum pixel_type b,
                             size_t n, const float *factor, const float *offset)
{
    for (size_t at = 0, k; at < n; at += k) {
        k = n - at < LINES_PIECE ? n - at : LINES_PIECE;
        if (b == PIXEL_U8)
            lines_piece(from, a, to, PIXEL_U8, at, k, factor, offset);
        else if (b == PIXEL_U16)
            lines_piece(from, a, to, PIXEL_U16, at, k, factor, offset);
        else
            lines_piece(from, a, to, PIXEL_F32, at, k, factor, offset);
    }
}

VARIANTS static void lines_any(const struct plane *in, struct plane *out, const float *factor,
                               const float *offset)
{
    size_t n = (size_t)in->width * (size_t)in->channels;

    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        void *to = plane_row(out, y);

        if (in->type == PIXEL_U8)
            lines_row(from, PIXEL_U8, to, out->type, n, factor, offset);
        else if (in->type == PIXEL_U16)
            lines_row(from, PIXEL_U16, to, out->type, n, factor, offset);
        else
            lines_row(from, PIXEL_F32, to, out->type, n, factor, offset);
    }
}

void plane_convert_lines(const struct plane *in, struct plane *out, const struct plane_lines *lines)
{
    float factor[LINES_PIECE], offset[LINES_PIECE];

    for (int i = 0; i < LINES_PIECE; i++) {
        factor[i] = lines->factor[i % in->channels];
        offset[i] = lines->offset[i % in->channels];
    }
    lines_any(in, out, factor, offset);
}
