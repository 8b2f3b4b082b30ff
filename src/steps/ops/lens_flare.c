/* lens_flare: the sun with diffraction streaks and reflections in the lens, all blurred, added by
 * the blend mode "screen".
 *
 * Formula: Albumentations' RandomSunFlare with method "physics_based" (add_sun_flare_physics_based
 * of 1.4 and 2.0). A black layer gets a disc of `color` around the sun. Four streaks of that
 * color follow, 2 pixels wide and as long as the image's longer side. They go to the right, the
 * lower right, down and the lower left. The circles come last.
 *
 * The layer is blurred by a Gaussian of deviation 15. It is multiplied by max(0, 1 - d / (0.7 *
 * longer side)) at distance d from the sun. Its red is blurred by a Gaussian of deviation 3, its
 * blue by one of 5. A value v, 0..255, and the layer's f become 255 - (255 - v) (255 - f) / 255. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"
#include "pixels/coverage.h"
#include "pixels/float_layers.h"

struct params {
    double x, y, radius;
    struct colour color;
    struct tuples circles;
};

enum { CIRCLE = 6, STREAKS = 4 }; /* x, y, radius, red, green, blue */

static const struct row rows[] = {
    SUN_ROWS(struct params),
    NUMBER(struct params, radius, .preset = "400", .unit = "pixels", .limit = { 0, 1000000 },
           .above = true, .usual = { 2, 30 }, .help = "radius of the sun, before blurring"),
    COLOUR(struct params, color, .preset = "255",
           .help = "colour of the sun and its streaks: a number, or one per channel"),
    TUPLES(struct params, circles, .preset = "[]", .most = CIRCLE, .limit = { -1000000, 1000000 },
           .usual = { 0, 1 },
           .help = "reflections: each [x, y, radius, red, green, blue], drawn over the sun and "
                   "its streaks before blurring"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    static const double max[CIRCLE] = { INFINITY, INFINITY, INFINITY, 255, 255, 255 };
    const struct params *p = params;

    return circles_check(&p->circles, CIRCLE, max, "[x, y, radius >= 0, three colours in 0..255]",
                         step, faults);
}

struct kernel {
    const float *at;
    int n;
};

struct circle {
    struct disc disc;
    float color[3];
};

struct context {
    float x, y, reach;
    struct point streak[STREAKS][4];
    struct circle *circles; /* the sun is the first */
    size_t n;
    struct kernel soft, fringe[3]; /* a channel without a fringe has none */
    int colours;
};

static void lay_over(float *restrict light, float over, const float *restrict share, int n)
{
    for (int i = 0; i < n; i++)
        light[i] += (over - light[i]) * share[i];
}

static void lay_circle(struct plane *layer, const struct circle *circle, int channel)
{
    float share[PLACE_PIECE], reach = circle->disc.radius + 1;

    for (int y = 0; y < layer->height; y++) {
        if (fabsf((float)y + 0.5f - circle->disc.y) > reach)
            continue;
        for (int x = 0; x < layer->width; x += PLACE_PIECE) {
            int n = layer->width - x < PLACE_PIECE ? layer->width - x : PLACE_PIECE;

            cover_disc(&circle->disc, x, y, n, share);
            lay_over(layer_row(layer, y) + x, circle->color[channel], share, n);
        }
    }
}

/* Draws the light of one channel before blurring; `share` is room for a row and one more value. */
static void lay_light(struct plane *layer, const struct context *c, int channel, float *share)
{
    for (int y = 0; y < layer->height; y++)
        for (int x = 0; x < layer->width; x++)
            layer_row(layer, y)[x] = 0;
    lay_circle(layer, &c->circles[0], channel);
    for (int y = 0; y < layer->height; y++)
        for (int k = 0; k < STREAKS; k++) {
            cover_polygon(c->streak[k], 4, y, layer->width, share);
            lay_over(layer_row(layer, y), c->circles[0].color[channel], share, layer->width);
        }
    for (size_t i = 1; i < c->n; i++)
        lay_circle(layer, &c->circles[i], channel);
}

static void fade(struct plane *layer, const struct context *c)
{
    for (int y = 0; y < layer->height; y++) {
        float dy = (float)y + 0.5f - c->y, *light = layer_row(layer, y);

        for (int x = 0; x < layer->width; x++) {
            float dx = (float)x + 0.5f - c->x, left = 1 - sqrtf(dx * dx + dy * dy) / c->reach;

            light[x] *= left > 0 ? left : 0;
        }
    }
}

/* Blurs `from` into `to`; swaps them if the kernel does nothing. */
static void blur(struct plane *from, struct plane *to, const struct kernel *k)
{
    struct plane other = *from;

    if (k->n)
        plane_convolve(from, to, k->at, k->n, k->at, k->n);
    else {
        *from = *to;
        *to = other;
    }
}

static void screen(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct plane *light = context;
    float *colour[3] = { r, g, b };

    for (int k = 0; k < 3; k++) {
        const float *f = layer_row(&light[k], y) + x;

        for (int i = 0; i < n; i++)
            colour[k][i] += f[i] * (255 - colour[k][i]) / 255;
    }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct context *c = context;
    struct frame frame = { in->width, in->height };
    struct plane row = layer_take(pool, (struct frame){ in->width + 1, 1 });
    struct plane spare = layer_take(pool, frame), light[3];

    for (int k = 0; k < c->colours; k++) {
        light[k] = layer_take(pool, frame);
        lay_light(&light[k], c, k, layer_row(&row, 0));
        blur(&light[k], &spare, &c->soft);
        fade(&spare, c);
        blur(&spare, &light[k], &c->fringe[k]);
    }
    for (int k = c->colours; k < 3; k++)
        light[k] = light[0];
    plane_colour_at(in, out, screen, light);
    for (int k = 0; k < c->colours; k++)
        pool_return(pool, &light[k]);
    pool_return(pool, &spare);
    pool_return(pool, &row);
}

/* Extends four standard deviations to both sides, as OpenCV does for floats. */
static struct kernel kernel(struct arena *arena, double sigma)
{
    int n = (int)(sigma * 8 + 1.5) | 1;

    return (struct kernel){ gaussian_kernel(arena, n, sigma), n };
}

/* Sets a streak, two pixels wide, from the sun in one of eight directions. */
static void set_streak(struct point *at, struct point sun, int eighth, double length)
{
    static const double half = 0.70710678118654752440;
    static const struct point along[STREAKS] = {
        { 1, 0 }, { half, half }, { 0, 1 }, { -half, half }
    };
    struct point to = along[eighth], side = { -to.y, to.x };
    struct point end = { sun.x + to.x * length, sun.y + to.y * length };

    at[0] = (struct point){ sun.x + side.x, sun.y + side.y };
    at[1] = (struct point){ sun.x - side.x, sun.y - side.y };
    at[2] = (struct point){ end.x - side.x, end.y - side.y };
    at[3] = (struct point){ end.x + side.x, end.y + side.y };
}

static void set_circle(const struct scene *scene, struct circle *circle, const double *v)
{
    struct colour color = { 3, { v[3], v[4], v[5] } };

    circle->disc = (struct disc){ (float)v[0], (float)v[1], (float)v[2] };
    scene_colour(scene, &color, circle->color);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);
    struct frame frame = scene->frame;
    int longer = frame.width > frame.height ? frame.width : frame.height;

    *c = (struct context){ .x = (float)p->x,
                           .y = (float)p->y,
                           .reach = 0.7f * (float)longer,
                           .circles = ARENA_ARRAY(scene->arena, struct circle, p->circles.n + 1),
                           .n = p->circles.n + 1,
                           .soft = kernel(scene->arena, 15),
                           .colours = scene->channels < 3 ? 1 : 3 };
    c->circles[0].disc = (struct disc){ c->x, c->y, (float)p->radius };
    scene_colour(scene, &p->color, c->circles[0].color);
    for (size_t i = 0; i < p->circles.n; i++)
        set_circle(scene, &c->circles[i + 1], &p->circles.at[i * CIRCLE]);
    for (int k = 0; k < STREAKS; k++)
        set_streak(c->streak[k], (struct point){ p->x, p->y }, k, longer);
    if (c->colours == 3) {
        c->fringe[0] = kernel(scene->arena, 3);
        c->fringe[2] = kernel(scene->arena, 5);
    }
    action_raster(out, raster, c);
    return true;
}

const struct op lens_flare_op = {
    .name = "lens_flare",
    .summary = "the sun with streaks and reflections in the lens, blurred",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"lens_flare\", \"x\": 100, \"y\": 30, \"radius\": 40, \"circles\": "
               "[[160, 90, 6, 255, 230, 200], [190, 120, 4, 220, 255, 220]]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
