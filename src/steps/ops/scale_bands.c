/* scale_bands: a factor and an offset for each color channel. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"

struct params {
    struct list factor, offset;
};

static const struct row rows[] = {
    LIST(struct params, factor, .preset = "1", .least = 1, .most = 3, .limit = { 0, INFINITY },
         .usual = { 0.4, 1.6 }, .help = "factor for colours: one number, or one per channel"),
    LIST(struct params, offset, .preset = "0", .least = 1, .most = 3, .unit = "levels",
         .limit = { -255, 255 }, .usual = { -60, 60 },
         .help = "then added, on the scale 0..255: one number, or one per channel"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return channels_check(&p->factor, "factor", step, faults) &&
           channels_check(&p->offset, "offset", step, faults);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double factor[3], offset[3];

    if (scene_channels(scene, &p->factor, factor) && scene_channels(scene, &p->offset, offset))
        action_lines(scene, out, factor, offset);
    return true;
}

const struct op scale_bands_op = {
    .name = "scale_bands",
    .summary = "multiply each colour channel and add to it; numbers for three channels leave gray "
               "images unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"scale_bands\", \"factor\": [1.2, 1, 0.7], \"offset\": 10}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
