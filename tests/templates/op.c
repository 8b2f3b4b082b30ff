/* NAME: brightens every colour by a number of levels. */
#include "../op.h"
#include "../op_actions.h"

struct params {
    double amount;
};

static const struct row rows[] = {
    NUMBER(struct params, amount, .unit = "levels", .limit = { -255, 255 }, .usual = { -40, 40 },
           .help = "added to every colour, on the scale 0..255"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->amount != 0)
        action_line(scene, out, 1, p->amount);
    return true;
}

const struct op NAME_op = {
    .name = "NAME",
    .summary = "add a number to all colours",
    .example = "{\"type\": \"NAME\", \"amount\": 12}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = TABLE,
    .linear = true,
    .effect = RECOLOURS,
    .resolve = resolve,
};
