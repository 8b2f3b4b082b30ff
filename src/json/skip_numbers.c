/* skip_numbers: skips lists of plain numbers many bytes at a time. Anything doubtful is left to the
 * scanner, which reports errors. */
#include "json/skip_numbers.h"

#include "base/number_bits.h"

/* State of a list that is checked block by block: `comma` is the last one with only valid bytes
 * before it. Each block has a comma, so that no number is longer than two blocks: all are finite.
 */
struct list {
    struct number_before before;
    const char *comma;
};

/* Checks one more block. Returns true if it is the last: then `comma` is the closing bracket, or
 * the last comma before other text. */
static inline __attribute__((always_inline)) bool look_at(struct list *l, const char *at,
                                                          const struct number_bits *k)
{
    uint64_t ends = ~number_bits_known(k), follows = k->digit << 1 | l->before.digit;
    uint64_t wrong = number_bits_wrong(k, &l->before);

    if (ends) { /* is the first end after a number, and everything valid up to there? */
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

    if (cpu_has_feature(CPU_AVX512_VBMI2))
        skip_vectors(&list, at, end);
    else
        skip_blocks(&list, at, end);
    return list.comma;
}
