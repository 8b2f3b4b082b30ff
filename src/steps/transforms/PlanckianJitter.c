/* PlanckianJitter: changes the color of the light, from warm to cold, along a physical curve. */
#include "steps/transform.h"

struct params {
    int mode, sampling_method;
    struct optional_range temperature_limit;
};

enum { BLACKBODY, CIED };
enum { UNIFORM, GAUSSIAN };

static const struct choice modes[] = {
    { "blackbody", BLACKBODY, "light of a black body, from 3000 K" },
    { "cied", CIED, "daylight, from 4000 K (CIE illuminants D)" },
    { 0 },
};

static const struct choice methods[] = {
    { "uniform", UNIFORM, "uniform on either side of 6000 K" },
    { "gaussian", GAUSSIAN,
      "half a normal distribution on either side of 6000 K, with a standard deviation of a "
      "third of that side" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"blackbody\"", .choices = modes, .help = "whose light"),
    OPTIONAL_RANGE(struct params, temperature_limit, .preset = "null", .unit = "K",
                   .limit = { 3000, 15000 },
                   .help = "range of the temperature; null: the full range of the mode. Four "
                           "of ten draws are below 6000 K, if the range allows it"),
    CHOICE(struct params, sampling_method, .preset = "\"uniform\"", .choices = methods,
           .help = "distribution of temperatures"),
    ROWS_END,
};

/* The color of white in the light of a temperature, up to a factor, every 500 K: the values
 * published with S. Zini et al., Planckian Jitter (ICLR 2023), which Kornia and Albumentations use
 * too. */
#define TABLE_STEP_KELVIN 500.0
#define WHITE 6000.0

static const double blackbody[][3] = {
    { 0.6743, 0.4029, 0.0013 }, { 0.6281, 0.4241, 0.1665 }, { 0.5919, 0.4372, 0.2513 },
    { 0.5623, 0.4457, 0.3154 }, { 0.5376, 0.4515, 0.3672 }, { 0.5163, 0.4555, 0.4103 },
    { 0.4979, 0.4584, 0.4468 }, { 0.4816, 0.4604, 0.4782 }, { 0.4672, 0.4619, 0.5053 },
    { 0.4542, 0.4630, 0.5289 }, { 0.4426, 0.4638, 0.5497 }, { 0.4320, 0.4644, 0.5681 },
    { 0.4223, 0.4648, 0.5844 }, { 0.4135, 0.4651, 0.5990 }, { 0.4054, 0.4653, 0.6121 },
    { 0.3980, 0.4654, 0.6239 }, { 0.3911, 0.4655, 0.6346 }, { 0.3847, 0.4656, 0.6444 },
    { 0.3787, 0.4656, 0.6532 }, { 0.3732, 0.4656, 0.6613 }, { 0.3680, 0.4655, 0.6688 },
    { 0.3632, 0.4655, 0.6756 }, { 0.3586, 0.4655, 0.6820 }, { 0.3544, 0.4654, 0.6878 },
    { 0.3503, 0.4653, 0.6933 },
};

static const double daylight[][3] = {
    { 0.5829, 0.4421, 0.2288 }, { 0.5510, 0.4514, 0.2948 }, { 0.5246, 0.4576, 0.3488 },
    { 0.5021, 0.4618, 0.3941 }, { 0.4826, 0.4646, 0.4325 }, { 0.4654, 0.4667, 0.4654 },
    { 0.4502, 0.4681, 0.4938 }, { 0.4364, 0.4692, 0.5186 }, { 0.4240, 0.4700, 0.5403 },
    { 0.4127, 0.4705, 0.5594 }, { 0.4023, 0.4709, 0.5763 }, { 0.3928, 0.4713, 0.5914 },
    { 0.3839, 0.4715, 0.6049 }, { 0.3757, 0.4716, 0.6171 }, { 0.3681, 0.4717, 0.6281 },
    { 0.3609, 0.4718, 0.6380 }, { 0.3543, 0.4719, 0.6472 }, { 0.3480, 0.4719, 0.6555 },
    { 0.3421, 0.4719, 0.6631 }, { 0.3365, 0.4719, 0.6702 }, { 0.3313, 0.4719, 0.6766 },
    { 0.3263, 0.4719, 0.6826 }, { 0.3217, 0.4719, 0.6882 },
};

static const struct light {
    double first, last; /* in K */
    const double (*colour)[3];
} lights[] = {
    [BLACKBODY] = { 3000, 15000, blackbody },
    [CIED] = { 4000, 15000, daylight },
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->temperature_limit.given && p->temperature_limit.range.lo < lights[p->mode].first)
        return value_fault(faults, value_get(step, "temperature_limit"), false, "param-range",
                           "the minimum of mode \"%s\" is %.0f K", choice_word(modes, p->mode),
                           lights[p->mode].first);
    return true;
}

/* If the range is on one side of 6000 K, only that side is used. */
static double draw_temperature(struct run *run, const struct range *r)
{
    const struct params *p = run->params;
    double white = fmin(r->hi, fmax(r->lo, WHITE)), end;
    bool warm = rng_unit(run->rng) < 0.4;

    warm = white > r->lo && (warm || white >= r->hi);
    end = warm ? r->lo : r->hi;
    if (p->sampling_method == UNIFORM)
        return rng_between(run->rng, white, end);
    white += fabs(rng_normal(run->rng, 0, 1)) * (end - white) / 3;
    return fmin(r->hi, fmax(r->lo, white));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct light *light = &lights[p->mode];
    struct range all = { light->first, light->last };
    double t =
        draw_temperature(run, p->temperature_limit.given ? &p->temperature_limit.range : &all);
    double at = fmin(t, light->last - TABLE_STEP_KELVIN) - light->first, part, colour[3], factor[3];
    size_t i = (size_t)(at / TABLE_STEP_KELVIN);

    part = (t - light->first) / TABLE_STEP_KELVIN - (double)i;
    for (int b = 0; b < 3; b++)
        colour[b] = (1 - part) * light->colour[i][b] + part * light->colour[i + 1][b];
    for (int b = 0; b < 3; b++)
        factor[b] = colour[b] / colour[1];
    emit(run, "scale_bands", NUMS("factor", 3, factor));
}

const struct transform PlanckianJitter_transform = {
    .name = "PlanckianJitter",
    .summary = "change the colour of the light, from warm to cold; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"PlanckianJitter\", \"mode\": \"cied\"}",
    .emits = (const char *const[]){ "scale_bands", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
