/* Spatter: rain or mud on the lens, with random parameters. */
#include "steps/transform.h"

enum { RAIN, MUD, EITHER };

struct params {
    struct range mean, std, gauss_sigma, cutout_threshold, intensity;
    struct colour color;
    int mode;
};

static const struct choice modes[] = {
    { "rain", RAIN, "clear drops with an edge, which add light" },
    { "mud", MUD, "splashes that hide the image" },
    { "either", EITHER, "either, with equal probability" },
    { 0 },
};

static const struct row rows[] = {
    RANGE(struct params, mean, .preset = "[0.65, 0.65]", .limit = { -10, 10 },
          .usual = { 0.6, 0.7 }, .help = "range of the mean of the noise for the drops"),
    RANGE(struct params, std, .preset = "[0.3, 0.3]", .limit = { 0, 10 }, .usual = { 0.2, 0.4 },
          .help = "range of the standard deviation of the noise"),
    RANGE(struct params, gauss_sigma, .preset = "[2, 2]", .unit = "pixels", .limit = { 0.1, 100 },
          .usual = { 1, 4 },
          .help = "range of the standard deviation of the Gaussian that smooths the noise"),
    RANGE(struct params, cutout_threshold, .preset = "[0.68, 0.68]", .limit = { -10, 10 },
          .usual = { 0.6, 0.7 },
          .help = "range of the threshold: drops are where the smoothed noise is above it"),
    RANGE(struct params, intensity, .preset = "[0.6, 0.6]", .limit = { 0.1, 100 },
          .usual = { 0.5, 1.5 },
          .help = "rain: range of the strongest drop's share of the colour; mud: range of the "
                  "standard deviation, in pixels, of the Gaussian that smooths its edges"),
    CHOICE(struct params, mode, .preset = "\"rain\"", .choices = modes, .help = "the liquid"),
    COLOUR(struct params, color, .preset = "null",
           .help = "a number, or one per channel; null: [175, 238, 238] for rain, [63, 42, 20] "
                   "for mud"),
    ROWS_END,
};

static struct arg drawn(struct run *run, const char *name, const struct range *range)
{
    return NUM(name, rng_between(run->rng, range->lo, range->hi));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct arg mean = drawn(run, "mean", &p->mean), std = drawn(run, "std", &p->std);
    struct arg sigma = drawn(run, "gauss_sigma", &p->gauss_sigma);
    struct arg threshold = drawn(run, "cutout_threshold", &p->cutout_threshold);
    struct arg intensity = drawn(run, "intensity", &p->intensity);
    bool mud = rng_unit(run->rng) < 0.5 ? p->mode != RAIN : p->mode == MUD;

    emit(run, "spatter", mean, std, sigma, threshold, intensity,
         WORD("mode", modes, mud ? MUD : RAIN), arg_colour("color", &p->color),
         NUM("key", draw_key(run)));
}

const struct transform Spatter_transform = {
    .name = "Spatter",
    .summary = "rain or mud on the lens",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .note = "a list of modes is `either`; mud is brown, and rain turquoise, on RGB images "
            "(Albumentations' defaults are those colours with red and blue exchanged)",
    .example = "{\"type\": \"Spatter\", \"mode\": \"either\", \"gauss_sigma\": [2, 4]}",
    .emits = (const char *const[]){ "spatter", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
