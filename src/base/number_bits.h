/* number_bits: checks lists of plain numbers, 64 bytes at a time. Plain numbers are JSON's without
 * exponents, separated by a comma and at most one space. */
#pragma once

#include "base/block.h"
#include "base/cpu.h"

/* A bit for each byte of a block. */
struct number_bits {
    uint64_t digit, zero, point, comma, minus, space;
};

/* The state of the bytes before a block, which its first byte depends on: bit 0 of each. */
struct number_before {
    uint64_t digit, point, comma, minus, space;
    uint64_t lone_zero; /* a zero that begins a number */
    uint64_t fraction;  /* a digit after a point */
};

static inline struct number_bits number_bits_of(const char *at)
{
    return (struct number_bits){ .digit = block_within(at, '0', '9'),
                                 .zero = block_find(at, '0', 0),
                                 .point = block_find(at, '.', 0),
                                 .comma = block_find(at, ',', 0),
                                 .minus = block_find(at, '-', 0),
                                 .space = block_find(at, ' ', 0) };
}

static inline uint64_t number_bits_known(const struct number_bits *k)
{
    return k->digit | k->point | k->comma | k->minus | k->space;
}

/* Returns the bytes that may not follow the bytes before them. */
static inline uint64_t number_bits_wrong(const struct number_bits *k, struct number_before *b)
{
    uint64_t digit = k->digit << 1 | b->digit, point = k->point << 1 | b->point;
    uint64_t comma = k->comma << 1 | b->comma, minus = k->minus << 1 | b->minus;
    uint64_t space = k->space << 1 | b->space;
    uint64_t lone_zero = k->zero & ~digit & ~point, past, wrong;
    bool carry;

    /* The addition carries from a fraction's first digit to a bit after its last digit. */
    carry = __builtin_add_overflow(k->digit, point | b->fraction, &past);
    wrong = (past & ~k->digit & k->point) | (k->point & ~digit) | ((point | minus) & ~k->digit) |
            (k->minus & ~(comma | space)) | (k->space & ~comma) | (k->comma & ~digit) |
            (comma & ~(k->digit | k->minus | k->space)) |
            ((lone_zero << 1 | b->lone_zero) & k->digit);
    *b = (struct number_before){ .digit = k->digit >> 63,
                                 .point = k->point >> 63,
                                 .comma = k->comma >> 63,
                                 .minus = k->minus >> 63,
                                 .space = k->space >> 63,
                                 .lone_zero = lone_zero >> 63,
                                 .fraction = carry };
    return wrong;
}

/* If the compiler supports newer processors, functions for them are chosen at run time. They give
 * the same results as the plain ones. */
#ifdef CPU_HAS_INTRINSICS

/* Returns a block of text, with NULs from the end on. */
FOR_AVX512_VBMI2 static inline __m512i number_block(const char *at, const char *end)
{
    if (__builtin_expect(end - at >= BLOCK, 1))
        return _mm512_loadu_si512(at);
    return _mm512_maskz_loadu_epi8(_bzhi_u64(~0ull, (unsigned)(end - at)), at);
}

FOR_AVX512_VBMI2 static inline uint64_t number_block_equal(__m512i text, char c)
{
    return _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8(c));
}

FOR_AVX512_VBMI2 static inline struct number_bits number_block_bits(__m512i text)
{
    __m512i value = _mm512_sub_epi8(text, _mm512_set1_epi8('0'));

    return (struct number_bits){ .digit = _mm512_cmple_epu8_mask(value, _mm512_set1_epi8(9)),
                                 .zero = number_block_equal(text, '0'),
                                 .point = number_block_equal(text, '.'),
                                 .comma = number_block_equal(text, ','),
                                 .minus = number_block_equal(text, '-'),
                                 .space = number_block_equal(text, ' ') };
}

#endif
