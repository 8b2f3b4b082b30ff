/* adjust_contrast: moves colors away from the image's mean luma, or towards it. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double contrast_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, contrast_factor, .limit = { 0, INFINITY }, .usual = { 0.2, 1.9 },
           .help = "0 is gray, 1 changes nothing, 2 doubles distances from the mean"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double factor = p->contrast_factor;

    if (factor != 1)
        action_line(scene, out, factor, scene->luma * (1 - factor));
    return true;
}

const struct op adjust_contrast_op = {
    .name = "adjust_contrast",
    .summary = "blend with the image's mean gray",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_LUMA,
    .resolve = resolve,
};
