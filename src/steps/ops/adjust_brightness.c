/* adjust_brightness: multiplies all colors by a factor. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double brightness_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, brightness_factor, .limit = { 0, INFINITY }, .usual = { 0.2, 1.9 },
           .help = "0 is black, 1 changes nothing, 2 doubles"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->brightness_factor != 1)
        action_line(scene, out, p->brightness_factor, 0);
    return true;
}

const struct op adjust_brightness_op = {
    .name = "adjust_brightness",
    .summary = "multiply all colours",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1.2}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
