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

INLINE VECTOR both(VECTOR a, VECTOR b)
{
    return _mm512_and_si512(a, b);
}

/* Of each word b where `by` is more than `than`, elsewhere a. */
INLINE VECTOR choose(VECTOR a, VECTOR b, VECTOR by, short than)
{
    return _mm512_mask_blend_epi16(_mm512_cmpgt_epi16_mask(by, _mm512_set1_epi16(than)), a, b);
}

/* Coordinates of the pixels of a vector, in 2^-FRACTION pixel. */
enum { FRACTION = 16 };
struct coords {
    VECTOR a, b; /* of even pixels and of odd ones: side by side, their words are in order */
};
static const __mmask32 ODD = 0xaaaaaaaa;

/* Of which pixels they are. */
INLINE struct coords coord_numbers(void)
{
    VECTOR a = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);

    return (struct coords){ a, _mm512_add_epi32(a, _mm512_set1_epi32(1)) };
}

/* In words: the part of a pixel, in 1 / FINE. */
INLINE VECTOR coord_weights(struct coords at)
{
    return _mm512_srli_epi16(_mm512_mask_blend_epi16(ODD, at.a, _mm512_slli_epi32(at.b, 16)), 1);
}

/* Where the least pixel of each group is: the first, or the last where they go back. */
typedef VECTOR least_pixel;

INLINE least_pixel least_of(bool back)
{
    return _mm512_set1_epi16(back ? 15 << 8 | 14 : 1 << 8);
}

/* Whole pixels, counted from the least of each group. */
INLINE VECTOR coord_pixels(struct coords at, least_pixel least)
{
    VECTOR all = _mm512_mask_blend_epi16(ODD, _mm512_srli_epi32(at.a, 16), at.b);

    return _mm512_sub_epi16(all, _mm512_shuffle_epi8(all, least));
}

/* The same sixteen bytes for each group. */
INLINE VECTOR each_group(const uint8_t bytes[16])
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

/* Sixteen bytes for each group. */
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
    _mm_storel_epi64((__m128i *)(void *)(to + step), _mm_unpackhi_epi64(low, low));
    _mm_storel_epi64((__m128i *)(void *)(to + 2 * step), high);
    _mm_storel_epi64((__m128i *)(void *)(to + 3 * step), _mm_unpackhi_epi64(high, high));
}

#else

enum { GROUPS = 2 };
#define V(f) _mm256_##f
#define VECTOR __m256i
#define INLINE INLINE_FOR_AVX2

INLINE VECTOR both(VECTOR a, VECTOR b)
{
    return _mm256_and_si256(a, b);
}

/* Of each word b where `by` is more than `than`, elsewhere a. */
INLINE VECTOR choose(VECTOR a, VECTOR b, VECTOR by, short than)
{
    return _mm256_blendv_epi8(a, b, _mm256_cmpgt_epi16(by, _mm256_set1_epi16(than)));
}

/* Coordinates of the pixels of a vector, in 2^-FRACTION pixel. */
enum { FRACTION = 15 };
struct coords {
    VECTOR a, b; /* of the first four of each group, and of the others: packed, they are in order */
};

/* Of which pixels they are. */
INLINE struct coords coord_numbers(void)
{
    return (struct coords){ _mm256_setr_epi32(0, 1, 2, 3, 8, 9, 10, 11),
                            _mm256_setr_epi32(4, 5, 6, 7, 12, 13, 14, 15) };
}

/* In words: the part of a pixel, in 1 / FINE. */
INLINE VECTOR coord_weights(struct coords at)
{
    VECTOR mask = _mm256_set1_epi32((1 << FRACTION) - 1);

    return _mm256_packus_epi32(_mm256_and_si256(at.a, mask), _mm256_and_si256(at.b, mask));
}

/* Where the least pixel of each group is: the first, or the last where they go back. */
typedef bool least_pixel;

INLINE least_pixel least_of(bool back)
{
    return back;
}

/* Whole pixels, counted from the least of each group. */
INLINE VECTOR coord_pixels(struct coords at, least_pixel last)
{
    VECTOR a = _mm256_srli_epi32(at.a, FRACTION), b = _mm256_srli_epi32(at.b, FRACTION), first;

    first = last ? _mm256_shuffle_epi32(b, 0xff) : _mm256_shuffle_epi32(a, 0x00);
    return _mm256_packus_epi32(_mm256_sub_epi32(a, first), _mm256_sub_epi32(b, first));
}

/* The same sixteen bytes for each group. */
INLINE VECTOR each_group(const uint8_t bytes[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

/* Sixteen bytes for each group. */
INLINE VECTOR load_groups(const uint8_t *const at[GROUPS], size_t offset)
{
    const void *low = at[0] + offset, *high = at[1] + offset;

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
