/* ids: which element has which id. Sorted, not hashed: a hostile file cannot make it slow. */
#include "ids.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS };

/* The bits of a digit, the lowest first, of a number that orders as the id does. */
static unsigned digit_of(int64_t id, int digit)
{
    return ((uint64_t)id ^ 1ull << 63) >> digit * DIGIT_BITS & (DIGIT_VALUES - 1);
}

static bool is_sorted(const struct id *ids, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (ids[i - 1].id > ids[i].id)
            return false;
    return true;
}

/* By one digit, those that are equal in it as they were. */
static void sort_by(int digit, size_t counts[DIGIT_VALUES], const struct id *from, struct id *to,
                    size_t n)
{
    size_t sum = 0;

    for (int v = 0; v < DIGIT_VALUES; v++) {
        size_t count = counts[v];

        counts[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[counts[digit_of(from[i].id, digit)]++] = from[i];
}

/* Digit by digit from the lowest: a time that no file can make longer. */
void ids_sort(struct id *ids, size_t n)
{
    size_t counts[DIGITS][DIGIT_VALUES] = { 0 };
    struct id *from = ids, *to;

    if (is_sorted(ids, n))
        return;
    for (size_t i = 0; i < n; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            counts[digit][digit_of(ids[i].id, digit)]++;
    to = memory_take(n * sizeof *ids);
    for (int digit = 0; digit < DIGITS; digit++) {
        struct id *sorted = to;

        if (counts[digit][digit_of(from->id, digit)] == n)
            continue; /* all have the same */
        sort_by(digit, counts[digit], from, to, n);
        to = from;
        from = sorted;
    }
    if (from != ids) {
        memcpy(ids, from, n * sizeof *ids);
        to = from;
    }
    free(to);
}

/* Without branches that depend on what is found: they could not be foretold. */
const struct id *ids_find(const struct id *ids, size_t n, int64_t id)
{
    if (!n)
        return NULL;
    while (n > 1) {
        size_t half = n / 2;

        ids += half * (ids[half - 1].id < id);
        n -= half;
    }
    return ids->id == id ? ids : NULL;
}
