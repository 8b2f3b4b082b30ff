/* glass_blur: exchanges pixels with nearby ones, as seen through frosted glass. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/float_layers.h"

struct params {
    double sigma;
    int max_delta, iterations;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, sigma, .preset = "0.7", .unit = "pixels", .limit = { 0.1, 50 },
           .usual = { 0.3, 1.5 },
           .help = "standard deviation of the Gaussian blur before and after; its kernel ends "
                   "at 4 deviations"),
    INTEGER(struct params, max_delta, .preset = "4", .unit = "pixels", .limit = { 1, 100 },
            .usual = { 1, 4 },
            .help = "distance of a pixel's new colour, along x and y: from -max_delta to "
                    "max_delta - 1 pixels; pixels nearer to the border are unchanged"),
    INTEGER(struct params, iterations, .preset = "2", .limit = { 1, 100 }, .usual = { 1, 3 },
            .help = "number of passes, from the last pixel to the first; a pixel that was "
                    "exchanged may be exchanged again"),
    KEY_ROW(struct params),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    plane_glass(in, out, context, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct glass *glass = ARENA_NEW(scene->arena, struct glass);

    glass->n = 2 * (int)(4 * p->sigma + 0.5) + 1;
    glass->k = gaussian_kernel(scene->arena, glass->n, p->sigma);
    glass->delta = p->max_delta;
    glass->iterations = p->iterations;
    glass->key = (uint32_t)p->key;
    action_raster(out, raster, glass);
    return true;
}

const struct op glass_blur_op = {
    .name = "glass_blur",
    .summary = "shuffle pixels locally, as frosted glass does; labels are unchanged",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"glass_blur\", \"sigma\": 1, \"max_delta\": 2, \"iterations\": 3, "
               "\"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
