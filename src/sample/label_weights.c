/* label_weights: weights of the labels of whole images when several images are joined. */
#include "sample/sample.h"

#include <stdlib.h>

/* The samples of a join, lowest first, and how much of the canvas shows each. Pasted objects do not
 * count: the image they are pasted on keeps its class. */
struct weight_context {
    struct arena *arena;
    struct placed_image *laid;
    size_t n;
    struct frame canvas;
    double
        *filled;  /* of each, in pixels, or in fractions of the canvas where images show through */
    double total; /* of all of them */
};

/* --- how much each image fills --- */

static bool all_opaque(const struct weight_context *w)
{
    for (size_t i = 0; i < w->n; i++)
        if (!w->laid[i].objects_alone && w->laid[i].opacity < 1)
            return false;
    return true;
}

/* The pixels of a rectangle. */
static struct rle cover_of(const struct weight_context *w, struct rect part)
{
    struct ring ring = ring_of_box(w->arena, box_of_rect(part));

    return rle_from_rings(w->arena, &(struct rings){ &ring, 1 }, w->canvas);
}

/* For opaque images: counts the pixels that the image fills and no image above covers. */
static void count_pixels(struct weight_context *w)
{
    struct rle over = cover_of(w, (struct rect){ 0 });

    for (size_t i = w->n; i-- > 0;) {
        const struct placed_image *laid = &w->laid[i];
        struct rle filled, both[2];

        if (laid->objects_alone)
            continue;
        filled = rle_from_rings(w->arena, &laid->sample.filled, w->canvas);
        both[0] = cover_of(w, laid->part);
        both[1] = over;
        filled = rle_without(w->arena, &filled, &over);
        over = rle_merge(w->arena, both, 2, false);
        w->filled[i] = (double)rle_area(&filled);
        w->total += w->filled[i];
    }
}

static int by_number(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

static int within(int at, int length)
{
    return at < 0 ? 0 : at > length ? length : at;
}

/* Finds where images begin and end along an axis of the canvas; returns the number of these places.
 */
static size_t find_edges(const struct weight_context *w, bool down, int *edge)
{
    int length = down ? w->canvas.height : w->canvas.width;
    size_t n = 0;

    for (size_t i = 0; i < w->n; i++) {
        const struct rect *r = &w->laid[i].part;

        edge[n++] = within(down ? r->y : r->x, length);
        edge[n++] = within(down ? r->y + r->h : r->x + r->w, length);
    }
    qsort(edge, n, sizeof *edge, by_number);
    return n;
}

/* A rectangle of the canvas that each image covers or does not touch. */
static void share_cell(struct weight_context *w, int x, int y, double share)
{
    double left = 1;

    for (size_t i = w->n; i-- > 0;) {
        const struct rect *r = &w->laid[i].part;

        if (w->laid[i].objects_alone || x < r->x || y < r->y || x >= r->x + r->w ||
            y >= r->y + r->h)
            continue;
        w->filled[i] += share * left * w->laid[i].opacity;
        left *= 1 - w->laid[i].opacity;
    }
    w->total += share * (1 - left);
}

/* For images that show through each other: weights by opacity, over the whole area of each. */
static void count_shares(struct weight_context *w)
{
    int *x = ARENA_ARRAY(w->arena, int, 2 * w->n), *y = ARENA_ARRAY(w->arena, int, 2 * w->n);
    size_t nx = find_edges(w, false, x), ny = find_edges(w, true, y);
    double area = (double)w->canvas.width * w->canvas.height;

    for (size_t i = 1; i < ny; i++)
        for (size_t k = 1; k < nx; k++)
            share_cell(w, x[k - 1], y[i - 1], (double)(x[k] - x[k - 1]) * (y[i] - y[i - 1]) / area);
}

/* --- labels --- */

/* Do the labels of one image, or of one several times, go for all of the canvas? */
static const struct placed_image *sole_owner(const struct weight_context *w)
{
    const struct placed_image *owner = NULL;

    for (size_t i = 0; i < w->n; i++) {
        if (!(w->filled[i] > 0))
            continue;
        if (owner && w->laid[i].sample.labels != owner->sample.labels)
            return NULL;
        owner = &w->laid[i];
    }
    return owner;
}

static void add_weight(struct image_label *labels, size_t *n, const struct category *category,
                       double weight)
{
    size_t i = 0;

    while (i < *n && labels[i].category != category)
        i++;
    if (i == *n)
        labels[(*n)++] = (struct image_label){ category, 0 };
    labels[i].weight += weight;
}

/* Each class once. */
static void mix_labels(const struct weight_context *w, struct sample *to)
{
    struct image_label *labels;
    size_t n = 0;

    for (size_t i = 0; i < w->n; i++)
        n += w->laid[i].sample.n_labels;
    labels = ARENA_ARRAY(w->arena, struct image_label, n);
    n = 0;
    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->laid[i].sample.n_labels && w->filled[i] > 0; k++) {
            const struct image_label *label = &w->laid[i].sample.labels[k];

            add_weight(labels, &n, label->category, label->weight * w->filled[i]);
        }
    for (size_t i = 0; i < n; i++)
        labels[i].weight /= w->total;
    to->labels = labels;
    to->n_labels = n;
    to->relabelled = true;
}

static void join_labels(const struct weight_context *w, struct sample *to)
{
    const struct placed_image *owner = sole_owner(w);
    bool labelled = false;

    for (size_t i = 0; i < w->n; i++)
        labelled |= w->laid[i].sample.n_labels > 0;
    if (!labelled)
        return;
    if (!owner) {
        mix_labels(w, to);
        return;
    }
    to->relabelled |= to->labels != owner->sample.labels;
    to->labels = owner->sample.labels;
    to->n_labels = owner->sample.n_labels;
}

/* --- labels among the objects --- */

static bool is_same_label(const struct object *a, const struct object *b)
{
    return b->image_label && a->record == b->record && a->index == b->index;
}

/* Returns the weight of a label that several of the samples may have. */
static double weigh_label(const struct weight_context *w, const struct object *label)
{
    double filled = 0, sum = 0;
    bool same = true;

    for (size_t i = 0; i < w->n; i++)
        for (size_t k = 0; k < w->laid[i].sample.n_objects; k++) {
            const struct object *o = &w->laid[i].sample.objects[k];

            if (!is_same_label(label, o))
                continue;
            filled += w->filled[i];
            sum += w->filled[i] * o->weight;
            same &= o->weight == label->weight;
        }
    return same && filled == w->total ? label->weight : sum / w->total;
}

static void put_weight(struct object *o, double weight)
{
    if (weight != o->weight)
        o->changes |= CHANGE_WEIGHED;
    o->weight = weight;
    if (!(weight > 0))
        object_fail(o, "hidden", 0);
}

/* Each of them is weighed before any is changed. */
static void weigh_objects(const struct weight_context *w)
{
    size_t n = 0, at = 0;
    double *weight;

    for (size_t i = 0; i < w->n; i++)
        n += w->laid[i].sample.n_objects;
    weight = ARENA_ARRAY(w->arena, double, n);
    for (int pass = 0; pass < 2; pass++, at = 0)
        for (size_t i = 0; i < w->n; i++)
            for (size_t k = 0; k < w->laid[i].sample.n_objects; k++, at++) {
                struct object *o = &w->laid[i].sample.objects[k];

                if (!o->image_label)
                    continue;
                if (pass == 0)
                    weight[at] = weigh_label(w, o);
                else
                    put_weight(o, weight[at]);
            }
}

void samples_weigh_labels(struct sample *to, struct placed_image *laid, size_t n,
                          struct frame canvas)
{
    struct weight_context w = { .arena = to->arena, .laid = laid, .n = n, .canvas = canvas };
    bool labelled = false;

    for (size_t i = 0; i < n; i++)
        labelled |= sample_has_labels(&laid[i].sample);
    if (!labelled)
        return;
    w.filled = ARENA_ARRAY(to->arena, double, n);
    if (all_opaque(&w))
        count_pixels(&w);
    else
        count_shares(&w);
    if (!(w.total > 0))
        return;
    join_labels(&w, to);
    weigh_objects(&w);
}
