/* scale_by_mean: applies a factor, and adds a share of the image's mean luma. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double factor, mean_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, factor, .preset = "1", .limit = { 0, INFINITY }, .usual = { 0.4, 1.6 },
           .help = "factor for colours"),
    NUMBER(struct params, mean_factor, .limit = { -10, 10 }, .usual = { -0.5, 0.5 },
           .help = "share of the mean luma that is then added"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    action_line(scene, out, p->factor, p->mean_factor * scene->luma);
    return true;
}

const struct op scale_by_mean_op = {
    .name = "scale_by_mean",
    .summary = "multiply all colours and add a share of the image's mean luma",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"scale_by_mean\", \"factor\": 1.2, \"mean_factor\": -0.3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_LUMA,
    .resolve = resolve,
};
