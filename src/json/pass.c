/* pass: over values of a text that is known to be JSON: lists and objects by their brackets, 64
 * bytes at a time where there are no strings. */
#include "pass.h"

#include "../base/block.h"

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
        for (before = quote; before[-1] == '\\';) /* the opening quote is none */
            before--;
        if ((quote - before) % 2 == 0)
            return quote + 1;
    }
}

/* In a block: past the bracket that closes the last one, past a string that begins there, or past
 * the block. */
static const char *pass_block(const char *at, const char *end, size_t *depth)
{
    const char other = '{' - '['; /* what tells the two kinds of brackets apart */
    uint64_t opening = block_find(at, '{', other), closing = block_find(at, '}', other);
    uint64_t quotes = block_find(at, '"', 0);

    for (uint64_t any = opening | closing | quotes; any; any &= any - 1) {
        uint64_t one = any & -any;
        const char *here = at + __builtin_ctzll(any);

        if (quotes & one)
            return pass_string(here, end);
        *depth = opening & one ? *depth + 1 : *depth - 1;
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

static const char *pass_brackets(const char *at, const char *end)
{
    size_t depth = 1;

    for (at++; at && depth;) {
        if (at == end)
            return NULL;
        at = end - at >= BLOCK ? pass_block(at, end, &depth) : pass_byte(at, end, &depth);
    }
    return at;
}

/* A number or a word. */
static const char *pass_word(const char *at, const char *end)
{
    const char *start = at;

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
