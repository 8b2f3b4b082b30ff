/* rgb_to_grayscale: converts colors to luma, in one channel or three. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"

struct params {
    int num_output_channels;
};

static const struct row rows[] = {
    CHANNELS_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return num_output_channels_check(p->num_output_channels, step, faults);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    static const struct colour_matrix linear = { { { 0.299f, 0.587f, 0.114f, 0 },
                                                   { 0.299f, 0.587f, 0.114f, 0 },
                                                   { 0.299f, 0.587f, 0.114f, 0 } } };
    const struct params *p = params;
    bool alpha = scene->channels == 2 || scene->channels == 4;

    out->channels = p->num_output_channels + alpha;
    if (scene->channels < 3 && out->channels == scene->channels)
        return true;
    action_colours(scene, out, colour_luma, NULL, &linear);
    return true;
}

const struct op rgb_to_grayscale_op = {
    .name = "rgb_to_grayscale",
    .summary = "convert to gray (luma); alpha is kept",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"rgb_to_grayscale\", \"num_output_channels\": 3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
