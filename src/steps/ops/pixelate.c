/* pixelate: blocks of one color each. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/float_layers.h"

struct params {
    double scale;
};

static const struct row rows[] = {
    NUMBER(struct params, scale, .limit = { 0, 1 }, .above = true, .usual = { 0.1, 1 },
           .help =
               "blocks per pixel of each side; their number is rounded down, and is at least 1"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct frame *smaller = context;

    (void)pool;
    plane_pixelate(in, out, *smaller);
}

static int blocks(int side, double scale)
{
    return side * scale < 1 ? 1 : (int)(side * scale);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame *smaller = ARENA_NEW(scene->arena, struct frame);

    smaller->width = blocks(scene->frame.width, p->scale);
    smaller->height = blocks(scene->frame.height, p->scale);
    if (!frame_equal(*smaller, scene->frame))
        action_raster(out, raster, smaller);
    return true;
}

const struct op pixelate_op = {
    .name = "pixelate",
    .summary = "replace blocks of pixels by their mean colour",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"pixelate\", \"scale\": 0.25}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
