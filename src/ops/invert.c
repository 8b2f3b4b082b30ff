/* invert: every colour becomes its complement. */
#include "../op.h"

static double complement(const void *context, double level)
{
    (void)context;
    return 255 - level;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)params;
    action_table(scene, out, complement, NULL);
    return true;
}

const struct op invert_op = {
    .name = "invert",
    .summary = "make a negative",
    .example = "{\"type\": \"invert\"}",
    .effect = RECOLOURS,
    .resolve = resolve,
};
