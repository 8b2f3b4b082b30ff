/* downscale: shrinks the image and enlarges it again. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/filters.h"

struct params {
    double scale;
    int downscale, upscale;
    bool antialias;
};

static const struct row rows[] = {
    NUMBER(struct params, scale, .limit = { 0, 1 }, .above = true, .usual = { 0.1, 1 },
           .help = "scale of the smaller image's sides"),
    CHOICE(struct params, downscale, .preset = "\"nearest\"", .choices = resize_choices,
           .help = "interpolation for shrinking"),
    CHOICE(struct params, upscale, .preset = "\"nearest\"", .choices = resize_choices,
           .help = "interpolation for enlarging"),
    FLAG(struct params, antialias, .preset = "true", .help = "widen the filter when shrinking"),
    ROWS_END,
};

struct context {
    struct frame smaller;
    enum interpolation down, up;
    bool antialias;
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;

    plane_downscale(in, out, c->smaller, c->down, c->up, c->antialias, pool);
}

static int shrunken(int side, double scale)
{
    int to = round_half_even(side * scale);

    return to < 1 ? 1 : to;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_ARRAY(scene->arena, struct context, 1);

    c->smaller.width = shrunken(scene->frame.width, p->scale);
    c->smaller.height = shrunken(scene->frame.height, p->scale);
    c->down = (enum interpolation)p->downscale;
    c->up = (enum interpolation)p->upscale;
    c->antialias = p->antialias;
    if (!frame_equal(c->smaller, scene->frame))
        action_raster(out, raster, c);
    return true;
}

const struct op downscale_op = {
    .name = "downscale",
    .summary = "lose detail: shrink and enlarge again",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"downscale\", \"scale\": 0.25}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
