/* tone_curve: maps levels along a Bezier curve from black to white. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"

struct params {
    struct list low_y, high_y;
};

static const struct row rows[] = {
    LIST(struct params, low_y, .least = 1, .most = 3, .limit = { 0, 1 },
         .help = "height of the curve's control point at a third of the range (a third changes "
                 "nothing): one number, or one per channel"),
    LIST(struct params, high_y, .least = 1, .most = 3, .limit = { 0, 1 },
         .help = "the same at two thirds"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return channels_check(&p->low_y, "low_y", step, faults) &&
           channels_check(&p->high_y, "high_y", step, faults);
}

struct heights {
    double low[3], high[3];
};

/* The curve has the control points (0, 0), (1/3, low), (2/3, high), (1, 1). The level is its
 * parameter. */
static double curve(const void *context, int channel, double level)
{
    const struct heights *y = context;
    double t = level / 255, rest = 1 - t;

    return 255 * t * (3 * rest * (rest * y->low[channel] + t * y->high[channel]) + t * t);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct heights y;

    if (scene_channels(scene, &p->low_y, y.low) && scene_channels(scene, &p->high_y, y.high))
        action_tables(scene, out, curve, &y);
    return true;
}

const struct op tone_curve_op = {
    .name = "tone_curve",
    .summary =
        "map levels along a Bezier curve from black to white; numbers for three channels leave "
        "gray images unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"tone_curve\", \"low_y\": 0.1, \"high_y\": 0.9}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
