/* adjust_gamma: raises each color to a power. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double gamma, gain;
};

static const struct row rows[] = {
    NUMBER(struct params, gamma, .limit = { 0, INFINITY }, .usual = { 0.4, 2.5 },
           .help = "exponent: below 1 brightens dark colours, above 1 darkens them"),
    NUMBER(struct params, gain, .preset = "1", .limit = { 0, INFINITY }, .usual = { 0.5, 1.5 },
           .help = "factor for the result"),
    ROWS_END,
};

static double curve(const void *context, double level)
{
    const struct params *p = context;

    return 255 * fmin(1, p->gain * number_power(level / 255, p->gamma));
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->gamma != 1 || p->gain != 1)
        action_table(scene, out, curve, p);
    return true;
}

const struct op adjust_gamma_op = {
    .name = "adjust_gamma",
    .summary = "raise colours to a power",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"adjust_gamma\", \"gamma\": 0.7, \"gain\": 1.1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
