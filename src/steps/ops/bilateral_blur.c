/* bilateral_blur: blurs but keeps edges. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    int d;
    double sigma_color, sigma_space;
};

static const struct row rows[] = {
    INTEGER(struct params, d, .unit = "pixels", .limit = { 1, 99 }, .usual = { 1, 9 },
            .help = "diameter of the neighbourhood, a disc; an even one is enlarged by 1, 1 "
                    "changes nothing"),
    NUMBER(struct params, sigma_color, .preset = "100", .limit = { 0.1, 1000 },
           .usual = { 10, 250 },
           .help = "how different mixed colours may be: standard deviation of the summed "
                   "differences of their values, on the scale 0..255"),
    NUMBER(struct params, sigma_space, .preset = "100", .unit = "pixels", .limit = { 0.1, 1000 },
           .usual = { 2, 250 }, .help = "standard deviation of distances"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;

    plane_bilateral(in, out, p->d / 2, p->sigma_color, p->sigma_space, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    (void)scene;
    if (p->d > 1)
        action_raster(out, raster, p);
    return true;
}

const struct op bilateral_blur_op = {
    .name = "bilateral_blur",
    .summary = "blur similar colours and keep edges; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"bilateral_blur\", \"d\": 9, \"sigma_color\": 60, \"sigma_space\": 5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
