/* illumination: uneven light. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

enum corner { CORNER_TOP_LEFT, CORNER_TOP_RIGHT, CORNER_BOTTOM_RIGHT, CORNER_BOTTOM_LEFT };

struct params {
    double intensity, angle, sigma;
    int mode, corner;
    struct list center;
};

static const struct choice corners[] = {
    { "top_left", CORNER_TOP_LEFT, "the top left corner" },
    { "top_right", CORNER_TOP_RIGHT, "the top right corner" },
    { "bottom_right", CORNER_BOTTOM_RIGHT, "the bottom right corner" },
    { "bottom_left", CORNER_BOTTOM_LEFT, "the bottom left corner" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"linear\"", .choices = light_choices,
           .help = "shape of the light"),
    NUMBER(struct params, intensity, .limit = { -1, 1 }, .usual = { -0.2, 0.2 },
           .help = "the factor for colours goes from 1 - intensity to 1 + intensity (linear); "
                   "it is 1 - intensity * distance in diagonals (corner), or 1 + intensity in "
                   "the middle of the spot (gaussian)"),
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .limit = { -360, 360 },
           .usual = { 0, 360 },
           .help = "linear: direction in which it becomes brighter; 0 is to the right, 90 down"),
    CHOICE(struct params, corner, .preset = "\"top_left\"", .choices = corners,
           .help = "corner: the corner that keeps its light"),
    LIST(struct params, center, .preset = "[0.5, 0.5]", .least = 2, .most = 2, .limit = { 0, 1 },
         .usual = { 0.1, 0.9 },
         .help = "gaussian: [x, y] of the spot's centre, as shares of width and height"),
    NUMBER(struct params, sigma, .preset = "0.5", .limit = { 0.01, 10 }, .usual = { 0.2, 1 },
           .help = "gaussian: the spot's standard deviation, as a share of the longer side"),
    ROWS_END,
};

/* A pixel's factor combines a number of its column and a number of its row. */
struct context {
    float *column, *row, slope;
};

static void multiply(float *const colour[3], const float *restrict factor, int n)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            colour[k][i] *= factor[i];
}

static void linear(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct context *c = context;
    float factor[PLACE_PIECE];

    for (int i = 0; i < n; i++)
        factor[i] = 1 + (c->column[x + i] + c->row[y]);
    multiply((float *const[]){ r, g, b }, factor, n);
}

static void corner(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct context *c = context;
    float factor[PLACE_PIECE];

    for (int i = 0; i < n; i++)
        factor[i] = 1 - c->slope * sqrtf(c->column[x + i] + c->row[y]);
    multiply((float *const[]){ r, g, b }, factor, n);
}

static void gaussian(const void *context, int x, int y, float *restrict r, float *restrict g,
                     float *restrict b, int n)
{
    const struct context *c = context;
    float factor[PLACE_PIECE];

    for (int i = 0; i < n; i++)
        factor[i] = 1 + c->column[x + i] * c->row[y];
    multiply((float *const[]){ r, g, b }, factor, n);
}

/* Fills a ramp from 0 at the first pixel to `end` at the last one. */
static void ramp(float *at, int n, double end)
{
    for (int i = 0; i < n; i++)
        at[i] = n > 1 ? (float)(end * i / (n - 1)) : 0;
}

static void squares(float *at, int n, double middle)
{
    for (int i = 0; i < n; i++)
        at[i] = (float)((i - middle) * (i - middle));
}

static void bell(float *at, int n, double middle, double sigma, double max)
{
    for (int i = 0; i < n; i++)
        at[i] = (float)(max * number_exp(-(i - middle) * (i - middle) / (2 * sigma * sigma)));
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int width = scene->frame.width, height = scene->frame.height;
    double w = width, h = height, radians = p->angle * M_PI / 180;
    double across = cos(radians), down = sin(radians), span = fabs(across) + fabs(down);
    double sigma = p->sigma * fmax(w, h);
    struct context *c = ARENA_NEW(scene->arena, struct context);

    if (p->intensity == 0)
        return true;
    c->column = ARENA_ARRAY(scene->arena, float, (size_t)width);
    c->row = ARENA_ARRAY(scene->arena, float, (size_t)height);
    c->slope = (float)(p->intensity / sqrt(w * w + h * h));
    switch ((enum illumination)p->mode) {
    case LIGHT_LINEAR:
        ramp(c->column, width, 2 * p->intensity * across / span);
        ramp(c->row, height, 2 * p->intensity * down / span);
        /* The darkest corner gets 1 - intensity. */
        for (int x = 0; x < width; x++)
            c->column[x] -=
                (float)(p->intensity * (1 + 2 * (fmin(across, 0) + fmin(down, 0)) / span));
        action_colours_at(scene, out, linear, c);
        break;
    case LIGHT_CORNER:
        squares(c->column, width,
                p->corner == CORNER_TOP_LEFT || p->corner == CORNER_BOTTOM_LEFT ? 0 : w - 1);
        squares(c->row, height,
                p->corner == CORNER_TOP_LEFT || p->corner == CORNER_TOP_RIGHT ? 0 : h - 1);
        action_colours_at(scene, out, corner, c);
        break;
    case LIGHT_GAUSSIAN:
        bell(c->column, width, w * p->center.at[0], sigma, p->intensity);
        bell(c->row, height, h * p->center.at[1], sigma, 1);
        action_colours_at(scene, out, gaussian, c);
    }
    return true;
}

const struct op illumination_op = {
    .name = "illumination",
    .summary = "uneven light from a side, from a corner, or on a spot",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"illumination\", \"mode\": \"gaussian\", \"intensity\": 0.4, "
               "\"center\": [0.3, 0.4], \"sigma\": 0.2}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
