/* sample_view: the sample as steps see it, finalized; samples pixels of objects. */
#include "plan/sample_view.h"

#include <string.h>

const struct kept_object *view_objects(const struct sample *sample, const struct rules *rules,
                                       size_t *n)
{
    struct sample finalized = sample_finalized(sample, rules);
    struct kept_object *seen = ARENA_ARRAY(sample->arena, struct kept_object, finalized.n_objects);

    *n = 0;
    for (size_t i = 0; i < finalized.n_objects; i++) {
        const struct object *o = &finalized.objects[i];

        if (!o->final.dropped)
            seen[(*n)++] = (struct kept_object){
                .has_box = o->has_box || o->segmentation != SEGMENTATION_NONE,
                .box = o->final.box,
                .area = o->area,
                .visibility = o->visibility,
                .category = o->category ? o->category->name : NULL,
                .crowd = o->crowd,
                .place = i,
                .finalized = o,
            };
    }
    return seen;
}

/* --- pixels --- */

static struct rle pixels_of(const struct kept_object *seen, const struct sample *sample)
{
    const struct object *o = seen->finalized;
    struct ring box;

    if (o->segmentation == SEGMENTATION_RLE)
        return o->rle;
    if (o->segmentation == SEGMENTATION_POLYGONS)
        return rle_from_rings(sample->arena, &o->rings, sample->frame);
    box = ring_of_box(sample->arena, seen->box);
    return rle_from_rings(sample->arena, &(struct rings){ &box, 1 }, sample->frame);
}

/* Returns the k-th pixel of the mask, counted down the columns. */
static uint64_t find_one(const struct rle *mask, uint64_t k)
{
    uint64_t at = 0;

    for (size_t i = 0; i < mask->n; at += mask->run[i++])
        if (i % 2) {
            if (k < mask->run[i])
                break;
            k -= mask->run[i];
        }
    return at + k;
}

bool view_pixel(const struct kept_object *seen, size_t n, const struct sample *sample,
                struct rng *rng, int *x, int *y)
{
    struct rle *mask = ARENA_ARRAY(sample->arena, struct rle, n), all;
    size_t used = 0;
    uint64_t area, at;

    for (size_t i = 0; i < n; i++) {
        mask[used] = (struct rle){ 0 };
        if (seen[i].has_box)
            mask[used++] = pixels_of(&seen[i], sample);
    }
    if (!used)
        return false;
    all = rle_merge(sample->arena, mask, used, false);
    area = rle_area(&all);
    if (!area)
        return false;
    at = find_one(&all, (uint64_t)rng_integer(rng, 0, (int64_t)area));
    *x = (int)(at / (uint64_t)all.height);
    *y = (int)(at % (uint64_t)all.height);
    return true;
}

/* Counts pixels by rows, in memory order. */
bool view_mask_pixel(const struct plane *mask, const struct list *ignore, struct rng *rng, int *x,
                     int *y)
{
    int32_t ignored[COUNTOF(ignore->at) + 1] = { 0 };
    int n = ignore->n + 1;
    uint64_t count;

    for (int i = 0; i < ignore->n; i++)
        ignored[i + 1] = (int32_t)ignore->at[i];
    count = plane_labels(mask, ignored, n, UINT64_MAX, x, y);
    if (!count)
        return false;
    plane_labels(mask, ignored, n, (uint64_t)rng_integer(rng, 0, (int64_t)count), x, y);
    return true;
}

struct label_shares view_label_shares(const struct plane *mask, struct rect window, int except)
{
    struct label_shares shares = { 0 };
    uint64_t all, largest;

    shares.labels = plane_label_counts(mask, window, except, &all, &largest);
    shares.largest = all ? (double)largest / (double)all : 0;
    return shares;
}
