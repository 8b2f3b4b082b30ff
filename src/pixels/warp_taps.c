/* warp_taps: spans of bytes whose taps are picked by shuffles, where processors have them. */
#include "warp_loops.h"

#ifdef CPU_HAS_INTRINSICS

/* From the first to the last of eight pixels, x may move by 14, of several channels forth only, by
 * 8; and y by 2, whole pixels counted. */
bool walk_is_shuffled(const struct mat3 *inverse, int channels)
{
    double along = inverse->m[0];

    return cpu_has(CPU_AVX2) && fabs(inverse->m[3]) < 0.28 &&
           (channels == 1 ? fabs(along) < 1.99 : along >= 0 && along < 1.14);
}

/* One coordinate of sixteen neighbours, in 2^-15 pixel: of a, the low half holds the first four of
 * the first eight, the high half those of the second eight; of b the other fours. Packed, they come
 * to be in order. */
struct sixteen {
    __m256i a, b;
};

/* How a coordinate goes on: whole 2^-15 and, apart from them, what of them is left in 2^-32. */
struct stepper {
    struct sixteen whole, part;
    __m256i step_whole, step_part; /* over sixteen */
};

INLINE_FOR_AVX2 __m256i all(uint32_t v)
{
    return _mm256_set1_epi32((int)v);
}

INLINE_FOR_AVX2 struct sixteen times(struct sixteen n, uint32_t by, uint32_t plus)
{
    return (struct sixteen){ _mm256_add_epi32(_mm256_mullo_epi32(n.a, all(by)), all(plus)),
                             _mm256_add_epi32(_mm256_mullo_epi32(n.b, all(by)), all(plus)) };
}

enum { PART_BITS = 17, PART = (1 << PART_BITS) - 1 };

/* Pixel n of a span no longer than walks are, so that no sum of parts overflows. */
INLINE_FOR_AVX2 struct stepper stepper_at(uint64_t from, uint64_t step, uint32_t n)
{
    struct sixteen at = { _mm256_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11),
                          _mm256_setr_epi32(4, 5, 6, 7, 12, 13, 14, 15) };
    uint32_t whole = (uint32_t)(step >> PART_BITS), part = (uint32_t)step & PART;

    at.a = _mm256_add_epi32(at.a, all(n));
    at.b = _mm256_add_epi32(at.b, all(n));
    return (struct stepper){ times(at, whole, (uint32_t)(from >> PART_BITS)),
                             times(at, part, (uint32_t)from & PART), all(16 * whole),
                             all(16 * part) };
}

INLINE_FOR_AVX2 struct sixteen stepper_next(struct stepper *s)
{
    struct sixteen at = { _mm256_add_epi32(s->whole.a, _mm256_srli_epi32(s->part.a, PART_BITS)),
                          _mm256_add_epi32(s->whole.b, _mm256_srli_epi32(s->part.b, PART_BITS)) };

    s->whole.a = _mm256_add_epi32(s->whole.a, s->step_whole);
    s->whole.b = _mm256_add_epi32(s->whole.b, s->step_whole);
    s->part.a = _mm256_add_epi32(s->part.a, s->step_part);
    s->part.b = _mm256_add_epi32(s->part.b, s->step_part);
    return at;
}

/* The part of a pixel, for each of sixteen. */
INLINE_FOR_AVX2 __m256i weights(struct sixteen at)
{
    __m256i mask = all(FINE - 1);

    return _mm256_packus_epi32(_mm256_and_si256(at.a, mask), _mm256_and_si256(at.b, mask));
}

/* Whole pixels; the smallest of each eight, which are in order, goes to *first. */
INLINE_FOR_AVX2 __m256i pixels(struct sixteen at, __m256i *first)
{
    at.a = _mm256_srli_epi32(at.a, 15);
    at.b = _mm256_srli_epi32(at.b, 15);
    *first = _mm256_min_epu32(_mm256_shuffle_epi32(at.a, 0x00), _mm256_shuffle_epi32(at.b, 0xff));
    return _mm256_packus_epi32(_mm256_sub_epi32(at.a, *first), _mm256_sub_epi32(at.b, *first));
}

/* --- lanes --- */

/* Eight pixels are as many vectors of eight lanes as they have channels: lane k of them all is of
 * pixel k / channels and channel k % channels. The taps of a vector lie in sixteen bytes of a row
 * each, `offset` behind the first pixel. */
struct lanes {
    __m256i pixel;   /* the word of which pixel each lane takes */
    __m256i channel; /* less the offset, in both bytes */
    size_t offset;
};

#define WORD(k, n) 2 * ((k) / (n)), 2 * ((k) / (n)) + 1
#define REST(k, n) (k) % (n), (k) % (n)
#define EIGHT(of, v, n)                                                                            \
    {                                                                                              \
        of(8 * (v), n), of(8 * (v) + 1, n), of(8 * (v) + 2, n), of(8 * (v) + 3, n),                \
            of(8 * (v) + 4, n), of(8 * (v) + 5, n), of(8 * (v) + 6, n), of(8 * (v) + 7, n)         \
    }
#define VECTORS(of, n)                                                                             \
    {                                                                                              \
        EIGHT(of, 0, n), EIGHT(of, 1, n), EIGHT(of, 2, n), EIGHT(of, 3, n)                         \
    }
static const uint8_t PIXELS[4][4][16] = { VECTORS(WORD, 1), VECTORS(WORD, 2), VECTORS(WORD, 3),
                                          VECTORS(WORD, 4) };
static const uint8_t CHANNELS[4][4][16] = { VECTORS(REST, 1), VECTORS(REST, 2), VECTORS(REST, 3),
                                            VECTORS(REST, 4) };

INLINE_FOR_AVX2 __m256i twice(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

/* The offset is the least that any of the lanes can have: the first lane's, or that of the first
 * channel of the next pixel, which may be the same pixel of the source. */
INLINE_FOR_AVX2 size_t offset_of(int v, int channels, uint64_t step)
{
    uint64_t pixel = (uint64_t)(8 * v / channels), n = (uint64_t)channels;
    uint64_t first = (pixel * step >> 32) * n + (uint64_t)(8 * v % channels);
    uint64_t next = ((pixel + 1) * step >> 32) * n;

    return channels == 1 ? 0 : (size_t)(first < next ? first : next);
}

INLINE_FOR_AVX2 struct lanes lanes_of(int v, int channels, uint64_t step)
{
    size_t offset = offset_of(v, channels, step);

    return (struct lanes){
        twice(PIXELS[channels - 1][v]),
        _mm256_sub_epi8(twice(CHANNELS[channels - 1][v]), _mm256_set1_epi8((char)offset)), offset
    };
}

/* One word of each pixel, for the lanes. */
INLINE_FOR_AVX2 __m256i spread(__m256i words, const struct lanes *l, int channels)
{
    return channels == 1 ? words : _mm256_shuffle_epi8(words, l->pixel);
}

/* --- taps --- */

/* Bytes of a row that eight pixels take from, of as many channels as there may be. */
enum { REACH = 40 };
static size_t reach_of(int channels)
{
    return channels == 1 ? 16 : 8 + 8 * (size_t)channels;
}

/* So many bytes of each of four rows from byte `at` on, as far as there are so many. */
static const uint8_t *rows_copied(const struct plane *in, size_t at, uint8_t rows[4][REACH])
{
    size_t end = ((size_t)in->height - 1) * in->stride + (size_t)(in->width * in->channels);
    size_t reach = reach_of(in->channels);

    memset(rows, 0, 4 * REACH);
    for (size_t i = 0; i < 4; i++, at += in->stride)
        if (at < end)
            memcpy(rows[i], (const uint8_t *)in->px + at, end - at < reach ? end - at : reach);
    return rows[0];
}

/* What sixteen pixels take from: of each eight, rows of bytes. */
struct source {
    const uint8_t *at[2];
    size_t step[2];
};

INLINE_FOR_AVX2 __m256i taps(const struct source *s, size_t row, size_t offset, __m256i at)
{
    const void *a = s->at[0] + row * s->step[0] + offset;
    const void *b = s->at[1] + row * s->step[1] + offset;

    return _mm256_shuffle_epi8(_mm256_loadu2_m128i(b, a), at);
}

/* Left taps times LEVEL and right ones less those; see blend_lane. */
INLINE_FOR_AVX2 __m256i blend_pairs(__m256i pairs, __m256i x)
{
    __m256i left = _mm256_slli_epi16(_mm256_and_si256(pairs, _mm256_set1_epi16(255)), 7);
    __m256i by = _mm256_maddubs_epi16(pairs, _mm256_set1_epi16(0x1ff)); /* times -1 and 1 */

    return _mm256_add_epi16(left, _mm256_mulhrs_epi16(_mm256_slli_epi16(by, 7), x));
}

/* Of sixteen pixels, in words: the bytes of their left and right taps, counted from the first pixel
 * of each eight, of their first channel; whether y is farther down by one or more, and by two; and
 * the parts of a pixel. */
struct places {
    __m256i at, by[2], x, y;
};

/* A vector of lanes. */
INLINE_FOR_AVX2 __m256i blend_lanes(const struct source *s, const struct places *p,
                                    const struct lanes *l, int channels, bool gentle)
{
    __m256i at = _mm256_add_epi8(spread(p->at, l, channels), l->channel), sum;
    __m256i by = spread(p->by[0], l, channels), x = spread(p->x, l, channels);
    __m256i row0 = taps(s, 0, l->offset, at), row1 = taps(s, 1, l->offset, at),
            row2 = taps(s, 2, l->offset, at);

    row0 = _mm256_blendv_epi8(row0, row1, by);
    row1 = _mm256_blendv_epi8(row1, row2, by);
    if (!gentle) {
        by = spread(p->by[1], l, channels);
        row0 = _mm256_blendv_epi8(row0, row2, by);
        row1 = _mm256_blendv_epi8(row1, taps(s, 3, l->offset, at), by);
    }
    row0 = blend_pairs(row0, x);
    row1 = blend_pairs(row1, x);
    sum = _mm256_mulhrs_epi16(_mm256_sub_epi16(row1, row0), spread(p->y, l, channels));
    sum = _mm256_add_epi16(_mm256_add_epi16(row0, sum), _mm256_set1_epi16(LEVEL / 2));
    return _mm256_srli_epi16(sum, 7);
}

/* Of the halves of two vectors: those of the first eight pixels to `to`, of the others behind
 * them. The second vector may be none. */
INLINE_FOR_AVX2 void store(__m256i first, __m256i second, uint8_t *to, int channels, bool both)
{
    __m256i bytes = _mm256_packus_epi16(first, second);
    __m128i half[2] = { _mm256_castsi256_si128(bytes), _mm256_extracti128_si256(bytes, 1) };

    for (int i = 0; i < 2; i++) {
        __m128i *at = (__m128i *)(void *)(to + 8 * channels * i);

        if (both)
            _mm_storeu_si128(at, half[i]);
        else
            _mm_storel_epi64(at, half[i]);
    }
}

INLINE_FOR_AVX2 void blend_sixteen(const struct source *s, const struct places *p,
                                   const struct lanes lanes[4], uint8_t *to, int channels,
                                   bool gentle)
{
    for (int v = 0; v < channels; v += 2) {
        bool both = v + 1 < channels;
        __m256i first = blend_lanes(s, p, &lanes[v], channels, gentle);
        __m256i second = both ? blend_lanes(s, p, &lanes[v + 1], channels, gentle) : first;

        store(first, second, to + 8 * v, channels, both);
    }
}

/* Rows of the output are worked on one after another: what a row some way on will read first is
 * asked for now. Along a slope no processor guesses that. */
static ptrdiff_t bytes_ahead(const struct plane *in, const struct mat3 *inverse)
{
    enum { ROWS = 6, TAPS = 3 };
    ptrdiff_t down = (ptrdiff_t)(inverse->m[4] * ROWS) + (inverse->m[4] > 0 ? TAPS : 0);

    return down * (ptrdiff_t)in->stride + (ptrdiff_t)(inverse->m[1] * ROWS) * in->channels;
}

INLINE_FOR_AVX2 void walk(const struct plane *in, const struct mat3 *inverse,
                          const uint64_t from[2], const uint64_t step[2], uint8_t *to, int n,
                          int channels, bool gentle)
{
    struct stepper along = stepper_at(from[0], step[0], 0), down = stepper_at(from[1], step[1], 0);
    const uint8_t *px = in->px;
    size_t safe = ((size_t)in->height - 1) * in->stride + (size_t)(in->width * channels);
    size_t reach = 3 * in->stride + reach_of(channels);
    uintptr_t ahead = (uintptr_t)px + (uintptr_t)bytes_ahead(in, inverse);
    struct lanes lanes[4];
    uint8_t rows[2][4][REACH];

    for (int v = 0; v < channels; v++)
        lanes[v] = lanes_of(v, channels, step[0]);
    for (int i = 0; i < n; i += 16) {
        struct sixteen x, y;
        struct places p;
        __m256i first_x, first_y, lower, first;
        struct source s = { .step = { in->stride, in->stride } };
        size_t byte[2];

        if (i > n - 16) { /* the last may overlap those before */
            i = n - 16;
            along = stepper_at(from[0], step[0], (uint32_t)i);
            down = stepper_at(from[1], step[1], (uint32_t)i);
        }
        x = stepper_next(&along);
        y = stepper_next(&down);
        p.at = _mm256_mullo_epi16(pixels(x, &first_x), _mm256_set1_epi16((short)channels));
        p.at = _mm256_add_epi16(_mm256_or_si256(p.at, _mm256_slli_epi16(p.at, 8)),
                                _mm256_set1_epi16((short)(channels << 8)));
        lower = pixels(y, &first_y);
        p.by[0] = _mm256_cmpgt_epi16(lower, _mm256_setzero_si256());
        p.by[1] = _mm256_cmpgt_epi16(lower, _mm256_set1_epi16(1));
        p.x = weights(x);
        p.y = weights(y);
        first = _mm256_add_epi32(_mm256_mullo_epi32(first_y, all((uint32_t)in->stride)),
                                 _mm256_mullo_epi32(first_x, all((uint32_t)channels)));
        byte[0] = (uint32_t)_mm256_extract_epi32(first, 0);
        byte[1] = (uint32_t)_mm256_extract_epi32(first, 4);
        for (int k = 0; k < 2; k++) {
            s.at[k] = px + byte[k];
            _mm_prefetch((const char *)(ahead + byte[k]), _MM_HINT_T0);
            if (__builtin_expect(byte[k] + reach > safe, 0)) {
                s.at[k] = rows_copied(in, byte[k], rows[k]);
                s.step[k] = REACH;
            }
        }
        blend_sixteen(&s, &p, lanes, to + i * channels, channels, gentle);
    }
}

INLINE_FOR_AVX2 void walk_channels(const struct plane *in, const struct mat3 *inverse,
                                   const uint64_t from[2], const uint64_t step[2], uint8_t *to,
                                   int n, int channels)
{
    if (fabs(inverse->m[3]) < 0.14)
        walk(in, inverse, from, step, to, n, channels, true);
    else
        walk(in, inverse, from, step, to, n, channels, false);
}

FOR_AVX2 void walk_shuffled(const struct plane *in, const struct mat3 *inverse,
                            const uint64_t from[2], const uint64_t step[2], uint8_t *to, int n)
{
    switch (in->channels) {
    case 1:
        walk_channels(in, inverse, from, step, to, n, 1);
        break;
    case 2:
        walk_channels(in, inverse, from, step, to, n, 2);
        break;
    case 3:
        walk_channels(in, inverse, from, step, to, n, 3);
        break;
    case 4:
        walk_channels(in, inverse, from, step, to, n, 4);
    }
}

#else

bool walk_is_shuffled(const struct mat3 *inverse, int channels)
{
    (void)inverse, (void)channels;
    return false;
}

void walk_shuffled(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                   const uint64_t step[2], uint8_t *to, int n)
{
    (void)in, (void)inverse, (void)from, (void)step, (void)to, (void)n;
}

#endif
