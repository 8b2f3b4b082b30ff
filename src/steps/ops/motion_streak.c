/* motion_streak: a streak that fades, as in ImageMagick's motion blur. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/float_layers.h"

struct params {
    int radius;
    double sigma, angle;
};

static const struct row rows[] = {
    INTEGER(struct params, radius, .unit = "pixels", .limit = { 0, 127 }, .usual = { 0, 20 },
            .help = "half of the streak's length"),
    NUMBER(struct params, sigma, .unit = "pixels", .limit = { 0.1, 1000 }, .usual = { 3, 15 },
           .help = "standard deviation of the half Gaussian by which the streak fades"),
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .limit = { -360, 360 },
           .usual = { -180, 180 },
           .help = "direction from which the streak comes: 0 from the right, 90 from below; "
                   "the picture shifts by a part of sigma in the other direction, but labels "
                   "do not"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int n = 0;
    const struct tap *tap = streak_taps(scene->arena, p->radius, p->sigma, p->angle, &n);

    if (p->radius > 0)
        action_taps(scene, out, tap, n);
    return true;
}

const struct op motion_streak_op = {
    .name = "motion_streak",
    .summary = "smear to one side, fading; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"motion_streak\", \"radius\": 15, \"sigma\": 8, \"angle\": 30}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
