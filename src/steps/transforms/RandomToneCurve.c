/* RandomToneCurve: maps levels along a random curve. */
#include "steps/transform.h"

struct params {
    double scale;
    bool per_channel;
};

static const struct row rows[] = {
    NUMBER(struct params, scale, .preset = "0.1", .limit = { 0, 1 },
           .help = "standard deviation of the heights of the curve's two control points, which "
                   "are normal with means 0.25 and 0.75, within 0..1; at 0, as in "
                   "Albumentations, the curve is still slightly S-shaped"),
    FLAG(struct params, per_channel, .preset = "false",
         .help = "draw a curve for each colour channel; gray images have one"),
    ROWS_END,
};

static void draw_heights(struct run *run, double mean, int n, double *to)
{
    const struct params *p = run->params;

    for (int b = 0; b < n; b++)
        to[b] = fmin(1, fmax(0, rng_normal(run->rng, mean, p->scale)));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int n = p->per_channel && run->channels >= 3 ? 3 : 1;
    double low[3], high[3];

    draw_heights(run, 0.25, n, low);
    draw_heights(run, 0.75, n, high);
    emit(run, "tone_curve", NUMS("low_y", (size_t)n, low), NUMS("high_y", (size_t)n, high));
}

const struct transform RandomToneCurve_transform = {
    .name = "RandomToneCurve",
    .summary = "map levels along a random curve",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomToneCurve\", \"scale\": 0.2, \"per_channel\": true}",
    .emits = (const char *const[]){ "tone_curve", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
