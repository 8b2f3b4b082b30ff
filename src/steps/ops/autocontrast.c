/* autocontrast: stretches each channel to the full range. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct bounds {
    double lowest[3], highest[3]; /* per color channel, on the 0..255 scale */
};

static double stretched(const void *context, int channel, double level)
{
    const struct bounds *b = context;
    double lo = b->lowest[channel], hi = b->highest[channel];

    return hi > lo ? (level - lo) * 255 / (hi - lo) : level;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    int levels = scene_levels(scene);
    double unit = pixel_type_unit(scene->type);
    struct bounds bounds;

    (void)params;
    for (int c = 0; c < scene_colours(scene); c++) {
        const uint32_t *count = scene->histogram + c * levels;
        int lo = 0, hi = levels - 1;

        while (lo < hi && !count[lo])
            lo++;
        while (lo < hi && !count[hi])
            hi--;
        bounds.lowest[c] = lo / unit;
        bounds.highest[c] = hi / unit;
    }
    action_tables(scene, out, stretched, &bounds);
    return true;
}

const struct op autocontrast_op = {
    .name = "autocontrast",
    .summary = "stretch each channel to the full range; channels of one level are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"autocontrast\"}",
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_HISTOGRAM,
    .resolve = resolve,
};
