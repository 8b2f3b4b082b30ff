/* adjust_contrast: away from, or towards, the image's mean luma. */
#include "../op.h"

struct params {
    double contrast_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, contrast_factor, .limit = { 0, INFINITY }, .usual = { 0.2, 1.9 },
           .help = "0 is gray, 1 changes nothing, 2 doubles distances from the mean"),
    ROWS_END,
};

struct context {
    double factor, mean;
};

static double from_mean(const void *context, double level)
{
    const struct context *c = context;

    return c->mean * (1 - c->factor) + level * c->factor;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context context = { p->contrast_factor, scene->luma };

    if (p->contrast_factor != 1)
        action_table(scene, out, from_mean, &context);
    return true;
}

const struct op adjust_contrast_op = {
    .name = "adjust_contrast",
    .summary = "blend with the image's mean gray",
    .example = "{\"type\": \"adjust_contrast\", \"contrast_factor\": 1.3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = RECOLOURS,
    .needs = LUMA,
    .resolve = resolve,
};
