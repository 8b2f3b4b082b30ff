/* scale_contrast: moves each color towards its own mean, or away from it. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double factor;
};

static const struct row rows[] = {
    NUMBER(struct params, factor, .limit = { 0, 1000 }, .usual = { 0.05, 1.9 },
           .help = "factor for the distances from the mean of each colour over the image"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double factor[3], offset[3];

    for (int k = 0; k < 3; k++) {
        factor[k] = p->factor;
        offset[k] = scene->moments->mean[k] * (1 - p->factor);
    }
    action_lines(scene, out, factor, offset);
    return true;
}

const struct op scale_contrast_op = {
    .name = "scale_contrast",
    .summary = "move each colour towards, or away from, its mean over the image",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"scale_contrast\", \"factor\": 0.3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_COVARIANCE,
    .resolve = resolve,
};
