/* ScaleJitter: fits the image into a size, then scales it at random. */
#include "steps/transform.h"

struct params {
    struct size target_size;
    struct range scale_range;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    SIZE(struct params, target_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "size into which the image fits at scale 1: [height, width] (in torchvision "
                 "[width, height]), or one number for a square"),
    RANGE(struct params, scale_range, .preset = "[0.1, 2]", .limit = { 0, 100 }, .above = true,
          .usual = { 0.5, 2 }, .help = "range of the scale"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double scale = rng_between(run->rng, p->scale_range.lo, p->scale_range.hi);
    double w = run->frame.width, h = run->frame.height;
    double to_w = p->target_size.width, to_h = p->target_size.height;

    if (to_h * w <= to_w * h)
        to_w = w * to_h / h;
    else
        to_h = h * to_w / w;
    emit_resize(run, (int)(to_h * scale), (int)(to_w * scale));
}

const struct transform ScaleJitter_transform = {
    .name = "ScaleJitter",
    .summary = "fit into a size, then scale at random",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ScaleJitter\", \"target_size\": [120, 160], \"scale_range\": [0.5, "
               "1.5]}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
