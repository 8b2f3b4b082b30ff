/* grayscale_to_rgb: turns one color channel into three equal ones. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    static const struct colour_matrix linear = {
        { { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 0, 0, 1, 0 } }
    };

    (void)params;
    if (scene->channels >= 3)
        return true;
    out->channels = scene->channels + 2;
    action_colours(scene, out, colour_same, NULL, &linear);
    return true;
}

const struct op grayscale_to_rgb_op = {
    .name = "grayscale_to_rgb",
    .summary = "turn the gray channel into three equal ones; RGB images and alpha are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"grayscale_to_rgb\"}",
    .family = FAMILY_COLOURS,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
