/* shift_rgb: adds a number of levels to each color. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double r_shift, g_shift, b_shift;
};

#define SHIFT_ROW(f, colour)                                                                       \
    NUMBER(struct params, f, .preset = "0", .unit = "levels", .limit = { -255, 255 },              \
           .usual = { -60, 60 }, .help = "added to " colour ", on the scale 0..255")

static const struct row rows[] = {
    SHIFT_ROW(r_shift, "red"),
    SHIFT_ROW(g_shift, "green"),
    SHIFT_ROW(b_shift, "blue"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (scene->channels >= 3)
        action_lines(scene, out, (double[]){ 1, 1, 1 },
                     (double[]){ p->r_shift, p->g_shift, p->b_shift });
    return true;
}

const struct op shift_rgb_op = {
    .name = "shift_rgb",
    .summary = "add levels to each colour; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"shift_rgb\", \"r_shift\": 30, \"b_shift\": -40}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
