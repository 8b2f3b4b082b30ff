/* warp_vectors: what spans are blended with, for vectors of 32 bytes or, where TAPS_64 is defined,
 * of 64; only for warp_taps.h. */
#pragma once

#include "samples.h"

#ifdef CPU_HAS_INTRINSICS

/* Pixels are worked on in groups of eight, one in each 16 bytes of a vector. V(f) is the intrinsic
 * f for such vectors. */
#ifdef TAPS_64

enum { GROUPS = 4 };
#define V(f) _mm512_##f
#define VECTOR __m512i
#define INLINE FOR_AVX512_VBMI __attribute__((always_inline)) static inline

/* The numbers of the first four pixels of each group. */
INLINE VECTOR first_fours(void)
{
    return _mm512_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27);
}

INLINE VECTOR both(VECTOR a, VECTOR b)
{
    return _mm512_and_si512(a, b);
}

INLINE VECTOR either(VECTOR a, VECTOR b)
{
    return _mm512_or_si512(a, b);
}

/* Of each word b where `by` is more than `than`, elsewhere a. */
INLINE VECTOR choose(VECTOR a, VECTOR b, VECTOR by, short than)
{
    return _mm512_mask_blend_epi16(_mm512_cmpgt_epi16_mask(by, _mm512_set1_epi16(than)), a, b);
}

/* The first word of four bytes of each group. */
INLINE void group_firsts(VECTOR v, uint32_t first[GROUPS])
{
    first[0] = (uint32_t)_mm_cvtsi128_si32(_mm512_castsi512_si128(v));
    first[1] = (uint32_t)_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(v, 1));
    first[2] = (uint32_t)_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(v, 2));
    first[3] = (uint32_t)_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(v, 3));
}

INLINE VECTOR twice(const uint8_t bytes[16])
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

/* Sixteen bytes for each group. */
INLINE VECTOR load_groups(const uint8_t *const at[GROUPS], const size_t offset[GROUPS])
{
    const __m128i *from[GROUPS];
    VECTOR v;

    for (int i = 0; i < GROUPS; i++)
        from[i] = (const __m128i *)(const void *)(at[i] + offset[i]);
    v = _mm512_castsi128_si512(_mm_loadu_si128(from[0]));
    v = _mm512_inserti32x4(v, _mm_loadu_si128(from[1]), 1);
    v = _mm512_inserti32x4(v, _mm_loadu_si128(from[2]), 2);
    return _mm512_inserti32x4(v, _mm_loadu_si128(from[3]), 3);
}

/* Sixteen bytes of each group to `to` on, in steps. */
INLINE void store_groups(VECTOR v, uint8_t *to, size_t step)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_castsi512_si128(v));
    _mm_storeu_si128((__m128i *)(void *)(to + step), _mm512_extracti32x4_epi32(v, 1));
    _mm_storeu_si128((__m128i *)(void *)(to + 2 * step), _mm512_extracti32x4_epi32(v, 2));
    _mm_storeu_si128((__m128i *)(void *)(to + 3 * step), _mm512_extracti32x4_epi32(v, 3));
}

/* The same of eight bytes, that are the low ones of words. */
INLINE void store_halves(VECTOR words, uint8_t *to, size_t step)
{
    __m256i v = _mm512_cvtepi16_epi8(words);
    __m128i low = _mm256_castsi256_si128(v), high = _mm256_extracti128_si256(v, 1);

    if (step == 8) {
        _mm256_storeu_si256((__m256i *)(void *)to, v);
        return;
    }
    _mm_storel_epi64((__m128i *)(void *)to, low);
    _mm_storeh_pd((double *)(void *)(to + step), _mm_castsi128_pd(low));
    _mm_storel_epi64((__m128i *)(void *)(to + 2 * step), high);
    _mm_storeh_pd((double *)(void *)(to + 3 * step), _mm_castsi128_pd(high));
}

#else

enum { GROUPS = 2 };
#define V(f) _mm256_##f
#define VECTOR __m256i
#define INLINE INLINE_FOR_AVX2

/* The numbers of the first four pixels of each group. */
INLINE VECTOR first_fours(void)
{
    return _mm256_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11);
}

INLINE VECTOR both(VECTOR a, VECTOR b)
{
    return _mm256_and_si256(a, b);
}

INLINE VECTOR either(VECTOR a, VECTOR b)
{
    return _mm256_or_si256(a, b);
}

/* Of each word b where `by` is more than `than`, elsewhere a. */
INLINE VECTOR choose(VECTOR a, VECTOR b, VECTOR by, short than)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi16(by, _mm256_set1_epi16(than)));
}

/* The first word of four bytes of each group. */
INLINE void group_firsts(VECTOR v, uint32_t first[GROUPS])
{
    first[0] = (uint32_t)_mm256_extract_epi32(v, 0);
    first[1] = (uint32_t)_mm256_extract_epi32(v, 4);
}

INLINE VECTOR twice(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

/* Sixteen bytes for each group. */
INLINE VECTOR load_groups(const uint8_t *const at[GROUPS], const size_t offset[GROUPS])
{
    const void *low = at[0] + offset[0], *high = at[1] + offset[1];

    return _mm256_loadu2_m128i(high, low);
}

/* Sixteen bytes of each group to `to` on, in steps. */
INLINE void store_groups(VECTOR v, uint8_t *to, size_t step)
{
    _mm256_storeu2_m128i((__m128i *)(void *)(to + step), (__m128i *)(void *)to, v);
}

/* The same of eight bytes, that are the low ones of words. */
INLINE void store_halves(VECTOR words, uint8_t *to, size_t step)
{
    VECTOR v = _mm256_packus_epi16(words, words);

    _mm_storel_epi64((__m128i *)(void *)to, _mm256_castsi256_si128(v));
    _mm_storel_epi64((__m128i *)(void *)(to + step), _mm256_extracti128_si256(v, 1));
}

#endif

#endif
