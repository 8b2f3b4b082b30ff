/* sigmoid_contrast: maps levels along a sigmoid. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double gain, cutoff;
};

static const struct row rows[] = {
    NUMBER(struct params, gain, .preset = "5", .limit = { 0, 100 }, .usual = { 3, 10 },
           .help = "maximum slope of the curve"),
    NUMBER(struct params, cutoff, .preset = "0.5", .limit = { 0, 1 }, .usual = { 0.3, 0.6 },
           .help = "value that becomes half of the range: v becomes 1 / (1 + exp(gain * "
                   "(cutoff - v))), where 1 is the full range"),
    ROWS_END,
};

static double curve(const void *context, double level)
{
    const struct params *p = context;

    return 255 / (1 + number_exp(p->gain * (p->cutoff - level / 255)));
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    action_table(scene, out, curve, params);
    return true;
}

const struct op sigmoid_contrast_op = {
    .name = "sigmoid_contrast",
    .summary = "raise contrast along a sigmoid",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"sigmoid_contrast\", \"gain\": 8, \"cutoff\": 0.4}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
