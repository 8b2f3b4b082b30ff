/* skip_value: skips values of valid JSON. Lists and objects are skipped by their brackets, 64 bytes
 * at a time where there are no strings. */
#include "json/skip_value.h"

#include "base/number_bits.h"

#include <string.h>

/* At the opening quote. */
static const char *pass_string(const char *at, const char *end)
{
    const char *quote = at;

    for (;;) {
        const char *before;

        quote = memchr(quote + 1, '"', (size_t)(end - quote - 1));
        if (!quote)
            return NULL;
        for (before = quote; before[-1] == '\\';) /* the opening quote does not count */
            before--;
        if ((quote - before) % 2 == 0)
            return quote + 1;
    }
}

/* A bit for each bracket and quote of a block. */
struct marks {
    uint64_t opening, closing, quote;
};

/* The difference between the two kinds of brackets. */
enum { OTHER_KIND = '{' - '[' };

static inline struct marks marks_of(const char *at)
{
    return (struct marks){ .opening = block_find(at, '{', OTHER_KIND),
                           .closing = block_find(at, '}', OTHER_KIND),
                           .quote = block_find(at, '"', 0) };
}

/* Within a block: moves past the bracket that closes the value, past a string that begins there, or
 * past the block. */
static inline __attribute__((always_inline)) const char *
pass_block(const struct marks *m, const char *at, const char *end, size_t *depth)
{
    for (uint64_t any = m->opening | m->closing | m->quote; any; any &= any - 1) {
        uint64_t one = any & -any;
        const char *here = at + __builtin_ctzll(any);

        if (m->quote & one)
            return pass_string(here, end);
        *depth = m->opening & one ? *depth + 1 : *depth - 1;
        if (!*depth)
            return here + 1;
    }
    return at + BLOCK;
}

static const char *pass_byte(const char *at, const char *end, size_t *depth)
{
    if (*at == '"')
        return pass_string(at, end);
    *depth += *at == '[' || *at == '{';
    *depth -= *at == ']' || *at == '}';
    return at + 1;
}

/* Processes whole blocks; `depth` is 0 after the last bracket. */
static const char *pass_blocks(const char *at, const char *end, size_t *depth)
{
    while (at && *depth && end - at >= BLOCK) {
        struct marks m = marks_of(at);

        at = pass_block(&m, at, end, depth);
    }
    return at;
}

#ifdef CPU_HAS_INTRINSICS

FOR_AVX512_VBMI2 static const char *pass_vectors(const char *at, const char *end, size_t *depth)
{
    while (at && *depth && end - at >= BLOCK) {
        __m512i text = _mm512_loadu_si512(at);
        __m512i either = _mm512_or_si512(text, _mm512_set1_epi8(OTHER_KIND));
        struct marks m = { .opening = number_block_equal(either, '{'),
                           .closing = number_block_equal(either, '}'),
                           .quote = number_block_equal(text, '"') };

        at = pass_block(&m, at, end, depth);
    }
    return at;
}

#else

static const char *pass_vectors(const char *at, const char *end, size_t *depth)
{
    return pass_blocks(at, end, depth);
}

#endif

static const char *pass_brackets(const char *at, const char *end)
{
    size_t depth = 1;

    at = cpu_has_feature(CPU_AVX512_VBMI2) ? pass_vectors(at + 1, end, &depth)
                                           : pass_blocks(at + 1, end, &depth);
    while (at && depth)
        at = at < end ? pass_byte(at, end, &depth) : NULL;
    return at;
}

/* Returns the top bit of each of eight bytes that ends a number or a word: space, comma, or a
 * closing bracket. Correct up to the first one. */
static uint64_t find_end(uint64_t w)
{
    const uint64_t ones = 0x0101010101010101, high = ones << 7;
    uint64_t comma = w ^ ones * ',', bracket = (w | ones * OTHER_KIND) ^ ones * '}';

    return (((w - ones * '!') & ~w) | ((comma - ones) & ~comma) | ((bracket - ones) & ~bracket)) &
           high;
}

/* A number or a word. */
static const char *pass_word(const char *at, const char *end)
{
    const char *start = at;

    while (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && end - at >= 8) {
        uint64_t w, ends;

        memcpy(&w, at, 8);
        ends = find_end(w);
        if (ends) {
            at += __builtin_ctzll(ends) / 8;
            return at > start ? at : NULL;
        }
        at += 8;
    }
    while (at < end && (unsigned char)*at > ' ' && *at != ',' && *at != ']' && *at != '}')
        at++;
    return at > start ? at : NULL;
}

const char *pass_value(const char *at, const char *end)
{
    if (*at == '[' || *at == '{')
        return pass_brackets(at, end);
    return *at == '"' ? pass_string(at, end) : pass_word(at, end);
}
