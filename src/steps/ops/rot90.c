/* rot90: rotates whole pixels counterclockwise by quarter turns. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    int k;
};

static const struct row rows[] = {
    INTEGER(struct params, k, .preset = "1", .limit = { -1000, 1000 }, .usual = { -4, 4 },
            .help = "number of counterclockwise quarter turns; below 0: clockwise"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    action_turn(scene, out, false, p->k);
    return true;
}

const struct op rot90_op = {
    .name = "rot90",
    .summary = "rotate counterclockwise by multiples of 90 degrees",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"rot90\", \"k\": 1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES | EFFECT_TURNS,
    .resolve = resolve,
};
