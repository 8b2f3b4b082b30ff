/* sharpen: strengthens each pixel relative to its neighbors. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double alpha, lightness;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
           .help = "share of the sharpened image, 0..1"),
    NUMBER(struct params, lightness, .preset = "1", .limit = { 0, 100 }, .usual = { 0.5, 1.5 },
           .help = "lightness of the sharpened image; 1 keeps the brightness, less darkens"),
    ROWS_END,
};

/* Albumentations' kernel: -1 around 8 + lightness, blended with the pixel by alpha. */
static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double effect[9] = { -1, -1, -1, -1, 8 + p->lightness, -1, -1, -1, -1 };

    action_kernel(scene, out, effect, p->alpha);
    return true;
}

const struct op sharpen_op = {
    .name = "sharpen",
    .summary = "sharpen by a kernel of 3x3 pixels; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"sharpen\", \"alpha\": 0.4}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
