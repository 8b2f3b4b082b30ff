/* skip_numbers: lists of plain numbers, passed over many bytes at a time. What is not surely right
 * is left to the scanner, which says what is wrong. */
#include "json/skip_numbers.h"

#include "base/number_bits.h"

/* What a list has been found to be, block by block: `comma` is the last of which all before it is
 * right. Each block has one, so that no number is longer than two of them: all are finite. */
struct list {
    struct number_before before;
    const char *comma;
};

/* One more block; true when it is the last: `comma` is then where the list goes on in another way,
 * or its closing bracket. */
static inline __attribute__((always_inline)) bool look_at(struct list *l, const char *at,
                                                          const struct number_bits *k)
{
    uint64_t ends = ~number_bits_known(k), follows = k->digit << 1 | l->before.digit;
    uint64_t wrong = number_bits_wrong(k, &l->before);

    if (ends) { /* the first of them is behind a number, and all is well up to there? */
        uint64_t first = ends & -ends;

        wrong &= first - 1;
        if (!wrong && (first & follows) && at[__builtin_ctzll(first)] == ']')
            l->comma = at + __builtin_ctzll(first);
        return true;
    }
    if (wrong || !k->comma)
        return true;
    l->comma = at + (BLOCK - 1 - __builtin_clzll(k->comma));
    return false;
}

static void skip_blocks(struct list *l, const char *at, const char *end)
{
    for (; end - at >= BLOCK; at += BLOCK) {
        struct number_bits k = number_bits_of(at);

        if (look_at(l, at, &k))
            return;
    }
}

#ifdef CPU_HAS_INTRINSICS

FOR_AVX512_VBMI2 static void skip_vectors(struct list *l, const char *at, const char *end)
{
    for (; end - at >= BLOCK; at += BLOCK) {
        struct number_bits k = number_block_bits(_mm512_loadu_si512(at));

        if (look_at(l, at, &k))
            return;
    }
}

#else

static void skip_vectors(struct list *l, const char *at, const char *end)
{
    (void)l, (void)at, (void)end;
}

#endif

const char *plain_skip(const char *at, const char *end)
{
    struct list list = { .before = { .digit = 1 }, .comma = at };

    if (cpu_has(CPU_AVX512_VBMI2))
        skip_vectors(&list, at, end);
    else
        skip_blocks(&list, at, end);
    return list.comma;
}
