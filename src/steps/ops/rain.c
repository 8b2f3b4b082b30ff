/* rain: parallel streaks of light over a darkened image. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/coverage.h"
#include "pixels/filters.h"

struct params {
    double slant, drop_length, drop_width, brightness_coefficient;
    struct colour drop_color;
    int blur_value, drops;
    int64_t key;
};

static const struct row rows[] = {
    NUMBER(struct params, slant, .preset = "0", .unit = "degrees", .limit = { -90, 90 },
           .usual = { -20, 20 },
           .help = "angle of the streaks from the vertical; above 0 they fall to the right"),
    NUMBER(struct params, drop_length, .preset = "20", .unit = "pixels", .limit = { 0, 10000 },
           .above = true, .usual = { 5, 30 }, .help = "length of a streak"),
    NUMBER(struct params, drop_width, .preset = "1", .unit = "pixels", .limit = { 0, 1000 },
           .above = true, .usual = { 0.5, 3 }, .help = "width of a streak; edges are smooth"),
    COLOUR(struct params, drop_color, .preset = "200",
           .help = "added by a streak that covers a pixel: a number, or one per channel"),
    INTEGER(struct params, blur_value, .preset = "7", .odd = true, .unit = "pixels",
            .limit = { 1, 99 }, .usual = { 1, 9 },
            .help = "side of the box filter for the streaks; it does not blur the image"),
    NUMBER(struct params, brightness_coefficient, .preset = "0.7", .limit = { 0, 1 },
           .usual = { 0.5, 1 }, .help = "factor for all values, including the streaks"),
    INTEGER(struct params, drops, .preset = "100", .limit = { 0, 1000000 }, .usual = { 0, 60 },
            .help = "number of streaks, in the image and in the area around it from which they "
                    "reach into it"),
    KEY_ROW(struct params),
    ROWS_END,
};

struct context {
    struct streaks streaks;
    int blur;
    float color[3], brightness;
};

struct drop_context {
    const struct context *rain;
    const struct plane *cover;
};

static void add_drops(const void *context, int x, int y, float *restrict r, float *restrict g,
                      float *restrict b, int n)
{
    const struct drop_context *wet = context;
    const struct context *c = wet->rain;
    float *colour[3] = { r, g, b }, share[PLACE_PIECE];

    cover_load(wet->cover, x, y, n, share);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] = (colour[k][i] + c->color[k] * share[i]) * c->brightness;
}

static void rain(const void *context, const struct plane *in, struct plane *out, struct pool *pool)
{
    const struct context *c = context;
    struct frame frame = { in->width, in->height };
    struct plane cover = pool_plane(pool, frame, 1, in->type);

    cover_streaks(&cover, &c->streaks);
    if (c->blur > 1) {
        struct plane blurred = pool_plane(pool, frame, 1, in->type);

        plane_box(&cover, &blurred, c->blur, c->blur);
        pool_return(pool, &cover);
        cover = blurred;
    }
    plane_colour_at(in, out, add_drops, &(struct drop_context){ c, &cover });
    pool_return(pool, &cover);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    *c = (struct context){
        .streaks = { (uint32_t)p->key, (uint32_t)p->drops, sin(radians(p->slant)),
                     cos(radians(p->slant)), p->drop_length, p->drop_width },
        .blur = p->blur_value,
        .brightness = (float)p->brightness_coefficient,
    };
    scene_colour(scene, &p->drop_color, c->color);
    if (p->drops || p->brightness_coefficient != 1)
        action_raster(out, rain, c);
    return true;
}

const struct op rain_op = {
    .name = "rain",
    .summary = "parallel streaks of rain over a darker image",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"rain\", \"slant\": 10, \"drop_length\": 30, \"drop_width\": 2, "
               "\"blur_value\": 3, \"drops\": 200, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
