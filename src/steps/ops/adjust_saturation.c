/* adjust_saturation: moves colors away from each pixel's own gray, or towards it. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double saturation_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, saturation_factor, .limit = { 0, INFINITY }, .usual = { 0, 2 },
           .help = "0 is gray, 1 changes nothing, 2 doubles distances from gray"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    static const float luma[3] = { 0.2989f, 0.587f, 0.114f };
    const struct params *p = params;
    struct colour_matrix linear = { 0 };
    float *factor;

    if (p->saturation_factor == 1 || scene->channels < 3)
        return true;
    factor = ARENA_NEW(scene->arena, float);
    *factor = (float)p->saturation_factor;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            linear.m[i][j] = luma[j] * (1 - *factor) + (i == j ? *factor : 0);
    action_colours(scene, out, colour_saturate, factor, &linear);
    return true;
}

const struct op adjust_saturation_op = {
    .name = "adjust_saturation",
    .summary = "blend each pixel with its own gray; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"adjust_saturation\", \"saturation_factor\": 0.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
