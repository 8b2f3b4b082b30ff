/* box_blur: the mean of a rectangle around each pixel. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"

struct params {
    struct list kernel_size;
};

static const struct row rows[] = {
    LIST(struct params, kernel_size, .least = 1, .most = 2, .whole = true, .odd = true,
         .unit = "pixels", .limit = { 1, 255 }, .usual = { 1, 15 },
         .help = "sides of the rectangle, odd; [x, y] or one number for both"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct list *size = context;

    (void)pool;
    plane_box(in, out, (int)size->at[0], (int)size->at[size->n - 1]);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct list *size = ARENA_ARRAY(scene->arena, struct list, 1);

    *size = p->kernel_size;
    if (size->at[0] > 1 || size->at[size->n - 1] > 1)
        action_raster(out, raster, size);
    return true;
}

const struct op box_blur_op = {
    .name = "box_blur",
    .summary = "blur by the mean of a rectangle; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"box_blur\", \"kernel_size\": [5, 5]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
