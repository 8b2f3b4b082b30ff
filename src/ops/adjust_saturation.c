/* adjust_saturation: away from, or towards, each pixel's own gray. */
#include "../op.h"

struct params {
    double saturation_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, saturation_factor, .limit = { 0, INFINITY }, .usual = { 0, 2 },
           .help = "0 is gray, 1 changes nothing, 2 doubles distances from gray"),
    ROWS_END,
};

/* Gray is floored, as torchvision's tensors have it, so that factors above 2 stay within a level.
 */
static void from_gray(const void *context, float *rgb, int n)
{
    float factor = *(const float *)context, rest = 1 - factor;

    for (int i = 0; i < n; i++, rgb += 3) {
        float gray = floorf(0.2989f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2]) * rest;

        rgb[0] = gray + rgb[0] * factor;
        rgb[1] = gray + rgb[1] * factor;
        rgb[2] = gray + rgb[2] * factor;
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    float *factor;

    if (p->saturation_factor == 1 || scene->bands < 3)
        return true;
    factor = ARENA_NEW(scene->arena, float);
    *factor = (float)p->saturation_factor;
    out->family = COLOURS;
    out->u.colours.fn = from_gray;
    out->u.colours.context = factor;
    return true;
}

const struct op adjust_saturation_op = {
    .name = "adjust_saturation",
    .summary = "blend each pixel with its own gray; gray images stay",
    .example = "{\"type\": \"adjust_saturation\", \"saturation_factor\": 0.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = RECOLOURS,
    .resolve = resolve,
};
