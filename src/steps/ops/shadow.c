/* shadow: darkens the inside of a polygon. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/coverage.h"

struct params {
    struct tuples points;
    double intensity;
};

static const struct row rows[] = {
    TUPLES(struct params, points, .least = 3, .most = 2, .unit = "pixels",
           .limit = { -1000000, 1000000 }, .usual = { -10, 60 },
           .help = "outline, each point [x, y]; pixels with a nonzero winding number are in the "
                   "shadow, edge pixels in part"),
    NUMBER(struct params, intensity, .preset = "0.5", .limit = { 0, 1 },
           .help = "share of the light that is removed"),
    ROWS_END,
};

struct context {
    struct point *at;
    size_t n;
    float intensity;
};

struct row_shade {
    const float *share;
    float intensity;
};

static void darken(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct row_shade *shade = context;
    float *colour[3] = { r, g, b };

    (void)y;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] *= 1 - shade->intensity * shade->share[x + i];
}

static void shade(const void *context, const struct plane *in, struct plane *out, struct pool *pool)
{
    const struct context *c = context;
    struct plane room = pool_plane(pool, (struct frame){ in->width + 1, 1 }, 1, PIXEL_F32);
    float *share = room.px;

    for (int y = 0; y < in->height; y++) {
        struct plane from = plane_part(in, 0, y, in->width, 1);
        struct plane to = plane_part(out, 0, y, in->width, 1);

        cover_polygon(c->at, c->n, y, in->width, share);
        plane_colour_at(&from, &to, darken, &(struct row_shade){ share, c->intensity });
    }
    pool_return(pool, &room);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    *c = (struct context){ .at = ARENA_ARRAY(scene->arena, struct point, p->points.n),
                           .n = p->points.n,
                           .intensity = (float)p->intensity };
    for (size_t i = 0; i < c->n; i++)
        c->at[i] = (struct point){ p->points.at[2 * i], p->points.at[2 * i + 1] };
    if (p->intensity > 0)
        action_raster(out, shade, c);
    return true;
}

const struct op shadow_op = {
    .name = "shadow",
    .summary = "darken the inside of a polygon",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"shadow\", \"points\": [[10, 5], [90, 30], [60, 100], [15, 70]], "
               "\"intensity\": 0.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
