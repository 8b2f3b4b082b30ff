/* adjust_hue: turn the colour circle, through HSV. */
#include "../op.h"

struct params {
    double hue_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, hue_factor, .unit = "turns", .limit = { -0.5, 0.5 },
           .help = "part of the colour circle; 0 changes nothing, 0.5 and -0.5 give complements"),
    ROWS_END,
};

static inline float larger(float a, float b)
{
    return a > b ? a : b;
}

static inline float smaller(float a, float b)
{
    return a < b ? a : b;
}

/* Along the circle, in sixths, each colour is full for two, falls, is empty for two, and rises. */
static inline float full(float v)
{
    return smaller(1, larger(0, v));
}

/* With mx, mn the largest and smallest of r, g, b: hue in sixths is 0 at red, 2 at green, 4 at
 * blue. Saturation and value stay. Written without branches, for vectors. */
static void turn_hue(const void *context, float *restrict r, float *restrict g, float *restrict b,
                     int n)
{
    float shift = *(const float *)context * 6;

    for (int i = 0; i < n; i++) {
        float mx = larger(r[i], larger(g[i], b[i])), mn = smaller(r[i], smaller(g[i], b[i]));
        float span = mx - mn, per = 1 / (span > 0 ? span : 1);
        float at_red = (g[i] - b[i]) * per, at_green = 2 + (b[i] - r[i]) * per;
        float at_blue = 4 + (r[i] - g[i]) * per;
        float h = (mx == r[i] ? at_red : mx == g[i] ? at_green : at_blue) + shift;

        h = h < 0 ? h + 6 : h;
        h = h >= 6 ? h - 6 : h;
        r[i] = mn + span * full(fabsf(h - 3) - 1);
        g[i] = mn + span * full(2 - fabsf(h - 2));
        b[i] = mn + span * full(2 - fabsf(h - 4));
    }
}

/* A small turn is nearly a rotation about the gray axis, which is linear: HSV moves one colour at a
 * time on a hexagon where this moves all on a circle. Of all linear functions it is within a
 * hundredth of the nearest. */
#define MOST_LINEAR 0.05

static struct colour_matrix rotation(double turns)
{
    double c = cos(radians(360 * turns)), s = sin(radians(360 * turns)) / sqrt(3);
    float same = (float)((1 + 2 * c) / 3), next = (float)((1 - c) / 3 - s);
    float last = (float)((1 - c) / 3 + s);

    return (struct colour_matrix){
        { { same, next, last, 0 }, { last, same, next, 0 }, { next, last, same, 0 } }
    };
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct colour_matrix linear;
    float *turns;

    if (p->hue_factor == 0 || scene->bands < 3)
        return true;
    turns = ARENA_NEW(scene->arena, float);
    *turns = (float)p->hue_factor;
    linear = rotation(p->hue_factor);
    action_colours(scene, out, turn_hue, turns,
                   fabs(p->hue_factor) <= MOST_LINEAR ? &linear : NULL);
    return true;
}

const struct op adjust_hue_op = {
    .name = "adjust_hue",
    .summary = "turn the colour circle; gray images stay",
    .example = "{\"type\": \"adjust_hue\", \"hue_factor\": 0.1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = COLOURS,
    .effect = RECOLOURS,
    .resolve = resolve,
};
