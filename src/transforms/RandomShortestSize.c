/* RandomShortestSize: the shorter side becomes one of several lengths. */
#include "../transform.h"

struct params {
    struct list min_size;
    struct optional max_size;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    LIST(struct params, min_size, .least = 1, .most = 16, .whole = true, .unit = "pixels",
         .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "what the shorter side may become; one is drawn, each with equal probability"),
    OPTIONAL(struct params, max_size, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 141, 200 },
             .help = "the longer side's bound; the shorter one follows"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

/* In integers: torchvision's product with a rounded ratio may lose a pixel. */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    bool upright = run->frame.height > run->frame.width;
    double shorter = upright ? run->frame.width : run->frame.height;
    double longer = upright ? run->frame.height : run->frame.width;
    double to = p->min_size.at[rng_integer(run->rng, 0, p->min_size.n)];
    double to_longer = floor(to * longer / shorter);

    if (p->max_size.given && to * longer > p->max_size.number * shorter) {
        to_longer = p->max_size.number;
        to = floor(to_longer * shorter / longer);
    }
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
