/* number_print: doubles as the shortest text that reads back. */
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t tens[] = { 1,
                                 10,
                                 100,
                                 1000,
                                 10000,
                                 100000,
                                 1000000,
                                 10000000,
                                 100000000,
                                 1000000000,
                                 10000000000,
                                 100000000000,
                                 1000000000000,
                                 10000000000000,
                                 100000000000000,
                                 1000000000000000,
                                 10000000000000000,
                                 100000000000000000,
                                 1000000000000000000,
                                 10000000000000000000u };

/* The long way, for all numbers. */
static char *put_any(char *to, double value)
{
    int length = 0;

    /* Below the normal range, fewer than 15 digits distinguish a number from its neighbors. */
    for (int precision = fabs(value) < DBL_MIN ? 1 : 15; precision <= 17; precision++) {
        length = snprintf(to, NUMBER_LONGEST + 1, "%.*g", precision, value);
        if (precision == 17 || strtod(to, NULL) == value)
            break;
    }
    return to + length;
}

/* --- digits --- */

/* The eight digits of a number below 10^8, the first in the lowest byte: in halves, quarters and
 * eighths at once. */
static inline uint64_t eight_digits(uint64_t number)
{
    uint64_t w = number / 10000, high;

    w |= (number - 10000 * w) << 32;
    high = (w * 10486 >> 20) & 0x0000007f0000007f; /* a hundredth of what is below 10^4 */
    w = high | (w - 100 * high) << 16;
    high = (w * 103 >> 10) & 0x000f000f000f000f; /* a tenth of what is below 100 */
    return (high | (w - 10 * high) << 8) + '0' * 0x0101010101010101;
}

static inline void put_eight(char *to, uint64_t eight)
{
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        eight = __builtin_bswap64(eight);
    memcpy(to, &eight, sizeof eight);
}

static inline int length_of(uint64_t number)
{
    int min = (64 - __builtin_clzll(number | 1)) * 1233 >> 12; /* bits times lg 2 */

    return min + (number >= tens[min]);
}

/* Writes the digits one at a time. */
static char *put_digits(char *to, uint64_t digits, int decimals)
{
    int length = length_of(digits) > decimals ? length_of(digits) : decimals + 1;
    char *end = to + length + (decimals > 0);

    for (char *at = end; at > to; digits /= 10) {
        if (decimals && at == end - decimals)
            *--at = '.';
        *--at = (char)('0' + digits % 10);
    }
    return end;
}

/* Prints the value, which is digits / 10^decimals up to rounding, without redundant zeros. */
static char *put_decimal(char *to, double value, uint64_t digits, int decimals)
{
    uint64_t whole = (uint64_t)fabs(value), fraction;
    int length;

    for (; decimals > 0 && digits % 10 == 0; decimals--)
        digits /= 10;
    *to = '-';
    to += value < 0;
    if (!decimals) /* a number that is rounded up to an integer has no fraction left */
        whole = digits;
    if (whole >= tens[8] || decimals > 16)
        return put_digits(to, digits, decimals);
    /* Writes 8 bytes at a time; the next write overwrites the surplus. */
    length = length_of(whole | 1);
    put_eight(to, eight_digits(whole) >> 8 * (8 - length));
    to += length;
    if (!decimals)
        return to;
    *to++ = '.';
    fraction = (digits - whole * tens[decimals]) * tens[16 - decimals];
    put_eight(to, eight_digits(fraction / tens[8]));
    put_eight(to + 8, eight_digits(fraction % tens[8]));
    return to + decimals;
}

/* --- seventeen of them --- */

#ifdef __SSE2__

#include <emmintrin.h>

/* Sixteen digits, the first in the lowest byte: in halves, quarters, eighths and sixteenths at
 * once. The quotients are those of integers for all that there can be. */
static inline __m128i sixteen_digits(uint64_t number)
{
    uint64_t first = number / 100000000;
    __m128i v = _mm_set_epi64x((long long)(number - first * 100000000), (long long)first), high;

    high = _mm_srli_epi64(_mm_mul_epu32(v, _mm_set1_epi64x(0xd1b71759)), 45);
    v = _mm_sub_epi64(v, _mm_mul_epu32(high, _mm_set1_epi64x(10000)));
    v = _mm_or_si128(high, _mm_slli_epi64(v, 32));
    high = _mm_srli_epi32(_mm_mulhi_epu16(v, _mm_set1_epi32(5243)), 3);
    v = _mm_sub_epi32(v, _mm_mullo_epi16(high, _mm_set1_epi32(100)));
    v = _mm_or_si128(high, _mm_slli_epi32(v, 16));
    high = _mm_mulhi_epu16(v, _mm_set1_epi16(6554));
    v = _mm_sub_epi16(v, _mm_mullo_epi16(high, _mm_set1_epi16(10)));
    return _mm_add_epi8(_mm_or_si128(high, _mm_slli_epi16(v, 8)), _mm_set1_epi8('0'));
}

/* Writes 17 digits at once, with a point after the first `before` (1 to 8). The last digit may be
 * dropped. */
static inline char *put_seventeen(char *to, bool negative, uint64_t digits, int before, int dropped)
{
    uint64_t first = digits / tens[16], near, kept = (1ull << (8 * (before - 1))) - 1;
    __m128i others = sixteen_digits(digits - first * tens[16]);

    *to = '-';
    to += negative;
    *to = (char)('0' + first);
    near = (uint64_t)_mm_cvtsi128_si64(others);
    /* The next eight characters; those after the point move by one. */
    near = (near & kept) | (near & ~kept) << 8 | (uint64_t)'.' << 8 * (before - 1);
    _mm_storeu_si128((__m128i *)(void *)(to + 2), others);
    memcpy(to + 1, &near, sizeof near);
    return to + 18 - dropped;
}

enum { MAX_BEFORE = 8 };

#else

static inline char *put_seventeen(char *to, bool negative, uint64_t digits, int before, int dropped)
{
    (void)negative, (void)digits, (void)before, (void)dropped;
    return to;
}

enum { MAX_BEFORE = 0 };

#endif

/* --- how many of them --- */

__extension__ typedef unsigned __int128 uint128;

static const uint64_t fives[] = {
    1,          5,           25,           125,          625,           3125,          15625,
    78125,      390625,      1953125,      9765625,      48828125,      244140625,     1220703125,
    6103515625, 30517578125, 152587890625, 762939453125, 3814697265625, 19073486328125
};

/* A number's first 17 digits and the 2^-t that follow them; a reader takes for the number what is
 * no farther from it than `reach` half 2^-t, or only what is nearer. */
struct digits {
    uint64_t first, rest, reach;
    int t;
    bool inclusive;
};

/* Rounds to multiples of `unit` of the first digits (1 for all): half to even, as in C. False if a
 * reader would not take the result for the number. Branches on the digits would not be predictable,
 * so it has none. */
static inline bool try_round_digits(const struct digits *d, uint64_t unit, uint64_t *rounded)
{
    uint64_t kept = d->first / unit, below = ((d->first - kept * unit) << d->t) + d->rest;
    uint64_t above = (unit << d->t) - below, up, off;

    up = (uint64_t)(below > above) | ((uint64_t)(below == above) & kept & 1);
    off = 2 * (up ? above : below);
    *rounded = kept + up;
    return (off < d->reach) | ((off == d->reach) & d->inclusive);
}

/* Writes the same as put_any, for fractional numbers that need no exponent. With value = m / 2^s
 * and 10^n = 5^n 2^n, the product m 5^n / 2^(s - n) is exact in 128 bits, and its fraction in 43.
 * NULL if put_any must write it. */
static char *put_common(char *to, double value)
{
    const uint64_t one = 1ull << 52;
    double size = fabs(value);
    int decimals, before, less;
    uint64_t m, first, shorter;
    uint128 scaled;
    struct digits d;

    if (!(size >= 1e-3 && size < 1e15))
        return NULL;
    memcpy(&m, &size, sizeof m);
    /* Digits before the point; for numbers below 1, minus the number of zeros after it. */
    before = length_of((uint64_t)(int64_t)size) - (size < 0.1) - (size < 0.01);
    decimals = 17 - before;
    d.t = 1075 - (int)(m >> 52) - decimals;
    m = (m & (one - 1)) | one;
    if (m == one)
        return NULL;
    scaled = (uint128)m * fives[decimals];
    d.first = (uint64_t)(scaled >> d.t);
    d.rest = (uint64_t)scaled & ((1ull << d.t) - 1);
    d.reach = fives[decimals];
    d.inclusive = m % 2 == 0;
    if (try_round_digits(&d, 100, &shorter))
        return put_decimal(to, value, shorter, decimals - 2);
    try_round_digits(&d, 1, &first);
    less = try_round_digits(&d, 10, &shorter);
    shorter *= 10;
    shorter = less ? shorter : first;
    if (before >= 1 && before <= MAX_BEFORE && shorter < tens[17])
        return put_seventeen(to, value < 0, shorter, before, less);
    return put_decimal(to, value, shorter, decimals);
}

char *number_put(char *to, double value)
{
    double size = fabs(value);
    char *end;

    if (size < 1e13) { /* no more than 15 digits: no two of them are the same double */
        int64_t hundredths =
            (int64_t)(size * 100 +
                      0.5); /* signed: processors have no instruction for unsigned ones */

        /* This covers nearly all numbers in files. */
        if (fabs((double)hundredths - size * 100) <= 1e-15 * (double)hundredths &&
            (double)hundredths / 100 == size)
            return put_decimal(to, value, (uint64_t)hundredths, 2);
    } else if (size < 1e15 && size == nearbyint(size)) {
        return put_decimal(to, value, (uint64_t)size, 0);
    }
    end = put_common(to, value);
    return end ? end : put_any(to, value);
}

void number_print(struct text *t, double value)
{
    text_grown(t, number_put(text_room(t, NUMBER_ROOM), value));
}
