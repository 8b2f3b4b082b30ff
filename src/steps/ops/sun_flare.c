/* sun_flare: a glow around the sun, and discs of reflections in the lens. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"
#include "pixels/coverage.h"

struct params {
    double x, y, radius, strength;
    struct colour color;
    struct tuples circles;
};

enum { CIRCLE = 7 }; /* x, y, radius, alpha, red, green, blue */

static const struct row rows[] = {
    SUN_ROWS(struct params),
    NUMBER(struct params, radius, .preset = "400", .unit = "pixels", .limit = { 0, 1000000 },
           .above = true, .usual = { 5, 60 }, .help = "radius of the glow"),
    NUMBER(struct params, strength, .preset = "0.9", .limit = { 0, 1 },
           .help = "share of `color` at the sun; at distance d it is strength * (1 - (d / "
                   "radius)^2)^6"),
    COLOUR(struct params, color, .preset = "255",
           .help = "colour of the sun: a number, or one per channel"),
    TUPLES(struct params, circles, .preset = "[]", .most = CIRCLE, .limit = { -1000000, 1000000 },
           .usual = { 0, 1 },
           .help = "discs that are drawn before the glow, one after the other: each [x, y, radius, "
                   "alpha, red, green, blue]; alpha, 0..1, is the disc's share of the result"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    static const double max[CIRCLE] = { INFINITY, INFINITY, INFINITY, 1, 255, 255, 255 };
    const struct params *p = params;

    return circles_check(&p->circles, CIRCLE, max,
                         "[x, y, radius >= 0, alpha in 0..1, three colours in 0..255]", step,
                         faults);
}

struct circle {
    struct disc disc;
    float alpha, color[3];
};

struct context {
    float x, y, radius, strength, color[3];
    struct circle *circles;
    size_t n;
};

static void lay_over(float *const colour[3], const float over[3], float alpha,
                     const float *restrict share, int n)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] += (over[k] - colour[k][i]) * (share[i] * alpha);
}

static void glow(const struct context *c, int x, int y, float *restrict share, int n)
{
    float dx = (float)x + 0.5f - c->x, dy = (float)y + 0.5f - c->y,
          per = 1 / (c->radius * c->radius);

    for (int i = 0; i < n; i++) {
        float px = dx + (float)i, s = 1 - (px * px + dy * dy) * per;

        s = s > 0 ? s : 0;
        s = s * s * s;
        share[i] = s * s;
    }
}

static void dazzle(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct context *c = context;
    float *const colour[3] = { r, g, b }, share[PLACE_PIECE];

    for (size_t i = 0; i < c->n; i++) {
        const struct disc *disc = &c->circles[i].disc;
        float reach = disc->radius + 1, py = (float)y + 0.5f - disc->y;

        if (py * py > reach * reach || (float)x > disc->x + reach ||
            (float)(x + n) < disc->x - reach)
            continue;
        cover_disc(disc, x, y, n, share);
        lay_over(colour, c->circles[i].color, c->circles[i].alpha, share, n);
    }
    glow(c, x, y, share, n);
    lay_over(colour, c->color, c->strength, share, n);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    *c = (struct context){ .x = (float)p->x,
                           .y = (float)p->y,
                           .radius = (float)p->radius,
                           .strength = (float)p->strength,
                           .circles = ARENA_ARRAY(scene->arena, struct circle, p->circles.n),
                           .n = p->circles.n };
    scene_colour(scene, &p->color, c->color);
    for (size_t i = 0; i < c->n; i++) {
        const double *v = &p->circles.at[i * CIRCLE];
        struct colour color = { 3, { v[4], v[5], v[6] } };

        c->circles[i].disc = (struct disc){ (float)v[0], (float)v[1], (float)v[2] };
        c->circles[i].alpha = (float)v[3];
        scene_colour(scene, &color, c->circles[i].color);
    }
    if (p->strength > 0 || c->n)
        action_colours_at(scene, out, dazzle, c);
    return true;
}

const struct op sun_flare_op = {
    .name = "sun_flare",
    .summary = "the sun's glow, and its reflections in the lens",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"sun_flare\", \"x\": 100, \"y\": 30, \"radius\": 120, \"circles\": "
               "[[160, 90, 20, 0.2, 255, 230, 200], [190, 120, 8, 0.15, 220, 255, 220]]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
