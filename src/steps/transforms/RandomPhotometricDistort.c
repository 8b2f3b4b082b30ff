/* RandomPhotometricDistort: changes brightness, contrast, saturation, hue and the order of color
 * channels, each with its own probability, as in SSD (Liu et al. 2016). */
#include "steps/transform.h"

struct params {
    struct range brightness, contrast, saturation, hue;
    double p_each;
};

static const struct row rows[] = {
    RANGE(struct params, brightness, .preset = "[0.875, 1.125]", .limit = { 0, INFINITY },
          .help = "range of the factor"),
    RANGE(struct params, contrast, .preset = "[0.5, 1.5]", .limit = { 0, INFINITY },
          .help = "range of the factor; applied before or after saturation and hue, at random"),
    RANGE(struct params, saturation, .preset = "[0.5, 1.5]", .limit = { 0, INFINITY },
          .help = "range of the factor"),
    RANGE(struct params, hue, .preset = "[-0.05, 0.05]", .unit = "turns", .limit = { -0.5, 0.5 },
          .help = "range of the shift"),
    NUMBER(struct params, p_each, .preset = "0.5", .limit = { 0, 1 },
           .help = "probability of each change, torchvision's `p` (here `p` is the probability "
                   "of the step, as in all transforms)"),
    ROWS_END,
};

/* A change: whether it is made, and its value. */
struct distortion {
    const char *op, *name;
    bool done;
    double value;
};

static void draw_change(struct run *run, const struct range *range, struct distortion *c)
{
    const struct params *p = run->params;

    c->done = rng_unit(run->rng) < p->p_each;
    if (c->done)
        c->value = rng_between(run->rng, range->lo, range->hi);
}

static void emit_change(struct run *run, const struct distortion *c)
{
    if (c->done)
        emit(run, c->op, NUM(c->name, c->value));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct distortion brightness = { "adjust_brightness", "brightness_factor", false, 1 };
    struct distortion contrast = { "adjust_contrast", "contrast_factor", false, 1 };
    struct distortion saturation = { "adjust_saturation", "saturation_factor", false, 1 };
    struct distortion hue = { "adjust_hue", "hue_factor", false, 0 };
    bool contrast_first, permuted;

    draw_change(run, &p->brightness, &brightness);
    draw_change(run, &p->contrast, &contrast);
    draw_change(run, &p->saturation, &saturation);
    draw_change(run, &p->hue, &hue);
    contrast_first = rng_unit(run->rng) < 0.5;
    permuted = rng_unit(run->rng) < p->p_each;
    emit_change(run, &brightness);
    if (contrast_first)
        emit_change(run, &contrast);
    emit_change(run, &saturation);
    emit_change(run, &hue);
    if (!contrast_first)
        emit_change(run, &contrast);
    if (permuted)
        emit_permutation(run);
}

const struct transform RandomPhotometricDistort_transform = {
    .name = "RandomPhotometricDistort",
    .summary =
        "change brightness, contrast, saturation, hue and the order of colour channels, each "
        "with probability `p_each`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .note = "`p_each` is torchvision's `p`, which is the probability of the step here",
    .example = "{\"type\": \"RandomPhotometricDistort\"}",
    .emits = (const char *const[]){ "adjust_brightness", "adjust_contrast", "adjust_saturation",
                                    "adjust_hue", "permute_channels", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
