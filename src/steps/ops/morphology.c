/* morphology: grows or shrinks bright areas. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/filters.h"

struct params {
    int operation;
    struct size kernel_size;
};

static const struct row rows[] = {
    CHOICE(struct params, operation, .preset = "\"dilation\"", .choices = morphology_choices,
           .help = "new value of a pixel"),
    SIZE(struct params, kernel_size, .unit = "pixels", .limit = { 1, 255 }, .usual = { 1, 9 },
         .help = "[height, width] of the ellipse, or one number for a disc; for an even side, "
                 "the pixel after the middle is its centre"),
    ROWS_END,
};

struct context {
    struct frame kernel;
    bool largest;
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;

    (void)pool;
    plane_morphology(in, out, c->kernel, c->largest);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    c->kernel = (struct frame){ p->kernel_size.width, p->kernel_size.height };
    c->largest = p->operation == MORPHOLOGY_DILATION;
    if (c->kernel.width > 1 || c->kernel.height > 1)
        action_raster(out, raster, c);
    return true;
}

const struct op morphology_op = {
    .name = "morphology",
    .summary = "grow or shrink bright areas by an elliptical kernel; labels are unchanged",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"morphology\", \"operation\": \"erosion\", \"kernel_size\": [3, 5]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
