/* compare_geometry: matches objects by image, category and IoU. */
#include "stats/compare.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW = 200, /* limit of objects without boxes per image: all pairs of them are compared */
    MAX_CANDIDATES = 1 << 22, /* limit of pairs per image; larger images are not searched */
};

/* An object, sorted by its image. */
struct member {
    int64_t image; /* index in b; for images that are not listed, the id */
    bool unlisted;
    uint32_t index;
};

struct group { /* the objects of one image */
    const struct member *at;
    size_t n;
};

struct candidate {
    double iou;
    uint32_t a, b; /* indices in the groups */
};

struct matching {
    const struct comparison *c;
    struct group a, b;
    bool *taken_a, *taken_b; /* one for each object of the groups */
    uint32_t *object_in_b;
};

/* --- groups --- */

static int compare_images(const struct member *x, const struct member *y)
{
    if (x->unlisted != y->unlisted)
        return x->unlisted ? 1 : -1;
    return (x->image > y->image) - (x->image < y->image);
}

static int by_image(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int order = compare_images(x, y);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Returns the objects of images that are matched, or in no list; `image_in_b` is NULL for b. */
static struct member *group_members(const struct survey *s, const uint32_t *image_in_b, size_t *n)
{
    struct member *all = memory_take((s->n_objects + 1) * sizeof *all);

    *n = 0;
    for (size_t i = 0; i < s->n_objects; i++) {
        const struct survey_object *o = &s->objects[i];
        bool unlisted = o->image == SURVEY_NONE;
        uint32_t image = unlisted || !image_in_b ? o->image : image_in_b[o->image];

        if (unlisted || image != SURVEY_NONE)
            all[(*n)++] = (struct member){ unlisted ? o->image_id : image, unlisted, (uint32_t)i };
    }
    qsort(all, *n, sizeof *all, by_image);
    return all;
}

static size_t group_length(const struct member *at, size_t n)
{
    size_t length = 0;

    while (length < n && compare_images(at, at + length) == 0)
        length++;
    return length;
}

/* --- matching two groups --- */

static const struct survey_object *object_a(const struct matching *m, size_t i)
{
    return &m->c->a->objects[m->a.at[i].index];
}

static const struct survey_object *object_b(const struct matching *m, size_t i)
{
    return &m->c->b->objects[m->b.at[i].index];
}

static void join(struct matching *m, size_t i, size_t k)
{
    m->taken_a[i] = m->taken_b[k] = true;
    m->object_in_b[m->a.at[i].index] = m->b.at[k].index;
}

double compare_iou(const struct survey_object *a, const struct survey_object *b)
{
    double w = fmin(a->box[0] + a->box[2], b->box[0] + b->box[2]) - fmax(a->box[0], b->box[0]);
    double h = fmin(a->box[1] + a->box[3], b->box[1] + b->box[3]) - fmax(a->box[1], b->box[1]);
    double common = w > 0 && h > 0 ? w * h : 0;
    double all = a->box[2] * a->box[3] + b->box[2] * b->box[3] - common;

    if (memcmp(a->box, b->box, sizeof a->box) == 0)
        return 1;
    return all > 0 ? common / all : 0;
}

/* --- equal boxes --- */

struct box_entry {
    const struct survey_object *object;
    uint32_t category; /* in b; SURVEY_NONE sorts last */
    size_t at;
};

static int compare_entries(const struct box_entry *x, const struct box_entry *y)
{
    if (x->category != y->category)
        return x->category < y->category ? -1 : 1;
    for (size_t i = 0; i < 4; i++)
        if (x->object->box[i] != y->object->box[i])
            return x->object->box[i] < y->object->box[i] ? -1 : 1;
    return 0;
}

static int by_place(const void *a, const void *b)
{
    const struct box_entry *x = a, *y = b;
    int order = compare_entries(x, y);

    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static struct box_entry *place(const struct matching *m, bool in_a, size_t *n)
{
    const struct group *g = in_a ? &m->a : &m->b;
    struct box_entry *all = memory_take((g->n + 1) * sizeof *all);

    *n = 0;
    for (size_t i = 0; i < g->n; i++) {
        const struct survey_object *o = in_a ? object_a(m, i) : object_b(m, i);

        if (o->has_box)
            all[(*n)++] = (struct box_entry){ o,
                                              in_a && o->category != SURVEY_NONE
                                                  ? m->c->category_in_b[o->category]
                                                  : o->category,
                                              i };
    }
    qsort(all, *n, sizeof *all, by_place);
    return all;
}

/* Most objects do not change, and need no search. */
static void match_equal_boxes(struct matching *m)
{
    size_t n, l;
    struct box_entry *a = place(m, true, &n), *b = place(m, false, &l);

    for (size_t i = 0, k = 0; i < n && k < l;) {
        int order = compare_entries(&a[i], &b[k]);

        if (order == 0 && compare_same_category(m->c, a[i].object, b[k].object))
            join(m, a[i].at, b[k].at);
        i += order <= 0;
        k += order >= 0;
    }
    free(a);
    free(b);
}

/* --- IoU --- */

static int by_iou(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->iou != y->iou)
        return x->iou > y->iou ? -1 : 1;
    if (x->a != y->a)
        return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

/* The starts of b's unmatched boxes along an axis (0: x, 1: y), sorted. */
struct box_start {
    double at;
    uint32_t member;
};

struct start_list {
    struct box_start *at;
    size_t n;
    int axis;
};

static int by_begin(const void *a, const void *b)
{
    const struct box_start *x = a, *y = b;

    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->member > y->member) - (x->member < y->member);
}

static struct start_list begins_of(const struct matching *m, int axis)
{
    struct start_list b = { memory_take((m->b.n + 1) * sizeof *b.at), 0, axis };

    for (size_t k = 0; k < m->b.n; k++)
        if (!m->taken_b[k] && object_b(m, k)->has_box)
            b.at[b.n++] = (struct box_start){ object_b(m, k)->box[axis], (uint32_t)k };
    qsort(b.at, b.n, sizeof *b.at, by_begin);
    return b;
}

/* Returns the number of starts before the position. */
static size_t count_before(const struct start_list *b, double place)
{
    size_t low = 0, high = b->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (b->at[middle].at < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The boxes [first, end) that may have an IoU of at least t, above 0, with a box of length l.
 *  * For two lengths l and m on the axis, the IoU is at most their common part divided by the
 * longer
 *  * one. So the other box starts at most l (1 - t) after the first and at most m (1 - t) before
 * it,
 *  * where m <= l / t. Slack allows for rounding. */
struct window {
    size_t first, end;
};
static struct window window_of(const struct start_list *b, const struct survey_object *a, double t)
{
    double begin = a->box[b->axis], length = fmax(a->box[b->axis + 2], 0);
    double slack = 1e-6 * (fabs(begin) + length);

    return (struct window){ count_before(b, begin - length * (1 - t) / t - slack),
                            count_before(b, begin + length * (1 - t) + slack + DBL_MIN) };
}

/* Returns the number of pairs to compare. */
static size_t count_pairs(const struct matching *m, const struct start_list *b)
{
    size_t n = 0;

    for (size_t i = 0; i < m->a.n; i++)
        if (!m->taken_a[i] && object_a(m, i)->has_box) {
            struct window w = window_of(b, object_a(m, i), m->c->rules.iou);

            n += w.end > w.first ? w.end - w.first : 0;
        }
    return n;
}

/* Chooses the axis with fewer pairs: boxes in a column start at the same x. */
static struct start_list best_begins(const struct matching *m)
{
    struct start_list x = begins_of(m, 0), y = begins_of(m, 1);
    bool down = count_pairs(m, &y) < count_pairs(m, &x);

    free(down ? x.at : y.at);
    return down ? y : x;
}

static void add_candidates(const struct matching *m, const struct start_list *b, size_t i,
                           bool any_category, struct pile *pile)
{
    const struct survey_object *a = object_a(m, i);
    struct window w = window_of(b, a, m->c->rules.iou);

    for (size_t k = w.first; k < w.end; k++) {
        uint32_t member = b->at[k].member;
        const struct survey_object *other = object_b(m, member);
        double iou = compare_iou(a, other);

        if (iou >= m->c->rules.iou && (any_category || compare_same_category(m->c, a, other)))
            *(struct candidate *)pile_add(pile, sizeof(struct candidate)) =
                (struct candidate){ iou, (uint32_t)i, member };
    }
}

/* Matches pairs with the largest IoU first, of the same category or of any. */
static void match_by_iou(struct matching *m, bool any_category)
{
    struct start_list begins = best_begins(m);
    struct pile pile = { 0 };
    const struct candidate *all;

    for (size_t i = 0; begins.n && i < m->a.n && pile.n < MAX_CANDIDATES; i++)
        if (!m->taken_a[i] && object_a(m, i)->has_box)
            add_candidates(m, &begins, i, any_category, &pile);
    free(begins.at);
    if (pile.n)
        qsort(pile.at, pile.n, sizeof(struct candidate), by_iou);
    all = pile.at;
    for (size_t i = 0; i < pile.n; i++)
        if (!m->taken_a[all[i].a] && !m->taken_b[all[i].b])
            join(m, all[i].a, all[i].b);
    free(pile.at);
}

/* --- objects without boxes: captions --- */

static bool may_join(const struct matching *m, size_t i, size_t k)
{
    return !m->taken_b[k] && !object_b(m, k)->has_box &&
           compare_same_category(m->c, object_a(m, i), object_b(m, k));
}

/* Matches equal objects, or the others in their order. */
static void match_boxless(struct matching *m, bool equal)
{
    struct arena scratch = { 0 };
    size_t first = 0; /* earlier objects of b are matched, or have boxes */

    for (size_t i = 0; i < m->a.n; i++) {
        if (m->taken_a[i] || object_a(m, i)->has_box)
            continue;
        while (first < m->b.n && (m->taken_b[first] || object_b(m, first)->has_box))
            first++;
        for (size_t k = first; k < m->b.n && !m->taken_a[i]; k++) {
            struct pair pair = { m->a.at[i].index, m->b.at[k].index };

            if (may_join(m, i, k) &&
                (!equal || !compare_members(m->c, COMPARED_OBJECT, pair, &scratch, NULL)))
                join(m, i, k);
            arena_reset(&scratch);
        }
    }
    arena_drop(&scratch);
}

static void match_groups(struct matching *m)
{
    m->taken_a = memory_take(m->a.n + 1);
    m->taken_b = memory_take(m->b.n + 1);
    memset(m->taken_a, 0, m->a.n);
    memset(m->taken_b, 0, m->b.n);
    match_equal_boxes(m);
    match_by_iou(m, false);
    match_by_iou(m, true);
    if (m->a.n <= FEW && m->b.n <= FEW)
        match_boxless(m, true);
    match_boxless(m, false);
    free(m->taken_a);
    free(m->taken_b);
}

void compare_match_geometry(const struct comparison *c, uint32_t *object_in_b)
{
    size_t n, l;
    struct member *a = group_members(c->a, c->image_in_b, &n), *b = group_members(c->b, NULL, &l);

    for (size_t i = 0; i < c->a->n_objects; i++)
        object_in_b[i] = SURVEY_NONE;
    for (size_t i = 0, k = 0; i < n && k < l;) {
        struct matching m = { .c = c,
                              .a = { a + i, group_length(a + i, n - i) },
                              .b = { b + k, group_length(b + k, l - k) },
                              .object_in_b = object_in_b };
        int order = compare_images(a + i, b + k);

        if (order == 0)
            match_groups(&m);
        i += order <= 0 ? m.a.n : 0;
        k += order >= 0 ? m.b.n : 0;
    }
    free(a);
    free(b);
}
