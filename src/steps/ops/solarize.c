/* solarize: inverts bright colors. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double threshold;
};

static const struct row rows[] = {
    NUMBER(struct params, threshold, .unit = "levels", .limit = { 0, 255 },
           .help = "lowest level that is inverted, on the scale 0..255"),
    ROWS_END,
};

static double turned(const void *context, double level)
{
    const struct params *p = context;

    return level >= p->threshold ? 255 - level : level;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    action_table(scene, out, turned, params);
    return true;
}

const struct op solarize_op = {
    .name = "solarize",
    .summary = "invert bright colours",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"solarize\", \"threshold\": 96}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
