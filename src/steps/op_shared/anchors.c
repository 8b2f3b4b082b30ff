/* anchors: the anchor boxes that box codes refer to, from a file next to the pipeline. */
#include "steps/op_shared/anchors.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/number.h"
#include "base/text.h"

static struct {
    struct tuples boxes;
    struct arena arena;
    uint64_t hash;
} table;

/* Returns a hash of the numbers as text, which is the same on every machine. */
static uint64_t hash_of(const double *at, size_t n)
{
    struct text text = { 0 };
    struct hash hash;

    hash_start(&hash);
    for (size_t i = 0; i < 4 * n; i++) {
        text_clear(&text);
        number_print(&text, at[i]);
        hash_part(&hash, text_string(&text), text.length);
    }
    text_drop(&text);
    return hash_u64(&hash);
}

void anchors_set(const double *at, size_t n)
{
    table.boxes = (struct tuples){ ARENA_ARRAY(&table.arena, double, 4 * n), n };
    for (size_t i = 0; i < 4 * n; i++)
        table.boxes.at[i] = at[i];
    table.hash = hash_of(at, n);
}

struct tuples anchors_given(void)
{
    return table.boxes;
}

void anchors_print(struct text *out)
{
    if (table.boxes.n)
        text_addf(out, "\"%zu %016llx\"", table.boxes.n, (unsigned long long)table.hash);
}
