/* motion_streak: a streak that fades, as ImageMagick's motion blur has it. */
#include "../op.h"
#include "../op/actions.h"
#include "../pixels/layers.h"

struct params {
    int radius;
    double sigma, angle;
};

static const struct row rows[] = {
    INTEGER(struct params, radius, .unit = "pixels", .limit = { 0, 127 }, .usual = { 0, 20 },
            .help = "half of how far the streak reaches"),
    NUMBER(struct params, sigma, .unit = "pixels", .limit = { 0.1, 1000 }, .usual = { 3, 15 },
           .help = "standard deviation of the Gaussian by half of which it fades"),
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .limit = { -360, 360 },
           .usual = { -180, 180 },
           .help = "where what is smeared comes from: 0 from the right, 90 from below; what is "
                   "shown moves by a part of sigma the other way, and labels do not"),
    ROWS_END,
};

struct line {
    int n;
    struct tap *tap;
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct line *line = context;

    plane_convolve_taps(in, out, line->tap, line->n, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct line *line = ARENA_NEW(scene->arena, struct line);

    line->tap = streak_taps(scene->arena, p->radius, p->sigma, p->angle, &line->n);
    if (p->radius > 0)
        action_raster(out, raster, line);
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
