/* HEStain: changes the amounts of the stains of a tissue at random. */
#include "steps/transform.h"

enum { PRESET, RANDOM_PRESET };

struct params {
    int method, preset;
    struct range intensity_scale_range, intensity_shift_range;
    bool augment_background;
};

static const struct choice methods[] = {
    { "preset", PRESET, "the stains of `preset`" },
    { "random_preset", RANDOM_PRESET, "the stains of a random preset, all with equal probability" },
    { 0 },
};

static const struct choice presets[] = {
    { "ruifrok", 0, "by Ruifrok and Johnston" },
    { "macenko", 1, "by Macenko and others" },
    { "standard", 2, "for bright-field microscopy" },
    { "high_contrast", 3, "with more contrast" },
    { "h_heavy", 4, "mostly hematoxylin" },
    { "e_heavy", 5, "mostly eosin" },
    { "dark", 6, "dark" },
    { "light", 7, "light" },
    { 0 },
};

/* Optical densities in red, green and blue: the values of Albumentations' presets. */
static const double stains[][2][3] = {
    { { 0.644211, 0.716556, 0.266844 }, { 0.092789, 0.954111, 0.283111 } },
    { { 0.5626, 0.7201, 0.4062 }, { 0.2159, 0.8012, 0.5581 } },
    { { 0.65, 0.70, 0.29 }, { 0.07, 0.99, 0.11 } },
    { { 0.55, 0.88, 0.11 }, { 0.12, 0.86, 0.49 } },
    { { 0.75, 0.61, 0.32 }, { 0.04, 0.93, 0.36 } },
    { { 0.60, 0.75, 0.28 }, { 0.17, 0.95, 0.25 } },
    { { 0.78, 0.55, 0.28 }, { 0.09, 0.97, 0.21 } },
    { { 0.57, 0.71, 0.38 }, { 0.15, 0.89, 0.42 } },
};

static const struct row rows[] = {
    CHOICE(struct params, method, .preset = "\"random_preset\"", .choices = methods,
           .help = "how the stains are chosen"),
    CHOICE(struct params, preset, .preset = "\"standard\"", .choices = presets,
           .help = "the stains of the method \"preset\""),
    RANGE(struct params, intensity_scale_range, .preset = "[0.7, 1.3]", .limit = { 0, 10 },
          .usual = { 0.7, 1.3 }, .help = "range of the factor for the amounts of each stain"),
    RANGE(struct params, intensity_shift_range, .preset = "[-0.2, 0.2]", .limit = { -1, 1 },
          .usual = { -0.2, 0.2 }, .help = "range of the number that is then added to them"),
    FLAG(struct params, augment_background, .preset = "false",
         .help = "also change pixels with a luma of 0.85 or more; false: their amounts are "
                 "unchanged"),
    ROWS_END,
};

static double drawn(struct run *run, const struct range *range)
{
    return rng_between(run->rng, range->lo, range->hi);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int64_t any = rng_integer(run->rng, 0, (int64_t)(sizeof stains / sizeof *stains));
    const double(*stain)[3] = stains[p->method == PRESET ? p->preset : any];
    double h = drawn(run, &p->intensity_scale_range), e = drawn(run, &p->intensity_scale_range);
    double h_shift = drawn(run, &p->intensity_shift_range);
    double e_shift = drawn(run, &p->intensity_shift_range);

    emit_shared(run, "he_stain", NUMS("hematoxylin", 3, stain[0]), NUMS("eosin", 3, stain[1]),
                PAIR("scale", h, e), PAIR("shift", h_shift, e_shift));
}

const struct transform HEStain_transform = {
    .name = "HEStain",
    .summary = "change the amounts of hematoxylin and eosin in a tissue, at random",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "stains are presets and are not estimated from the image (methods \"vahadane\" "
               "and \"macenko\"); gray images are unchanged",
    .example = "{\"type\": \"HEStain\", \"method\": \"preset\", \"preset\": \"h_heavy\"}",
    .emits = (const char *const[]){ "he_stain", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
