/* Illumination: uneven light from a random side. */
#include "steps/transform.h"

enum { BRIGHTEN, DARKEN, BOTH };

struct params {
    int mode, effect_type;
    struct range intensity_range, angle_range, center_range, sigma_range;
};

static const struct choice effects[] = {
    { "brighten", BRIGHTEN, "the intensity is above 0" },
    { "darken", DARKEN, "the intensity is below 0" },
    { "both", BOTH, "either, with equal probability" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"linear\"", .choices = light_choices,
           .help = "shape of the light"),
    RANGE(struct params, intensity_range, .preset = "[0.01, 0.2]", .limit = { 0, 1 },
          .usual = { 0.01, 0.2 },
          .help = "range of the intensity: the largest difference of the factor from 1"),
    CHOICE(struct params, effect_type, .preset = "\"both\"", .choices = effects,
           .help = "sign of the intensity. For a corner, the effect is at the other corners: "
                   "brighten darkens pixels far from it, as in Albumentations"),
    RANGE(struct params, angle_range, .preset = "[0, 360]", .unit = "degrees",
          .limit = { -360, 360 }, .usual = { 0, 360 },
          .help = "linear: range of the direction in which it becomes brighter; 0 is to the "
                  "right, 90 down"),
    RANGE(struct params, center_range, .preset = "[0.1, 0.9]", .limit = { 0, 1 },
          .help = "gaussian: range of the spot's centre, as shares of width and of height"),
    RANGE(struct params, sigma_range, .preset = "[0.2, 1]", .limit = { 0.01, 10 },
          .usual = { 0.2, 1 },
          .help =
              "gaussian: range of the spot's standard deviation, as a share of the longer side"),
    ROWS_END,
};

static double drawn(struct run *run, const struct range *range)
{
    return rng_between(run->rng, range->lo, range->hi);
}

static void draw(struct run *run)
{
    static const char *const corners[] = { "top_left", "top_right", "bottom_right", "bottom_left" };
    const struct params *p = run->params;
    double intensity = drawn(run, &p->intensity_range);
    bool first = rng_unit(run->rng) < 0.5;
    double angle = drawn(run, &p->angle_range);
    int64_t corner = rng_integer(run->rng, 0, 4);
    double x = drawn(run, &p->center_range), y = drawn(run, &p->center_range);
    double sigma = drawn(run, &p->sigma_range);

    if (p->effect_type == DARKEN || (p->effect_type == BOTH && first))
        intensity = -intensity;
    emit_shared(run, "illumination", NUM("intensity", intensity), NUM("angle", angle),
                ((struct arg){ .name = "corner", .kind = ARG_WORD, .word = corners[corner] }),
                PAIR("center", x, y), NUM("sigma", sigma));
}

const struct transform Illumination_transform = {
    .name = "Illumination",
    .summary = "uneven light from a random side, from a corner, or on a spot",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "linear light goes from 1 - intensity to 1 + intensity at any angle (in "
               "Albumentations only at multiples of 45 degrees)",
    .example = "{\"type\": \"Illumination\", \"mode\": \"gaussian\", "
               "\"intensity_range\": [0.3, 0.5], \"sigma_range\": [0.2, 0.4]}",
    .emits = (const char *const[]){ "illumination", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
