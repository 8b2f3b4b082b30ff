/* number_tiny: short numbers, read eight bytes at once. */
#pragma once

#include "base/base.h"

#include <string.h>

/* Powers of ten that are exact in doubles. */
extern const double number_tens[19];

/* Eight digits 0. */
#define NUMBER_ZEROS 0x3030303030303030u

/* Returns the value of eight digits, the first in the lowest byte. */
static inline uint64_t number_of_eight(uint64_t w)
{
    const uint64_t every_fourth = 0x000000ff000000ff;

    w = w * 10 + (w >> 8); /* pairs, in every second byte */
    return ((w & every_fourth) * (100 + (1000000ull << 32)) +
            (w >> 16 & every_fourth) * (1 + (10000ull << 32))) >>
           32;
}

/* Returns eight bytes, the first one lowest, with 0 from the end on. For little-endian machines. */
static inline uint64_t number_load(const char *at, const char *end)
{
    size_t n = (size_t)(end - at);
    uint32_t low, high;
    uint64_t w = 0;

    if (__builtin_expect(n >= 8, 1)) {
        memcpy(&w, at, 8);
    } else if (n >= 4) {
        memcpy(&low, at, 4);
        memcpy(&high, at + n - 4, 4);
        w = low | (uint64_t)high << 8 * (n - 4);
    } else {
        for (size_t i = 0; i < n; i++)
            w |= (uint64_t)(uint8_t)at[i] << 8 * i;
    }
    return w;
}

/* Returns the top bit of each of eight bytes, from which '0' was subtracted, that is not a digit.
 * Correct up to the first byte that is not a point. On little-endian machines the lowest byte is
 * the first. */
static inline uint64_t number_others(uint64_t w)
{
    const uint64_t ones = 0x0101010101010101;

    return (w | (w + ones * (0x80 - 10))) & ones << 7;
}

/* Reads at once a JSON number that ends, together with the byte that ends it, within eight bytes
 * after its sign. Returns the length, or 0 if another function must read it. */
static inline size_t number_scan_tiny(const char *at, const char *end, double *value)
{
    uint64_t text, w, others, fraction;
    size_t whole, length;
    bool negative;

    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || at >= end)
        return 0;
    negative = *at == '-';
    if (__builtin_expect(negative, 0)) /* predicted, the next bytes need not wait for it */
        at++;
    text = number_load(at, end);
    w = text ^ NUMBER_ZEROS;
    others = number_others(w);
    whole = length = others ? (size_t)__builtin_ctzll(others) / 8 : 0;
    if (!whole || (whole > 1 && !(w & 0xff)))
        return 0;
    if ((text >> 8 * whole & 0xff) != '.') {
        *value = (double)number_of_eight(w << (64 - 8 * length));
    } else {
        others &= others - 1;
        length = others ? (size_t)__builtin_ctzll(others) / 8 : 0;
        if (length < whole + 2)
            return 0;
        fraction = ~0ull << 8 * whole;
        w = (w & ~fraction) | (w >> 8 & fraction);
        *value = (double)number_of_eight(w << (72 - 8 * length)) / number_tens[length - whole - 1];
    }
    if (negative)
        *value = -*value;
    return (text >> 8 * length & 0xdf) == 'E' ? 0 : length + negative;
}
