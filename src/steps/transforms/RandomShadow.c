/* RandomShadow: darkens polygons of random outline. */
#include "steps/transform.h"

struct params {
    struct list shadow_roi, num_shadows_limit;
    int shadow_dimension;
    struct range shadow_intensity_range;
};

static const struct row rows[] = {
    LIST(struct params, shadow_roi, .preset = "[0, 0.5, 1, 1]", .least = 4, .most = 4,
         .limit = { 0, 1 },
         .help = "region of the shadows' corners: [left, top, right, bottom] as shares of "
                 "width and height"),
    LIST(struct params, num_shadows_limit, .ends = true, .preset = "[1, 2]", .least = 2, .most = 2,
         .whole = true, .limit = { 0, 100 }, .usual = { 1, 3 },
         .help = "range of the number of shadows, inclusive"),
    INTEGER(struct params, shadow_dimension, .preset = "5", .limit = { 3, 100 }, .usual = { 3, 9 },
            .help = "number of corners of each shadow; they are connected in order around "
                    "their middle, so that no outline crosses itself"),
    RANGE(struct params, shadow_intensity_range, .preset = "[0.5, 0.5]", .limit = { 0, 1 },
          .help = "range of the share of the light that is removed, drawn for each shadow"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = roi_check(&p->shadow_roi, "shadow_roi", step, faults);

    return ordered_check(&p->num_shadows_limit, "num_shadows_limit", step, faults) && good;
}

/* True if a comes before b in the order around the middle. */
static bool is_before(struct point a, struct point b, struct point middle)
{
    double ax = a.x - middle.x, ay = a.y - middle.y, bx = b.x - middle.x, by = b.y - middle.y;
    bool upper = ay < 0 || (ay == 0 && ax < 0), other = by < 0 || (by == 0 && bx < 0);

    return upper != other ? upper : ax * by - ay * bx > 0;
}

static void sort_around_middle(struct point *at, size_t n)
{
    struct point middle = { 0, 0 };

    for (size_t i = 0; i < n; i++) {
        middle.x += at[i].x / (double)n;
        middle.y += at[i].y / (double)n;
    }
    for (size_t i = 1; i < n; i++) {
        struct point p = at[i];
        size_t k = i;

        for (; k > 0 && is_before(p, at[k - 1], middle); k--)
            at[k] = at[k - 1];
        at[k] = p;
    }
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const double *roi = p->shadow_roi.at;
    int shadows = draw_whole(run, &p->num_shadows_limit);
    size_t n = (size_t)p->shadow_dimension;
    struct point *at = ARENA_ARRAY(run->arena, struct point, n);

    for (int i = 0; i < shadows; i++) {
        double intensity =
            rng_between(run->rng, p->shadow_intensity_range.lo, p->shadow_intensity_range.hi);

        for (size_t k = 0; k < n; k++) {
            at[k].x = rng_between(run->rng, roi[0], roi[2]) * run->frame.width;
            at[k].y = rng_between(run->rng, roi[1], roi[3]) * run->frame.height;
        }
        sort_around_middle(at, n);
        emit(run, "shadow", POINTS("points", n, at), NUM("intensity", intensity));
    }
}

const struct transform RandomShadow_transform = {
    .name = "RandomShadow",
    .summary = "shadows of random outline",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "corners are connected in order around their middle, not in the order in which "
               "they are drawn",
    .example = "{\"type\": \"RandomShadow\", \"p\": 0.5, \"shadow_intensity_range\": [0.3, 0.6]}",
    .emits = (const char *const[]){ "shadow", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
