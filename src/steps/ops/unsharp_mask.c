/* unsharp_mask: moves pixels away from a Gaussian blur if they differ enough from it. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    int kernel_size;
    double sigma, alpha, threshold;
};

static const struct row rows[] = {
    INTEGER(struct params, kernel_size, .odd = true, .unit = "pixels", .limit = { 3, 255 },
            .usual = { 3, 15 }, .help = "number of taps of the blur; odd"),
    NUMBER(struct params, sigma, .preset = "0", .unit = "pixels", .limit = { 0, 1000 },
           .usual = { 0.5, 3 },
           .help = "standard deviation of the blur; 0: 0.15 * kernel_size + 0.35"),
    NUMBER(struct params, alpha, .limit = { 0, 10 }, .usual = { 0.1, 1 },
           .help = "share of the difference from the blur that is added"),
    NUMBER(struct params, threshold, .preset = "10", .unit = "levels", .limit = { 0, 255 },
           .usual = { 0, 20 },
           .help = "pixels that differ from the blur by at most this are unchanged"),
    ROWS_END,
};

struct context {
    const float *kernel;
    int n;
    float alpha, threshold;
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;

    plane_unsharp(in, out, c->kernel, c->n, c->alpha, c->threshold, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_ARRAY(scene->arena, struct context, 1);
    double sigma = p->sigma > 0 ? p->sigma : 0.15 * p->kernel_size + 0.35;

    c->n = p->kernel_size;
    c->kernel = gaussian_kernel(scene->arena, c->n, sigma);
    c->alpha = (float)p->alpha;
    c->threshold = (float)(p->threshold * pixel_type_unit(scene->type));
    if (p->alpha > 0)
        action_raster(out, raster, c);
    return true;
}

const struct op unsharp_mask_op = {
    .name = "unsharp_mask",
    .summary = "add the difference from a blur where it exceeds a threshold",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"unsharp_mask\", \"kernel_size\": 7, \"alpha\": 0.8}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
