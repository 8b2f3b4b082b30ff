/* nms: greedy non-maximum suppression of boxes.
 *
 * Boxes that stay are sorted into cells by their centers and by the magnitudes of their sides. A
 * box is compared only with those in the cells around it. Let t be the threshold. IoU > t implies
 * that the sides of both boxes differ by a factor of at most 1/t. It also bounds the distance of
 * their centers by (a + b) / 2 - t max(a, b), where a and b are their widths (or heights). For the
 * widths' common part is at most (a + b) / 2 minus the distance, and IoU is at most that part
 * divided by max(a, b). */
#include "geom/nms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double box_iou(struct box a, struct box b)
{
    double w = fmin(a.x1, b.x1) - fmax(a.x0, b.x0), h = fmin(a.y1, b.y1) - fmax(a.y0, b.y0);
    double common = fmax(w, 0) * fmax(h, 0);

    return common / ((a.x1 - a.x0) * (a.y1 - a.y0) + (b.x1 - b.x0) * (b.y1 - b.y0) - common);
}

/* --- order --- */

struct ranked_box {
    double score;
    uint32_t index;
};

static int by_score(const void *a, const void *b)
{
    const struct ranked_box *p = a, *q = b;

    if (p->score != q->score)
        return p->score > q->score ? -1 : 1;
    return p->index < q->index ? -1 : p->index > q->index;
}

void nms_order(const struct nms_box *boxes, size_t n, uint32_t *order)
{
    struct ranked_box *ranked = memory_take((n + 1) * sizeof *ranked);

    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked_box){ boxes[i].score, (uint32_t)i };
    qsort(ranked, n, sizeof *ranked, by_score);
    for (size_t i = 0; i < n; i++)
        order[i] = ranked[i].index;
    free(ranked);
}

/* --- cells --- */

/* Below MIN_THRESHOLD too many cells would be searched. Sides outside MIN_SIDE..LARGEST_SIDE
 * are compared with all others: their areas may have no exact magnitude. ROUNDING widens the
 * search, relatively, since rounding could matter. */
#define MIN_THRESHOLD 0.1
#define MIN_SIDE 0x1p-100
#define LARGEST_SIDE 0x1p100
#define ROUNDING 1e-9
enum { LEVELS = 201, NO_BOX = -1 };

/* A box that stays, and the previous one in its cell. */
struct kept_box {
    struct box box;
    uint32_t index, rank; /* rank: how many stood before it */
    int32_t before;
};

struct cells {
    const struct nms_rule *rule;
    struct kept_box *kept;
    size_t n;
    int32_t *cell; /* the box that entered it last, or NO_BOX */
    uint64_t mask;
    int32_t odd;                    /* boxes in no cell, in the same way */
    uint8_t levels[LEVELS][LEVELS]; /* are there boxes of these magnitudes? */
};

/* A side's magnitude, from 0 on. */
static int level_of(double side)
{
    return ilogb(side) + 100;
}

static double side_of(int level)
{
    return ldexp(1, level - 100);
}

/* Returns the number of a cell along one axis. Distant cells share numbers. */
static int64_t place_of(double middle, double side)
{
    const double far = 0x1p52;

    return (int64_t)fmin(far, fmax(-far, floor(middle / side)));
}

static uint64_t hash_of(int level_x, int level_y, int64_t x, int64_t y)
{
    uint64_t h = (uint64_t)x * 0x9e3779b97f4a7c15u;

    h = (h ^ (h >> 29) ^ (uint64_t)y) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 32) ^ (uint64_t)(level_x * LEVELS + level_y)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}

struct shape {
    struct point middle, size;
};

static struct shape shape_of(struct box b)
{
    return (struct shape){ { b.x0 / 2 + b.x1 / 2, b.y0 / 2 + b.y1 / 2 },
                           { b.x1 - b.x0, b.y1 - b.y0 } };
}

static bool is_odd(const struct cells *c, const struct shape *s)
{
    return c->rule->threshold < MIN_THRESHOLD ||
           !(s->size.x >= MIN_SIDE && s->size.x <= LARGEST_SIDE) ||
           !(s->size.y >= MIN_SIDE && s->size.y <= LARGEST_SIDE);
}

static void add(struct cells *c, struct box box, uint32_t index)
{
    struct shape s = shape_of(box);
    struct kept_box *kept = &c->kept[c->n];
    int32_t *last = &c->odd;

    if (!is_odd(c, &s)) {
        int x = level_of(s.size.x), y = level_of(s.size.y);

        c->levels[x][y] = 1;
        last = &c->cell[hash_of(x, y, place_of(s.middle.x, side_of(x)),
                                place_of(s.middle.y, side_of(y))) &
                        c->mask];
    }
    *kept = (struct kept_box){ box, index, (uint32_t)c->n, *last };
    *last = (int32_t)c->n++;
}

/* Returns the first kept box of a chain that suppresses the box, or `found`, whichever comes first.
 */
static const struct kept_box *try_chain(const struct cells *c, int32_t chain, struct box box,
                                        const struct kept_box *found)
{
    for (; chain != NO_BOX; chain = c->kept[chain].before) {
        const struct kept_box *s = &c->kept[chain];

        if ((!found || s->rank < found->rank) && nms_suppresses(c->rule, box_iou(s->box, box)))
            found = s;
    }
    return found;
}

/* Returns how far the center of a side of this level may be from the center of a side of length
 * `own`. This is the largest (a + b) / 2 - t max(a, b), which occurs at an end of the level or
 * where both are equal. */
static double reach(double own, int level, double t)
{
    double min = side_of(level), max = 2 * min, far = 0;
    const double other[] = { min, max, fmin(max, fmax(min, own)) };

    for (size_t i = 0; i < COUNTOF(other); i++)
        far = fmax(far, (own + other[i]) / 2 - t * fmax(own, other[i]));
    return far + ROUNDING * (own + max);
}

/* Cells of one pair of levels. */
static const struct kept_box *try_level(const struct cells *c, int level_x, int level_y,
                                        const struct shape *s, struct box box,
                                        const struct kept_box *found)
{
    double far_x = reach(s->size.x, level_x, c->rule->threshold) + ROUNDING * fabs(s->middle.x);
    double far_y = reach(s->size.y, level_y, c->rule->threshold) + ROUNDING * fabs(s->middle.y);
    int64_t x0 = place_of(s->middle.x - far_x, side_of(level_x));
    int64_t x1 = place_of(s->middle.x + far_x, side_of(level_x));
    int64_t y0 = place_of(s->middle.y - far_y, side_of(level_y));
    int64_t y1 = place_of(s->middle.y + far_y, side_of(level_y));

    for (int64_t x = x0; x <= x1; x++)
        for (int64_t y = y0; y <= y1; y++)
            found = try_chain(c, c->cell[hash_of(level_x, level_y, x, y) & c->mask], box, found);
    return found;
}

static int within_levels(int level)
{
    return level < 0 ? 0 : level >= LEVELS ? LEVELS - 1 : level;
}

/* Compares a box that is in no cell with all kept boxes, in their order. */
static const struct kept_box *find_any(const struct cells *c, struct box box)
{
    for (size_t i = 0; i < c->n; i++)
        if (nms_suppresses(c->rule, box_iou(c->kept[i].box, box)))
            return &c->kept[i];
    return NULL;
}

static const struct kept_box *find(const struct cells *c, struct box box)
{
    struct shape s = shape_of(box);
    const struct kept_box *found;
    double factor = (1 + ROUNDING) / c->rule->threshold;
    int x0, x1, y0, y1;

    if (is_odd(c, &s))
        return find_any(c, box);
    found = try_chain(c, c->odd, box, NULL);
    x0 = within_levels(level_of(s.size.x / factor));
    x1 = within_levels(level_of(s.size.x * factor));
    y0 = within_levels(level_of(s.size.y / factor));
    y1 = within_levels(level_of(s.size.y * factor));
    for (int x = x0; x <= x1; x++)
        for (int y = y0; y <= y1; y++)
            if (c->levels[x][y])
                found = try_level(c, x, y, &s, box, found);
    return found;
}

void nms(const struct nms_box *boxes, size_t n, const struct nms_rule *rule, uint32_t *by)
{
    uint32_t *order = memory_take((n + 1) * sizeof *order);
    struct cells *c = memory_take(sizeof *c);
    size_t room = 16;

    while (room < 2 * n)
        room *= 2;
    memset(c, 0, sizeof *c);
    c->rule = rule;
    c->odd = NO_BOX;
    c->kept = memory_take((n + 1) * sizeof *c->kept);
    c->cell = memory_take(room * sizeof *c->cell);
    c->mask = room - 1;
    memset(c->cell, 0xff, room * sizeof *c->cell);
    nms_order(boxes, n, order);
    for (size_t i = 0; i < n; i++) {
        const struct kept_box *found = find(c, boxes[order[i]].box);

        by[order[i]] = found ? found->index : order[i];
        if (!found)
            add(c, boxes[order[i]].box, order[i]);
    }
    free(order);
    free(c->kept);
    free(c->cell);
    free(c);
}
