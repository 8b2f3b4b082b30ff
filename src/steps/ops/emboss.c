/* emboss: a relief with light from the lower right. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double alpha, strength;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
           .help = "share of the filtered image"),
    NUMBER(struct params, strength, .preset = "0.5", .limit = { 0, 100 }, .usual = { 0.1, 1 },
           .help = "strength of the relief"),
    ROWS_END,
};

/* Albumentations' kernel, blended with the pixel by alpha; its weights sum to 1. */
static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double effect[9] = { -1 - p->strength, -p->strength,   0, -p->strength, 1, p->strength, 0,
                               p->strength,      1 + p->strength };

    action_kernel(scene, out, effect, p->alpha);
    return true;
}

const struct op emboss_op = {
    .name = "emboss",
    .summary = "raise edges like a relief, by a kernel of 3x3 pixels; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"emboss\", \"alpha\": 0.5, \"strength\": 0.7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
