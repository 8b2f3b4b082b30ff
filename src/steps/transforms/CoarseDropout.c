/* CoarseDropout: paints over a few rectangles of random place and size with probability p. */
#include "steps/transform.h"

struct params {
    struct range num_holes_range, hole_height_range, hole_width_range;
    struct paint fill;
    bool noise;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    RANGE(struct params, num_holes_range, .preset = "[1, 2]", .unit = "holes",
          .limit = { 1, 10000 }, .usual = { 1, 4 },
          .help = "number of holes: an integer, or [min, max]"),
    RANGE(struct params, hole_height_range, .preset = "[0.1, 0.2]", .limit = { 0, 65500 },
          .above = true, .usual = { 0.1, 0.4 },
          .help = "range of a hole's height: below 1 as a share of the image's, from 1 on in "
                  "pixels"),
    RANGE(struct params, hole_width_range, .preset = "[0.1, 0.2]", .limit = { 0, 65500 },
          .above = true, .usual = { 0.1, 0.4 },
          .help = "range of a hole's width, like its "
                  "height"),
    DROPOUT_ROWS(struct params),
    ROWS_END,
};

static bool whole_check(const struct range *r, const char *name, const struct value *step,
                        struct faults *faults)
{
    if (r->lo == nearbyint(r->lo) && r->hi == nearbyint(r->hi))
        return true;
    return value_fault(faults, value_get(step, name), false, "param-type", "expected integers");
}

/* Checks that both ends are below 1, or both are integers. */
static bool hole_side_check(const struct range *r, const char *name, const struct value *step,
                            struct faults *faults)
{
    if (r->hi < 1)
        return true;
    if (r->lo < 1)
        return value_fault(faults, value_get(step, name), false, "param-range",
                           "%g is a share of the image, but %g is in pixels; use the same unit "
                           "for both",
                           r->lo, r->hi);
    return whole_check(r, name, step, faults);
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return whole_check(&p->num_holes_range, "num_holes_range", step, faults) &&
           hole_side_check(&p->hole_height_range, "hole_height_range", step, faults) &&
           hole_side_check(&p->hole_width_range, "hole_width_range", step, faults);
}

/* Draws a length from one pixel to the whole side. */
static int draw_side(struct rng *rng, const struct range *r, int side)
{
    double v = r->hi < 1 ? floor(side * rng_between(rng, r->lo, r->hi))
                         : (double)rng_integer(rng, (int64_t)r->lo, (int64_t)r->hi + 1);

    return (int)fmin(side, fmax(1, v));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct range n = p->num_holes_range;
    struct rects holes = { .n = (size_t)rng_integer(run->rng, (int64_t)n.lo, (int64_t)n.hi + 1) };
    struct rect *hole = ARENA_ARRAY(run->arena, struct rect, holes.n);
    int64_t key;

    for (size_t i = 0; i < holes.n; i++) {
        hole[i].h = draw_side(run->rng, &p->hole_height_range, run->frame.height);
        hole[i].w = draw_side(run->rng, &p->hole_width_range, run->frame.width);
        hole[i].y = (int)rng_integer(run->rng, 0, run->frame.height - hole[i].h + 1);
        hole[i].x = (int)rng_integer(run->rng, 0, run->frame.width - hole[i].w + 1);
    }
    holes.at = hole;
    key = draw_paint_key(run, &p->fill, p->noise);
    emit_shared(run, "coarse_dropout", RECTANGLES("holes", &holes), NUM("key", key));
}

const struct transform CoarseDropout_transform = {
    .name = "CoarseDropout",
    .summary = "paint over a few rectangles of random place and size with probability `p`",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "boxes are unchanged unless `labels` is \"shrink\"; Albumentations always "
               "refits them",
    .example = "{\"type\": \"CoarseDropout\", \"p\": 1, \"num_holes_range\": [3, 6], "
               "\"hole_height_range\": [0.1, 0.25], \"hole_width_range\": [0.1, 0.25], "
               "\"labels\": \"shrink\"}",
    .emits = (const char *const[]){ "coarse_dropout", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
