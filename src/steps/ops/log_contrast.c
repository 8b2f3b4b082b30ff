/* log_contrast: maps levels along a logarithm. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double gain;
};

static const struct row rows[] = {
    NUMBER(struct params, gain, .preset = "1", .limit = { 0, 100 }, .usual = { 0.4, 1.6 },
           .help = "v becomes gain * log2(1 + v), where 1 is the full range"),
    ROWS_END,
};

static double curve(const void *context, double level)
{
    const struct params *p = context;

    return 255 * p->gain * number_log(1 + level / 255) / number_log(2);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    action_table(scene, out, curve, params);
    return true;
}

const struct op log_contrast_op = {
    .name = "log_contrast",
    .summary = "brighten dark levels along a logarithm",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"log_contrast\", \"gain\": 0.9}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
