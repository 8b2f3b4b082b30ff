/* median_blur: the median of a square around each pixel. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    int kernel_size;
};

static const struct row rows[] = {
    INTEGER(struct params, kernel_size, .odd = true, .unit = "pixels", .limit = { 1, 255 },
            .usual = { 1, 19 },
            .help = "side of the square; odd; each channel is filtered "
                    "separately"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    plane_median(in, out, *(const int *)context, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int *size = ARENA_ARRAY(scene->arena, int, 1);

    *size = p->kernel_size;
    if (*size > 1)
        action_raster(out, raster, size);
    return true;
}

const struct op median_blur_op = {
    .name = "median_blur",
    .summary = "replace each pixel by the median of a square; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"median_blur\", \"kernel_size\": 5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
