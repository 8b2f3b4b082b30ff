/* RandomZoomOut: puts the image at a random place on a larger canvas. */
#include "steps/transform.h"

struct params {
    struct colour fill;
    int fill_mask;
    struct range side_range;
};

static const struct row rows[] = {
    FILL_ROWS(struct params),
    RANGE(struct params, side_range, .preset = "[1, 4]", .limit = { 1, 100 }, .usual = { 1, 4 },
          .help = "range of the canvas's size relative to the image"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double by = rng_between(run->rng, p->side_range.lo, p->side_range.hi);
    int x = (int)(run->frame.width * by) - run->frame.width;
    int y = (int)(run->frame.height * by) - run->frame.height;
    int left = (int)(x * rng_unit(run->rng)), top = (int)(y * rng_unit(run->rng));

    emit_shared(run, "pad", NUMS("padding", 4, ((double[]){ left, top, x - left, y - top })));
}

const struct transform RandomZoomOut_transform = {
    .name = "RandomZoomOut",
    .summary = "put the image at a random place on a larger canvas with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomZoomOut\", \"side_range\": [1, 2], \"fill\": 114, \"p\": 1}",
    .emits = (const char *const[]){ "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
