/* zoom_blur: the mean of the image and its enlargements about the middle. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/float_layers.h"

struct params {
    double max_factor, step_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, max_factor, .limit = { 1, 10 }, .usual = { 1, 1.3 },
           .help = "upper bound of the zoom factors 1, 1 + step_factor, ...; the result is the "
                   "mean of the image and all these zooms of it"),
    NUMBER(struct params, step_factor, .preset = "0.01", .limit = { 0.001, 10 },
           .usual = { 0.01, 0.03 }, .help = "difference between one zoom factor and the next"),
    ROWS_END,
};

struct zooms {
    int n;
    double *factor;
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct zooms *zooms = context;

    (void)pool;
    plane_zoom_blur(in, out, zooms->factor, zooms->n);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct zooms *zooms = ARENA_NEW(scene->arena, struct zooms);

    zooms->n = (int)ceil((p->max_factor - 1) / p->step_factor); /* as numpy.arange counts */
    zooms->factor = ARENA_ARRAY(scene->arena, double, (size_t)zooms->n);
    for (int i = 0; i < zooms->n; i++)
        zooms->factor[i] = 1 + i * p->step_factor;
    if (zooms->n)
        action_raster(out, raster, zooms);
    return true;
}

const struct op zoom_blur_op = {
    .name = "zoom_blur",
    .summary = "blur outward from the middle, as by zooming in; labels stay",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"zoom_blur\", \"max_factor\": 1.21, \"step_factor\": 0.02}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
