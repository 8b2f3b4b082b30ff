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

/* With mx, mn the largest and smallest of r, g, b: hue in sixths is 0 at red, 2 at green, 4 at
 * blue. Saturation and value stay, so only the middle colour is recomputed. */
static void turn_hue(const void *context, float *rgb, int n)
{
    float shift = *(const float *)context * 6;

    for (int i = 0; i < n; i++, rgb += 3) {
        float r = rgb[0], g = rgb[1], b = rgb[2];
        float mx = fmaxf(r, fmaxf(g, b)), mn = fminf(r, fminf(g, b)), span = mx - mn, h;

        if (span <= 0)
            continue;
        if (mx == r)
            h = (g - b) / span;
        else if (mx == g)
            h = 2 + (b - r) / span;
        else
            h = 4 + (r - g) / span;
        h += shift;
        h -= 6 * floorf(h / 6);
        /* Each colour falls from mx to mn and rises again along the circle, two sixths apart. */
        rgb[0] = mn + span * fminf(1, fmaxf(0, fabsf(h - 3) - 1));
        rgb[1] = mn + span * fminf(1, fmaxf(0, 2 - fabsf(h - 2)));
        rgb[2] = mn + span * fminf(1, fmaxf(0, 2 - fabsf(h - 4)));
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    float *turns;

    if (p->hue_factor == 0 || scene->bands < 3)
        return true;
    turns = ARENA_NEW(scene->arena, float);
    *turns = (float)p->hue_factor;
    out->family = COLOURS;
    out->u.colours.fn = turn_hue;
    out->u.colours.context = turns;
    return true;
}

const struct op adjust_hue_op = {
    .name = "adjust_hue",
    .summary = "turn the colour circle; gray images stay",
    .example = "{\"type\": \"adjust_hue\", \"hue_factor\": 0.1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = RECOLOURS,
    .resolve = resolve,
};
