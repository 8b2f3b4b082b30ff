/* vector: operations that blend spans, for vectors of 32 bytes or, if TAPS_64 is defined, of 64;
 * only for warp_shuffle_template.h. */
#pragma once

#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"

#ifdef CPU_HAS_INTRINSICS

/* Pixels are processed in groups of eight, one group in each 16 bytes of a vector. V(f) is the
 * intrinsic f for such vectors. */
#ifdef TAPS_64

enum { GROUPS = 4 };
#define V(f) _mm512_##f
#define VECTOR __m512i
#define INLINE FOR_AVX512_VBMI __attribute__((always_inline)) static inline
#define OUTLINE FOR_AVX512_VBMI __attribute__((noinline)) static

/* Returns for each word b if `by` is greater than `than`, otherwise a. */
INLINE VECTOR choose(VECTOR a, VECTOR b, VECTOR by, short than)
{
    return _mm512_mask_blend_epi16(_mm512_cmpgt_epi16_mask(by, _mm512_set1_epi16(than)), a, b);
}

/* The words whose sum has a carry. */
typedef __mmask32 carry;

INLINE carry carried(VECTOR sum, VECTOR part)
{
    return _mm512_cmplt_epu16_mask(sum, part);
}

INLINE VECTOR add_carried(VECTOR v, carry c, short by)
{
    return _mm512_mask_add_epi16(v, c, v, _mm512_set1_epi16(by));
}

/* Returns for each word b if it has a carry, otherwise a. */
INLINE VECTOR choose_carried(VECTOR a, VECTOR b, carry c)
{
    return _mm512_mask_blend_epi16(c, a, b);
}

INLINE VECTOR load_words(const uint16_t *words)
{
    return _mm512_loadu_si512(words);
}

/* Loads sixteen bytes for each group. */
INLINE VECTOR load_groups(const uint8_t *const at[GROUPS], size_t offset)
{
    const __m128i *from[GROUPS];
    VECTOR v;

    for (int i = 0; i < GROUPS; i++)
        from[i] = (const __m128i *)(const void *)(at[i] + offset);
    v = _mm512_castsi128_si512(_mm_loadu_si128(from[0]));
    v = _mm512_inserti32x4(v, _mm_loadu_si128(from[1]), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128(from[2]), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128(from[3]), 3);
}

/* Stores the sixteen bytes of each group, `step` bytes apart from `to` on. */
INLINE void store_groups(VECTOR v, uint8_t *to, size_t step)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_castsi512_si128(v));
    _mm_storeu_si128((__m128i *)(void *)(to + step), _mm512_extracti32x4_epi32(v, 1));
    _mm_storeu_si128((__m128i *)(void *)(to + 2 * step), _mm512_extracti32x4_epi32(v, 2));
    _mm_storeu_si128((__m128i *)(void *)(to + 3 * step), _mm512_extracti32x4_epi32(v, 3));
}

#define LOW_BYTE(k, unused) 2 * (k)
static const uint8_t LOW_BYTES[64] = SIXTY_FOUR(LOW_BYTE, 0);

/* Stores the eight low bytes of the words of each group in the same way. */
INLINE void store_halves(VECTOR words, uint8_t *to, size_t step)
{
    __m256i v =
        _mm512_castsi512_si256(_mm512_permutexvar_epi8(_mm512_loadu_si512(LOW_BYTES), words));
    __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);

    if (step == 8) {
        _mm256_storeu_si256((__m256i *)(void *)to, v);
        return;
    }
    _mm_storel_epi64((__m128i *)(void *)to, low);
    _mm_storel_epi64((__m128i *)(void *)(to + step), _mm_unpackhi_epi64(low, low));
    _mm_storel_epi64((__m128i *)(void *)(to + 2 * step), high);
    _mm_storel_epi64((__m128i *)(void *)(to + 3 * step), _mm_unpackhi_epi64(high, high));
}

#else

enum { GROUPS = 2 };
#define V(f) _mm256_##f
#define VECTOR __m256i
#define INLINE INLINE_FOR_AVX2
#define OUTLINE FOR_AVX2 __attribute__((noinline)) static

/* Returns for each word b if `by` is greater than `than`, otherwise a. */
INLINE VECTOR choose(VECTOR a, VECTOR b, VECTOR by, short than)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi16(by, _mm256_set1_epi16(than)));
}

/* The words whose sum has a carry: 0 there, elsewhere ones. */
typedef VECTOR carry;

INLINE carry carried(VECTOR sum, VECTOR part)
{
    return _mm256_cmpeq_epi16(_mm256_max_epu16(sum, part), sum);
}

INLINE VECTOR add_carried(VECTOR v, carry c, short by)
{
    return _mm256_add_epi16(v, _mm256_andnot_si256(c, _mm256_set1_epi16(by)));
}

/* Returns for each word b if it has a carry, otherwise a. */
INLINE VECTOR choose_carried(VECTOR a, VECTOR b, carry c)
{
    return _mm256_blendv_epi8(b, a, c);
}

INLINE VECTOR load_words(const uint16_t *words)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

/* Loads sixteen bytes for each group. */
INLINE VECTOR load_groups(const uint8_t *const at[GROUPS], size_t offset)
{
    const void *low = at[0] + offset, *high = at[1] + offset;

    return _mm256_loadu2_m128i(high, low);
}

/* Stores the sixteen bytes of each group, `step` bytes apart from `to` on. */
INLINE void store_groups(VECTOR v, uint8_t *to, size_t step)
{
    _mm256_storeu2_m128i((__m128i *)(void *)(to + step), (__m128i *)(void *)to, v);
}

/* Stores the eight low bytes of the words of each group in the same way. */
INLINE void store_halves(VECTOR words, uint8_t *to, size_t step)
{
    VECTOR v = _mm256_packus_epi16(words, words);

    _mm_storel_epi64((__m128i *)(void *)to, _mm256_castsi256_si128(v));
    _mm_storel_epi64((__m128i *)(void *)(to + step), _mm256_extracti128_si256(v, 1));
}

#endif

#endif
