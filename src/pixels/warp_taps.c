/* warp_taps: spans of one channel whose taps are picked by shuffles, where processors have them. */
#include "warp_loops.h"

#ifdef CPU_HAS_INTRINSICS

/* From the first to the last of eight, x may move by 14 and y by 2, whole pixels counted. */
bool walk_is_shuffled(const struct mat3 *inverse)
{
    return cpu_has(CPU_AVX2) && fabs(inverse->m[0]) < 1.99 && fabs(inverse->m[3]) < 0.28;
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

/* Sixteen bytes of each of four rows from byte `at` on, as far as there are so many. */
static const uint8_t *rows_copied(const struct plane *in, size_t at, uint8_t rows[4][16])
{
    size_t end = ((size_t)in->height - 1) * in->stride + (size_t)in->width;

    memset(rows, 0, 64);
    for (size_t i = 0; i < 4; i++, at += in->stride)
        if (at < end)
            memcpy(rows[i], (const uint8_t *)in->px + at, end - at < 16 ? end - at : 16);
    return rows[0];
}

/* What sixteen pixels take from: of each eight, rows of sixteen bytes. */
struct source {
    const uint8_t *at[2];
    size_t step[2];
};

INLINE_FOR_AVX2 __m256i taps(const struct source *s, size_t row, __m256i at)
{
    const void *a = s->at[0] + row * s->step[0], *b = s->at[1] + row * s->step[1];

    return _mm256_shuffle_epi8(_mm256_loadu2_m128i(b, a), at);
}

/* Left taps times LEVEL and right ones less those; see blend_lane. */
INLINE_FOR_AVX2 __m256i blend_pairs(__m256i pairs, __m256i x)
{
    __m256i left = _mm256_slli_epi16(_mm256_and_si256(pairs, _mm256_set1_epi16(255)), 7);
    __m256i by = _mm256_maddubs_epi16(pairs, _mm256_set1_epi16(0x1ff)); /* times -1 and 1 */

    return _mm256_add_epi16(left, _mm256_mulhrs_epi16(_mm256_slli_epi16(by, 7), x));
}

/* Sixteen bytes; by[0] and by[1] tell whose y is farther down by one or more, and by two. */
INLINE_FOR_AVX2 __m128i blend_sixteen(const struct source *s, __m256i at, const __m256i by[2],
                                      __m256i x, __m256i y, bool gentle)
{
    __m256i row0 = taps(s, 0, at), row1 = taps(s, 1, at), row2 = taps(s, 2, at), sum;

    row0 = _mm256_blendv_epi8(row0, row1, by[0]);
    row1 = _mm256_blendv_epi8(row1, row2, by[0]);
    if (!gentle) {
        row0 = _mm256_blendv_epi8(row0, row2, by[1]);
        row1 = _mm256_blendv_epi8(row1, taps(s, 3, at), by[1]);
    }
    row0 = blend_pairs(row0, x);
    row1 = blend_pairs(row1, x);
    sum = _mm256_add_epi16(row0, _mm256_mulhrs_epi16(_mm256_sub_epi16(row1, row0), y));
    sum = _mm256_srli_epi16(_mm256_add_epi16(sum, _mm256_set1_epi16(LEVEL / 2)), 7);
    return _mm_packus_epi16(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
}

/* Rows of the output are worked on one after another: what a row some way on will read first is
 * asked for now. Along a slope no processor guesses that. */
static ptrdiff_t bytes_ahead(const struct plane *in, const struct mat3 *inverse)
{
    enum { ROWS = 6, TAPS = 3 };
    ptrdiff_t down = (ptrdiff_t)(inverse->m[4] * ROWS) + (inverse->m[4] > 0 ? TAPS : 0);

    return down * (ptrdiff_t)in->stride + (ptrdiff_t)(inverse->m[1] * ROWS);
}

INLINE_FOR_AVX2 void walk(const struct plane *in, const struct mat3 *inverse,
                          const uint64_t from[2], const uint64_t step[2], uint8_t *to, int n,
                          bool gentle)
{
    struct stepper along = stepper_at(from[0], step[0], 0), down = stepper_at(from[1], step[1], 0);
    const uint8_t *px = in->px;
    size_t safe = ((size_t)in->height - 1) * in->stride + (size_t)in->width;
    size_t reach = 3 * in->stride + 16;
    uintptr_t ahead = (uintptr_t)px + (uintptr_t)bytes_ahead(in, inverse);
    uint8_t rows[2][4][16];

    for (int i = 0; i < n; i += 16) {
        struct sixteen x, y;
        __m256i first_x, first_y, at, lower, first, by[2];
        struct source s = { .step = { in->stride, in->stride } };
        size_t byte[2];

        if (i > n - 16) { /* the last may overlap those before */
            i = n - 16;
            along = stepper_at(from[0], step[0], (uint32_t)i);
            down = stepper_at(from[1], step[1], (uint32_t)i);
        }
        x = stepper_next(&along);
        y = stepper_next(&down);
        at = pixels(x, &first_x);
        at = _mm256_add_epi16(_mm256_or_si256(at, _mm256_slli_epi16(at, 8)),
                              _mm256_set1_epi16(0x100));
        lower = pixels(y, &first_y);
        by[0] = _mm256_cmpgt_epi16(lower, _mm256_setzero_si256());
        by[1] = _mm256_cmpgt_epi16(lower, _mm256_set1_epi16(1));
        first = _mm256_add_epi32(_mm256_mullo_epi32(first_y, all((uint32_t)in->stride)), first_x);
        byte[0] = (uint32_t)_mm256_extract_epi32(first, 0);
        byte[1] = (uint32_t)_mm256_extract_epi32(first, 4);
        for (int k = 0; k < 2; k++) {
            s.at[k] = px + byte[k];
            _mm_prefetch((const char *)(ahead + byte[k]), _MM_HINT_T0);
            if (__builtin_expect(byte[k] + reach > safe, 0)) {
                s.at[k] = rows_copied(in, byte[k], rows[k]);
                s.step[k] = 16;
            }
        }
        _mm_storeu_si128((__m128i *)(void *)(to + i),
                         blend_sixteen(&s, at, by, weights(x), weights(y), gentle));
    }
}

FOR_AVX2 void walk_shuffled(const struct plane *in, const struct mat3 *inverse,
                            const uint64_t from[2], const uint64_t step[2], uint8_t *to, int n)
{
    if (fabs(inverse->m[3]) < 0.14)
        walk(in, inverse, from, step, to, n, true);
    else
        walk(in, inverse, from, step, to, n, false);
}

#else

bool walk_is_shuffled(const struct mat3 *inverse)
{
    (void)inverse;
    return false;
}

void walk_shuffled(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                   const uint64_t step[2], uint8_t *to, int n)
{
    (void)in, (void)inverse, (void)from, (void)step, (void)to, (void)n;
}

#endif
