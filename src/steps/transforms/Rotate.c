/* Rotate: rotates by a random angle with probability p. */
#include "steps/transform.h"

struct params {
    struct range limit;
    bool crop_border;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, limit, .preset = "[-90, 90]", .unit = "degrees", .limit = { -360, 360 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -180, 180 },
          .help = "range of the angle, counterclockwise; d means [-d, d]"),
    CROP_BORDER_ROW(struct params),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double angle = rng_between(run->rng, p->limit.lo, p->limit.hi);

    emit_shared(run, "rotate", NUM("angle", angle));
    if (p->crop_border)
        emit_without_border(run, angle);
}

const struct transform Rotate_transform = {
    .name = "Rotate",
    .summary = "rotate by a random angle with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Rotate\", \"limit\": 25, \"crop_border\": true, \"p\": 1}",
    .emits = (const char *const[]){ "rotate", "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
