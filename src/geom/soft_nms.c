/* soft_nms: scores of boxes decay by the boxes that they overlap.
 *
 * Boxes that are left are the entries of a tree: leaves of entries near each other, and nodes of
 * leaves or nodes near each other. Each node has the bounds of its entries, and the best of them.
 * Only boxes that overlap change each other's scores. A taken box is therefore compared with the
 * entries of those nodes whose bounds it overlaps. The root has the next box to take. Scores change
 * in the order in which boxes are taken, so the bits are the same as if each pair were compared. */
#include "geom/nms.h"

#include <math.h>
#include <stdlib.h>

/* Entries of a leaf, and nodes below a node: loops over a leaf's arrays are done by vectors. */
enum { LEAF = 32, FAN = 8, LEVELS = 12 };
static const uint32_t NO_ENTRY = UINT32_MAX;

struct node {
    struct box bounds; /* of all entries that it ever had */
    uint32_t best;     /* the entry that is taken first, or NO_ENTRY */
};

struct tree {
    const struct decay_rule *rule;
    /* Entries, LEAF for each leaf; first the entries that are left. */
    double *x0, *y0, *x1, *y1, *area, *score;
    uint32_t *index;            /* among the boxes that were given */
    uint32_t *count;            /* of each leaf: entries that are left */
    struct node *level[LEVELS]; /* leaves first, the root last */
    size_t n_nodes[LEVELS];
    int n_levels;
};

/* --- building --- */

struct placement {
    struct point middle;
    uint32_t index;
};

static int by_x(const void *a, const void *b)
{
    const struct placement *p = a, *q = b;

    return (p->middle.x > q->middle.x) - (p->middle.x < q->middle.x);
}

static int by_y(const void *a, const void *b)
{
    const struct placement *p = a, *q = b;

    return (p->middle.y > q->middle.y) - (p->middle.y < q->middle.y);
}

/* Returns the boxes in the order in which leaves take them: by columns of about square blocks of
 * leaves, from top to bottom in each. The caller frees it. */
static struct placement *order_by_place(const struct nms_box *boxes, size_t n)
{
    struct placement *all = memory_take((n + 1) * sizeof *all);
    size_t leaves = (n + LEAF - 1) / LEAF;
    size_t column = LEAF * (size_t)ceil(sqrt((double)leaves));

    for (size_t i = 0; i < n; i++) {
        struct box b = boxes[i].box;

        all[i] = (struct placement){ { b.x0 / 2 + b.x1 / 2, b.y0 / 2 + b.y1 / 2 }, (uint32_t)i };
    }
    qsort(all, n, sizeof *all, by_x);
    for (size_t i = 0; i < n; i += column)
        qsort(all + i, n - i < column ? n - i : column, sizeof *all, by_y);
    return all;
}

static void put_entry(struct tree *t, size_t at, const struct nms_box *b, uint32_t index)
{
    t->x0[at] = b->box.x0;
    t->y0[at] = b->box.y0;
    t->x1[at] = b->box.x1;
    t->y1[at] = b->box.y1;
    t->area[at] = (b->box.x1 - b->box.x0) * (b->box.y1 - b->box.y0);
    t->score[at] = b->score;
    t->index[at] = index;
}

static struct box box_around(struct box a, struct box b)
{
    return (struct box){ fmin(a.x0, b.x0), fmin(a.y0, b.y0), fmax(a.x1, b.x1), fmax(a.y1, b.y1) };
}

/* True if entry a is taken before entry b. */
static bool is_before(const struct tree *t, uint32_t a, uint32_t b)
{
    if (t->score[a] != t->score[b])
        return t->score[a] > t->score[b];
    return t->index[a] < t->index[b];
}

static void find_best_of_leaf(struct tree *t, size_t leaf)
{
    uint32_t from = (uint32_t)(leaf * LEAF), best = t->count[leaf] ? from : NO_ENTRY;

    for (uint32_t i = from + 1; i < from + t->count[leaf]; i++)
        if (is_before(t, i, best))
            best = i;
    t->level[0][leaf].best = best;
}

static void find_best_below(struct tree *t, int level, size_t node)
{
    const struct node *below = t->level[level - 1];
    size_t end = (node + 1) * FAN;
    uint32_t best = NO_ENTRY;

    end = end > t->n_nodes[level - 1] ? t->n_nodes[level - 1] : end;
    for (size_t i = node * FAN; i < end; i++)
        if (below[i].best != NO_ENTRY && (best == NO_ENTRY || is_before(t, below[i].best, best)))
            best = below[i].best;
    t->level[level][node].best = best;
}

static void add_level(struct tree *t)
{
    int level = t->n_levels++;
    size_t n = (t->n_nodes[level - 1] + FAN - 1) / FAN;

    t->n_nodes[level] = n;
    t->level[level] = memory_take(n * sizeof **t->level);
    for (size_t i = 0; i < t->n_nodes[level - 1]; i++) {
        struct box b = t->level[level - 1][i].bounds;
        struct node *above = &t->level[level][i / FAN];

        above->bounds = i % FAN ? box_around(above->bounds, b) : b;
    }
    for (size_t i = 0; i < n; i++)
        find_best_below(t, level, i);
}

static void build(struct tree *t, const struct nms_box *boxes, size_t n)
{
    struct placement *order = order_by_place(boxes, n);
    size_t leaves = (n + LEAF - 1) / LEAF, room = leaves * LEAF;
    double **const arrays[] = { &t->x0, &t->y0, &t->x1, &t->y1, &t->area, &t->score };

    for (size_t i = 0; i < COUNTOF(arrays); i++)
        *arrays[i] = memory_take(room * sizeof(double));
    t->index = memory_take(room * sizeof *t->index);
    t->count = memory_take(leaves * sizeof *t->count);
    t->level[0] = memory_take(leaves * sizeof **t->level);
    t->n_nodes[0] = leaves;
    t->n_levels = 1;
    for (size_t i = 0; i < n; i++) {
        const struct nms_box *b = &boxes[order[i].index];
        struct node *leaf = &t->level[0][i / LEAF];

        put_entry(t, i, b, order[i].index);
        leaf->bounds = i % LEAF ? box_around(leaf->bounds, b->box) : b->box;
        t->count[i / LEAF] = (uint32_t)(i % LEAF) + 1;
    }
    for (size_t i = 0; i < leaves; i++)
        find_best_of_leaf(t, i);
    while (t->n_nodes[t->n_levels - 1] > 1)
        add_level(t);
    free(order);
}

static void drop(struct tree *t)
{
    double *const arrays[] = { t->x0, t->y0, t->x1, t->y1, t->area, t->score };

    for (size_t i = 0; i < COUNTOF(arrays); i++)
        free(arrays[i]);
    free(t->index);
    free(t->count);
    for (int i = 0; i < t->n_levels; i++)
        free(t->level[i]);
}

/* --- taking --- */

/* The box that was taken. */
struct taken_box {
    struct box box;
    double area;
};

static double factor_of(const struct decay_rule *rule, double iou)
{
    if (!(iou > 0))
        return 1;
    if (rule->gaussian)
        return exp(-iou * iou / rule->sigma);
    return iou > rule->threshold ? 1 - iou : 1;
}

/* Computes what box_iou does, of `a` and each of n entries, in arrays. */
static void find_ious(const struct tree *t, size_t from, size_t n, const struct taken_box *a,
                      double *iou)
{
    const double *x0 = t->x0 + from, *y0 = t->y0 + from, *x1 = t->x1 + from, *y1 = t->y1 + from;
    const double *area = t->area + from;

    for (size_t i = 0; i < n; i++) {
        double w =
            (a->box.x1 < x1[i] ? a->box.x1 : x1[i]) - (a->box.x0 > x0[i] ? a->box.x0 : x0[i]);
        double h =
            (a->box.y1 < y1[i] ? a->box.y1 : y1[i]) - (a->box.y0 > y0[i] ? a->box.y0 : y0[i]);
        double common = (w > 0 ? w : 0) * (h > 0 ? h : 0);

        iou[i] = common / (a->area + area[i] - common);
    }
}

/* Returns whether a score of the leaf changed. */
static bool decay_leaf(struct tree *t, size_t leaf, const struct taken_box *a)
{
    double iou[LEAF];
    size_t from = leaf * LEAF;
    bool changed = false;

    find_ious(t, from, t->count[leaf], a, iou);
    for (size_t i = 0; i < t->count[leaf]; i++) {
        double *score = &t->score[from + i];

        if (iou[i] > 0 && *score != 0) {
            *score *= factor_of(t->rule, iou[i]);
            changed = true;
        }
    }
    if (changed)
        find_best_of_leaf(t, leaf);
    return changed;
}

/* True if the box has a common part with some entry of the node, perhaps. */
static bool may_overlap(const struct node *node, struct box b)
{
    return fmin(node->bounds.x1, b.x1) - fmax(node->bounds.x0, b.x0) > 0 &&
           fmin(node->bounds.y1, b.y1) - fmax(node->bounds.y0, b.y0) > 0;
}

/* Returns whether a score below the node changed. */
static bool decay_below(struct tree *t, int level, size_t node, const struct taken_box *a)
{
    size_t end = (node + 1) * FAN;
    bool changed = false;

    if (t->level[level][node].best == NO_ENTRY || !may_overlap(&t->level[level][node], a->box))
        return false;
    if (level == 0)
        return decay_leaf(t, node, a);
    end = end > t->n_nodes[level - 1] ? t->n_nodes[level - 1] : end;
    for (size_t i = node * FAN; i < end; i++)
        changed |= decay_below(t, level - 1, i, a);
    if (changed)
        find_best_below(t, level, node);
    return changed;
}

/* The last entry that is left in the leaf takes its place. */
static void remove_entry(struct tree *t, uint32_t entry)
{
    size_t node = entry / LEAF, last = node * LEAF + --t->count[node];

    t->x0[entry] = t->x0[last];
    t->y0[entry] = t->y0[last];
    t->x1[entry] = t->x1[last];
    t->y1[entry] = t->y1[last];
    t->area[entry] = t->area[last];
    t->score[entry] = t->score[last];
    t->index[entry] = t->index[last];
    find_best_of_leaf(t, node);
    for (int level = 1; level < t->n_levels; level++)
        find_best_below(t, level, node /= FAN);
}

void soft_nms(struct nms_box *boxes, size_t n, const struct decay_rule *rule)
{
    struct tree t = { .rule = rule };
    int top;

    if (!n)
        return;
    build(&t, boxes, n);
    top = t.n_levels - 1;
    for (uint32_t best; (best = t.level[top]->best) != NO_ENTRY;) {
        struct taken_box a = { { t.x0[best], t.y0[best], t.x1[best], t.y1[best] }, t.area[best] };

        boxes[t.index[best]].score = t.score[best];
        remove_entry(&t, best);
        decay_below(&t, top, 0, &a);
    }
    drop(&t);
}
