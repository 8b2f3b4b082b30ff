/* SafeRotate: rotates the image and shrinks it to stay whole on its canvas. */
#include "steps/transform.h"

struct params {
    struct range limit;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, limit, .preset = "[-90, 90]", .unit = "degrees", .limit = { -360, 360 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -180, 180 },
          .help = "range of the angle, counterclockwise; d means [-d, d]; the image keeps its "
                  "aspect ratio (Albumentations stretches it over the canvas)"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double angle = rng_between(run->rng, p->limit.lo, p->limit.hi);
    double c = fabs(cos(radians(angle))), s = fabs(sin(radians(angle)));
    double w = run->frame.width, h = run->frame.height;
    double scale = fmin(w / (w * c + h * s), h / (w * s + h * c));

    emit_shared(run, "affine", NUM("angle", -angle), NUM("scale", scale));
}

const struct transform SafeRotate_transform = {
    .name = "SafeRotate",
    .summary = "rotate at random and shrink to fit, with probability `p`",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the image keeps its aspect ratio; Albumentations scales width and height "
               "separately, so that the rotated image fills the canvas",
    .example = "{\"type\": \"SafeRotate\", \"limit\": 45, \"p\": 1}",
    .emits = (const char *const[]){ "affine", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
