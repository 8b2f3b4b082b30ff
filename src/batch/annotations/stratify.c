/* stratify: assigns units to parts, category by category, the rarest first. */
#include "batch/annotations/split.h"

#include <stdlib.h>
#include <string.h>

/* The state of a division. */
struct stratify_state {
    const struct split *split;
    struct split_unit *unit;
    size_t n_units, n_labels;
    bool *done;                   /* per unit: it is assigned */
    size_t *left;                 /* per label: number of unassigned units that have it */
    double *wanted;               /* per label and part: annotations that it should still get */
    double room[MAX_SPLIT_PARTS]; /* per part: images that it should still get */
};

static int by_hash(const void *a, const void *b)
{
    const struct split_unit *x = a, *y = b;

    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1) : strcmp(x->key, y->key);
}

/* True if it is the first annotation of the unit with this label. */
static bool is_first(const struct split_unit *u, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (u->labels[k] == u->labels[i])
            return false;
    return true;
}

static bool has_label(const struct split_unit *u, size_t label)
{
    for (size_t i = 0; i < u->n_labels; i++)
        if (u->labels[i] == label)
            return true;
    return false;
}

/* Returns the part that lacks most annotations of the label; of equal parts, the part with the most
 * room. Full parts come last. */
static size_t choose_part(const struct stratify_state *s, const struct split_unit *u, size_t label)
{
    size_t n = s->split->n, best = 0;

    for (size_t p = 1; p < n; p++) {
        bool fits = s->room[p] >= (double)u->n_images;
        bool best_fits = s->room[best] >= (double)u->n_images;
        double more =
            label < s->n_labels ? s->wanted[label * n + p] - s->wanted[label * n + best] : 0;

        if (fits != best_fits ? fits : more > 0 || (more >= 0 && s->room[p] > s->room[best]))
            best = p;
    }
    return best;
}

static void assign(struct stratify_state *s, size_t i, size_t label)
{
    struct split_unit *u = &s->unit[i];

    u->part = choose_part(s, u, label);
    s->done[i] = true;
    s->room[u->part] -= (double)u->n_images;
    for (size_t k = 0; k < u->n_labels; k++) {
        s->wanted[u->labels[k] * s->split->n + u->part] -= 1;
        s->left[u->labels[k]] -= is_first(u, k);
    }
}

/* Returns the label with the fewest unassigned units; n_labels if none has any. */
static size_t rarest(const struct stratify_state *s)
{
    size_t found = s->n_labels;

    for (size_t i = 0; i < s->n_labels; i++)
        if (s->left[i] && (found == s->n_labels || s->left[i] < s->left[found]))
            found = i;
    return found;
}

/* Computes the number of images per part by largest remainders, and the annotations of each label
 * per part. */
static void share_out(struct stratify_state *s)
{
    const struct split *split = s->split;
    double sum = 0, images = 0, given = 0, rest[MAX_SPLIT_PARTS];

    for (size_t p = 0; p < split->n; p++)
        sum += split->part[p].ratio;
    for (size_t i = 0; i < s->n_units; i++) {
        const struct split_unit *u = &s->unit[i];

        images += (double)u->n_images;
        for (size_t k = 0; k < u->n_labels; k++) {
            s->left[u->labels[k]] += is_first(u, k);
            for (size_t p = 0; p < split->n; p++)
                s->wanted[u->labels[k] * split->n + p] += split->part[p].ratio / sum;
        }
    }
    for (size_t p = 0; p < split->n; p++) {
        double exact = images * split->part[p].ratio / sum;

        s->room[p] = (double)(uint64_t)exact;
        rest[p] = exact - s->room[p];
        given += s->room[p];
    }
    for (; given < images; given++) {
        size_t largest = 0;

        for (size_t p = 1; p < split->n; p++)
            largest = rest[p] > rest[largest] ? p : largest;
        s->room[largest]++;
        rest[largest] = -1;
    }
}

void split_stratify(const struct split *split, struct split_unit *unit, size_t n_units,
                    size_t n_labels)
{
    struct stratify_state s = { .split = split,
                                .unit = unit,
                                .n_units = n_units,
                                .n_labels = n_labels,
                                .done = calloc(n_units + 1, sizeof *s.done),
                                .left = calloc(n_labels + 1, sizeof *s.left),
                                .wanted = calloc(n_labels * split->n + 1, sizeof *s.wanted) };
    size_t label;

    if (!s.done || !s.left || !s.wanted)
        memory_gone(n_units + n_labels);
    if (n_units)
        qsort(unit, n_units, sizeof *unit, by_hash);
    share_out(&s);
    while ((label = rarest(&s)) < n_labels)
        for (size_t i = 0; i < n_units; i++)
            if (!s.done[i] && has_label(&unit[i], label))
                assign(&s, i, label);
    for (size_t i = 0; i < n_units; i++)
        if (!s.done[i])
            assign(&s, i, n_labels);
    free(s.done);
    free(s.left);
    free(s.wanted);
}
