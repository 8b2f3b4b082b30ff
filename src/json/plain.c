/* plain: lists of plain numbers, passed over many bytes at a time. What is not surely right is left
 * to the scanner, which says what is wrong. */
#include "plain.h"

#ifdef __SSE2__

#include <emmintrin.h>

enum { BLOCK = 64 };

/* A bit for each byte of a block. */
struct kinds {
    uint64_t digit, zero, point, comma, minus, space;
};

/* What the bytes before a block leave to say of its first: bit 0 of each. */
struct before {
    uint64_t digit, point, comma, minus, space;
    uint64_t lone_zero; /* a zero that begins a number */
    uint64_t fraction;  /* a digit behind a point */
};

static uint64_t equal(__m128i v, char c)
{
    return (uint64_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(c)));
}

static struct kinds find_kinds(const char *at)
{
    struct kinds k = { 0 };

    for (int i = 0; i < BLOCK; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        __m128i value = _mm_sub_epi8(v, _mm_set1_epi8('0'));
        __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(value, _mm_set1_epi8(9)), value);

        k.digit |= (uint64_t)_mm_movemask_epi8(digit) << i;
        k.zero |= equal(v, '0') << i;
        k.point |= equal(v, '.') << i;
        k.comma |= equal(v, ',') << i;
        k.minus |= equal(v, '-') << i;
        k.space |= equal(v, ' ') << i;
    }
    return k;
}

/* Which bytes do not follow from those before them. */
static uint64_t find_wrong(const struct kinds *k, struct before *b)
{
    uint64_t digit = k->digit << 1 | b->digit, point = k->point << 1 | b->point;
    uint64_t comma = k->comma << 1 | b->comma, minus = k->minus << 1 | b->minus;
    uint64_t space = k->space << 1 | b->space;
    uint64_t lone_zero = k->zero & ~digit & ~point, past, wrong;
    bool carry;

    /* Added to the digits, the first of a fraction becomes a bit behind its last. */
    carry = __builtin_add_overflow(k->digit, point | b->fraction, &past);
    wrong = (past & ~k->digit & k->point) | (k->point & ~digit) | ((point | minus) & ~k->digit) |
            (k->minus & ~(comma | space)) | (k->space & ~comma) | (k->comma & ~digit) |
            (comma & ~(k->digit | k->minus | k->space)) |
            ((lone_zero << 1 | b->lone_zero) & k->digit);
    *b = (struct before){ .digit = k->digit >> 63,
                          .point = k->point >> 63,
                          .comma = k->comma >> 63,
                          .minus = k->minus >> 63,
                          .space = k->space >> 63,
                          .lone_zero = lone_zero >> 63,
                          .fraction = carry };
    return wrong;
}

/* Each block has a comma, so that no number is longer than two of them: all are finite. */
const char *plain_skip(const char *at, const char *end)
{
    struct before before = { .digit = 1 };
    const char *comma = at;

    for (; end - at >= BLOCK; at += BLOCK) {
        struct kinds k = find_kinds(at);
        uint64_t ends = ~(k.digit | k.point | k.comma | k.minus | k.space);
        uint64_t follows = k.digit << 1 | before.digit, wrong = find_wrong(&k, &before);

        if (ends) { /* the first of them is behind a number, and all is well up to there? */
            uint64_t first = ends & -ends;

            wrong &= first - 1;
            return !wrong && (first & follows) && at[__builtin_ctzll(first)] == ']'
                       ? at + __builtin_ctzll(first)
                       : comma;
        }
        if (wrong || !k.comma)
            return comma;
        comma = at + (BLOCK - 1 - __builtin_clzll(k.comma));
    }
    return comma;
}

#else

const char *plain_skip(const char *at, const char *end)
{
    (void)end;
    return at;
}

#endif
