/* block: looks at 64 bytes of text at once; the results have one bit per byte, the lowest for the
 * first. */
#pragma once

#include "base/base.h"

#include <string.h>

enum { BLOCK = 64 };

/* Returns one bit per byte, set unless the byte's top bit is set. */
static inline uint64_t block_gather(uint64_t w)
{
    w = ~w >> 7 & 0x0101010101010101;
    if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
        w = __builtin_bswap64(w);
    return w * 0x0102040810204080 >> 56;
}

/* block_find: the bytes that equal c after `with` is ORed into them. block_within: the bytes from
 * first to last, both ASCII. */
static inline uint64_t block_find_plain(const char *at, char c, char with)
{
    const uint64_t ones = 0x0101010101010101, low = ones * 0x7f;
    uint64_t bits = 0, w;

    for (int i = 0; i < BLOCK; i += 8) {
        memcpy(&w, at + i, 8);
        w = (w | ones * (uint8_t)with) ^ ones * (uint8_t)c;
        bits |= block_gather(((w & low) + low) | w) << i;
    }
    return bits;
}

static inline uint64_t block_within_plain(const char *at, char first, char last)
{
    const uint64_t ones = 0x0101010101010101, high = ones * 0x80;
    uint64_t bits = 0, w;

    for (int i = 0; i < BLOCK; i += 8) {
        memcpy(&w, at + i, 8);
        /* No difference and no sum of two bytes reaches into the next one. */
        bits |= block_gather(~((w | high) - ones * (uint8_t)first) |
                             ((w & ~high) + ones * (uint8_t)(0x7f - last)) | w)
                << i;
    }
    return bits;
}

#ifdef __SSE2__

#include <emmintrin.h>

static inline uint64_t block_find(const char *at, char c, char with)
{
    uint64_t bits = 0;

    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(at + i));

        v = _mm_cmpeq_epi8(_mm_or_si128(v, _mm_set1_epi8(with)), _mm_set1_epi8(c));
        bits |= (uint64_t)_mm_movemask_epi8(v) << i;
    }
    return bits;
}

static inline uint64_t block_within(const char *at, char first, char last)
{
    uint64_t bits = 0;

    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(at + i));

        v = _mm_sub_epi8(v, _mm_set1_epi8(first));
        v = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8((char)(last - first))), v);
        bits |= (uint64_t)_mm_movemask_epi8(v) << i;
    }
    return bits;
}

#else

static inline uint64_t block_find(const char *at, char c, char with)
{
    return block_find_plain(at, c, with);
}

static inline uint64_t block_within(const char *at, char first, char last)
{
    return block_within_plain(at, first, last);
}

#endif
