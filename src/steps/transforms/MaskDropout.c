/* MaskDropout: paints over some objects, by their outlines, and drops them. */
#include "steps/transform.h"

struct params {
    struct range max_objects;
    struct paint fill;
    bool noise;
    struct optional fill_mask;
};

static const struct row rows[] = {
    RANGE(struct params, max_objects, .preset = "[1, 1]", .unit = "objects", .whole = true,
          .limit = { 1, 1000 }, .usual = { 1, 3 },
          .help = "number of dropped objects: an integer, or [min, max]; all if there are fewer"),
    PAINT_ROWS(struct params),
    OPTIONAL(struct params, fill_mask, .preset = "0", .whole = true, .limit = { 0, 65535 },
             .help = "label of mask pixels that are painted over; null: unchanged"),
    ROWS_END,
};

/* Moves `count` random objects, drawn without replacement, to the front of the n; all with equal
 * probability. */
static void choose(struct rng *rng, const struct kept_object **object, size_t n, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t other = (size_t)rng_integer(rng, (int64_t)i, (int64_t)n);
        const struct kept_object *chosen = object[other];

        object[other] = object[i];
        object[i] = chosen;
    }
}

static bool is_among(const struct kept_object *seen, const struct kept_object *const *object,
                     size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (object[i] == seen)
            return true;
    return false;
}

/* Emits keep_objects with the indices of all visible objects except the n given ones. */
static void emit_keep_others(struct run *run, const struct kept_object *seen, size_t all,
                             const struct kept_object *const *object, size_t n)
{
    double *place = ARENA_ARRAY(run->arena, double, all);
    size_t kept = 0;

    for (size_t i = 0; i < all; i++)
        if (!is_among(&seen[i], object, n))
            place[kept++] = (double)seen[i].place;
    emit(run, "keep_objects", NUMS("objects", kept, place));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t count =
        (size_t)rng_integer(run->rng, (int64_t)p->max_objects.lo, (int64_t)p->max_objects.hi + 1);
    size_t all, n = 0;
    const struct kept_object *seen = run_objects(run, &all);
    const struct kept_object **object = ARENA_ARRAY(run->arena, const struct kept_object *, all);
    struct rects holes;

    for (size_t i = 0; i < all; i++)
        if (seen[i].has_box && !seen[i].crowd)
            object[n++] = &seen[i];
    if (!n)
        return;
    if (count > n)
        count = n;
    choose(run->rng, object, n, count);
    holes = run_cover(run, object, count);
    emit_shared(run, "coarse_dropout", RECTANGLES("holes", &holes),
                NUM("key", draw_paint_key(run, &p->fill, p->noise)));
    emit_keep_others(run, seen, all, object, count);
}

const struct transform MaskDropout_transform = {
    .name = "MaskDropout",
    .summary = "paint over some objects, by their outlines or, without one, their boxes, and "
               "drop them; crowds are kept",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "objects are the annotated ones, not the connected regions of the label mask",
    .example = "{\"type\": \"MaskDropout\", \"p\": 1, \"max_objects\": [1, 2], \"fill\": 114}",
    .emits = (const char *const[]){ "coarse_dropout", "keep_objects", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
