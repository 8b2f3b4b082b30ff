/* fog: mixes in the light of fog, more for rows that are farther away. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double intensity, horizon, near;
    struct colour color;
};

static const struct row rows[] = {
    NUMBER(struct params, intensity, .limit = { 0, 1 }, .usual = { 0.2, 0.9 },
           .help = "share of the fog at and above the horizon"),
    NUMBER(struct params, horizon, .preset = "0.4", .limit = { 0, 1 },
           .help = "position of the horizon from the top, as a share of the height; below it is a "
                   "plane in perspective, whose distance is proportional to 1 / (rows below the "
                   "horizon)"),
    NUMBER(struct params, near, .preset = "0.08", .limit = { 0, 1 }, .above = true,
           .help = "distance of the bottom of the image relative to the horizon's: the fog's "
                   "share in a row at distance d, at most 1, is intensity * (1 - 0.05^d) / 0.95"),
    COLOUR(struct params, color, .preset = "255",
           .help = "colour of the fog: a number, or one per channel"),
    ROWS_END,
};

/* Transmission of the densest fog at the horizon. */
static const double FAR = 0.05;

struct context {
    const float *through; /* per row: the share of the image that is visible */
    float color[3];
};

static void mix_in(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct context *c = context;
    float *colour[3] = { r, g, b }, through = c->through[y];

    (void)x;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] = colour[k][i] * through + c->color[k] * (1 - through);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);
    int height = scene->frame.height;
    float *through = ARENA_ARRAY(scene->arena, float, (size_t)height);

    for (int y = 0; y < height; y++) {
        double below = (y + 0.5) / height - p->horizon, near = p->near * (1 - p->horizon);
        double distance = below > near ? near / below : 1;

        through[y] = (float)(1 - p->intensity * (1 - number_power(FAR, distance)) / (1 - FAR));
    }
    c->through = through;
    scene_colour(scene, &p->color, c->color);
    if (p->intensity > 0)
        action_colours_at(scene, out, mix_in, c);
    return true;
}

const struct op fog_op = {
    .name = "fog",
    .summary = "fog that hides distant parts",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"fog\", \"intensity\": 0.8, \"horizon\": 0.4, \"color\": 230}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
