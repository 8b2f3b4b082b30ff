/* RandomShortestSize: the shorter side becomes one of several lengths. */
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
         .help = "what the shorter side may become; one is drawn, each with equal probability"),
    FLAG(struct params, between, .preset = "false",
         .help = "instead, any whole length from the smallest of them to the largest"),
    OPTIONAL(struct params, max_size, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 141, 200 },
             .help = "the longer side's bound; the shorter one follows"),
    OPTIONAL_RANGE(struct params, scale_range, .preset = "null", .limit = { 0, 100 }, .above = true,
                   .usual = { 0.5, 2 },
                   .help = "a factor of both lengths, drawn, which are then rounded down, as in "
                           "MMDetection's RandomResize; null: none"),
    ROUNDING_ROW(struct params, "\"down\""),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

/* What the shorter side is to become. */
static double drawn_size(struct run *run)
{
    const struct params *p = run->params;
    double least = p->min_size.at[0], most = least;

    if (!p->between)
        return p->min_size.at[rng_integer(run->rng, 0, p->min_size.n)];
    for (int i = 1; i < p->min_size.n; i++) {
        least = fmin(least, p->min_size.at[i]);
        most = fmax(most, p->min_size.at[i]);
    }
    return (double)rng_integer(run->rng, (int64_t)least, (int64_t)most + 1);
}

/* In integers: torchvision's product with a rounded ratio may lose a pixel. */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    bool upright = run->frame.height > run->frame.width;
    double shorter = upright ? run->frame.width : run->frame.height;
    double longer = upright ? run->frame.height : run->frame.width;
    double to = drawn_size(run);
    double most = p->max_size.number, to_longer, by;

    if (p->scale_range.given) {
        by = rng_between(run->rng, p->scale_range.range.lo, p->scale_range.range.hi);
        to = fmax(floor(to * by), 1);
        most = fmax(floor(most * by), 1);
    }
    to_longer = to * longer / shorter;
    if (p->max_size.given && to * longer > most * shorter) {
        to_longer = most;
        to = most * shorter / longer;
    }
    to = rounded_side(to, p->rounding);
    to_longer = rounded_side(to_longer, p->rounding);
    emit_resize(run, (int)(upright ? to_longer : to), (int)(upright ? to : to_longer));
}

const struct transform RandomShortestSize_transform = {
    .name = "RandomShortestSize",
    .summary = "scale so that the shorter side has one of several lengths",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomShortestSize\", \"min_size\": [64, 80, 96], \"max_size\": 160}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
