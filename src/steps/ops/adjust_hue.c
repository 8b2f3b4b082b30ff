/* adjust_hue: rotates the color circle, in HSV. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/hue.h"
#include "pixels/samples.h"

struct params {
    double hue_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, hue_factor, .unit = "turns", .limit = { -0.5, 0.5 },
           .help = "fraction of the colour circle; 0 changes nothing, 0.5 and -0.5 give "
                   "complementary colours"),
    ROWS_END,
};

/* Rotates the hue; saturation and value stay. */
VARIANTS static void turn_hue(const void *context, float *restrict r, float *restrict g,
                              float *restrict b, int n)
{
    float shift = *(const float *)context * 6;

    for (int i = 0; i < n; i++) {
        float mx = hue_larger(r[i], hue_larger(g[i], b[i]));
        float mn = hue_smaller(r[i], hue_smaller(g[i], b[i])), span = mx - mn;
        float h = hue_wrap(hue_of(r[i], g[i], b[i], mx, span) + shift);

        r[i] = mn + span * hue_red(h);
        g[i] = mn + span * hue_green(h);
        b[i] = mn + span * hue_blue(h);
    }
}

/* A small change of hue is nearly a rotation about the gray axis, which is linear. HSV moves one
 * color at a time along a hexagon, a rotation moves all along a circle. Its error is within a
 * hundredth of the best linear function's. */
#define MAX_LINEAR 0.05

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

    if (p->hue_factor == 0 || scene->channels < 3)
        return true;
    turns = ARENA_NEW(scene->arena, float);
    *turns = (float)p->hue_factor;
    linear = rotation(p->hue_factor);
    action_colours(scene, out, turn_hue, turns, fabs(p->hue_factor) <= MAX_LINEAR ? &linear : NULL);
    return true;
}

const struct op adjust_hue_op = {
    .name = "adjust_hue",
    .summary = "rotate the hue; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"adjust_hue\", \"hue_factor\": 0.1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
