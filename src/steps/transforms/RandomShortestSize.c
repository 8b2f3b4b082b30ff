/* RandomShortestSize: resizes the shorter side to one of several lengths. */
#include "steps/transform.h"

struct params {
    struct list min_size;
    struct optional max_size;
    struct optional_range scale_range;
    int rounding, interpolation;
    bool between, antialias;
};

static const struct row rows[] = {
    LIST(struct params, min_size, .least = 1, .most = 16, .whole = true, .unit = "pixels",
         .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "lengths of the shorter side; one is drawn with equal probability"),
    FLAG(struct params, between, .preset = "false",
         .help = "draw any integer from the smallest of these lengths to the largest instead"),
    OPTIONAL(struct params, max_size, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 141, 200 },
             .help = "upper bound of the longer side; the shorter side follows"),
    OPTIONAL_RANGE(struct params, scale_range, .preset = "null", .limit = { 0, 100 }, .above = true,
                   .usual = { 0.5, 2 },
                   .help = "range of a random factor for both lengths, which are then rounded "
                           "down, as in MMDetection's RandomResize; null: none"),
    ROUNDING_ROW(struct params, "\"down\""),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

/* Draws the target length of the shorter side. */
static double drawn_size(struct run *run)
{
    const struct params *p = run->params;
    double min = p->min_size.at[0], max = min;

    if (!p->between)
        return p->min_size.at[rng_integer(run->rng, 0, p->min_size.n)];
    for (int i = 1; i < p->min_size.n; i++) {
        min = fmin(min, p->min_size.at[i]);
        max = fmax(max, p->min_size.at[i]);
    }
    return (double)rng_integer(run->rng, (int64_t)min, (int64_t)max + 1);
}

/* In integers: torchvision multiplies by a rounded ratio, which may lose a pixel. */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    bool upright = run->frame.height > run->frame.width;
    double shorter = upright ? run->frame.width : run->frame.height;
    double longer = upright ? run->frame.height : run->frame.width;
    double to = drawn_size(run);
    double max = p->max_size.number, to_longer, by;

    if (p->scale_range.given) {
        by = rng_between(run->rng, p->scale_range.range.lo, p->scale_range.range.hi);
        to = fmax(floor(to * by), 1);
        max = fmax(floor(max * by), 1);
    }
    to_longer = to * longer / shorter;
    if (p->max_size.given && to * longer > max * shorter) {
        to_longer = max;
        to = max * shorter / longer;
    }
    to = rounded_side(to, p->rounding);
    to_longer = rounded_side(to_longer, p->rounding);
    emit_resize(run, (int)(upright ? to_longer : to), (int)(upright ? to : to_longer));
}

const struct transform RandomShortestSize_transform = {
    .name = "RandomShortestSize",
    .summary = "resize the shorter side to one of several lengths, proportionally",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomShortestSize\", \"min_size\": [64, 80, 96], \"max_size\": 160}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
