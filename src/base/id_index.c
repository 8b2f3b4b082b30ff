/* id_index: finds elements by id. Sorted, not hashed: a malicious file cannot make it slow. */
#include "base/id_index.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 8, DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS };

int64_t id_of_text(const char *text, size_t length)
{
    struct hash h;

    hash_start(&h);
    hash_part(&h, text, length);
    return (int64_t)(hash_u64(&h) >> 2) | ID_TEXT;
}

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

/* Sorts by one byte: a stable pass of the radix sort. */
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

/* Uses no branches that depend on the data, since they would be mispredicted. */
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

/* A power of two of equal ranges of ids, about as many as there are ids. */
void ids_divide(struct ids_ranges *r, struct arena *arena, const struct id *ids, size_t n)
{
    size_t ranges = 1, at = 0;
    uint64_t width;

    *r = (struct ids_ranges){ .ids = ids, .n = n };
    if (!n)
        return;
    width = (uint64_t)ids[n - 1].id - (uint64_t)ids[0].id;
    while (ranges < n)
        ranges *= 2;
    while (width >> r->shift >= ranges)
        r->shift++;
    r->first = ARENA_ARRAY(arena, uint32_t, ranges + 1);
    for (size_t i = 0; i <= ranges; i++) {
        while (at < n && ((uint64_t)ids[at].id - (uint64_t)ids[0].id) >> r->shift < i)
            at++;
        r->first[i] = (uint32_t)at;
    }
}

const struct id *ids_find_near(const struct ids_ranges *r, int64_t id)
{
    const uint32_t *first;

    if (!r->n || id < r->ids[0].id || id > r->ids[r->n - 1].id)
        return NULL;
    first = &r->first[((uint64_t)id - (uint64_t)r->ids[0].id) >> r->shift];
    return ids_find(r->ids + first[0], first[1] - first[0], id);
}
