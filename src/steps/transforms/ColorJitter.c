/* ColorJitter: changes brightness, contrast, saturation and hue, in random order. */
#include "steps/transform.h"

struct params {
    struct optional_range brightness, contrast, saturation, hue;
};

static const struct row rows[] = {
    OPTIONAL_RANGE(struct params, brightness, .preset = "null", .limit = { 0, INFINITY },
                   .scalar = SCALAR_AROUND_1, .usual = { 0.5, 1.5 },
                   .help = "range of the factor; v means [max(0, 1 - v), 1 + v]; null: none"),
    OPTIONAL_RANGE(struct params, contrast, .preset = "null", .limit = { 0, INFINITY },
                   .scalar = SCALAR_AROUND_1, .usual = { 0.5, 1.5 },
                   .help = "range of the factor; v means [max(0, 1 - v), 1 + v]; null: none"),
    OPTIONAL_RANGE(struct params, saturation, .preset = "null", .limit = { 0, INFINITY },
                   .scalar = SCALAR_AROUND_1, .usual = { 0.5, 1.5 },
                   .help = "range of the factor; v means [max(0, 1 - v), 1 + v]; null: none"),
    OPTIONAL_RANGE(struct params, hue, .preset = "null", .unit = "turns", .limit = { -0.5, 0.5 },
                   .scalar = SCALAR_SYMMETRIC,
                   .help = "range of the shift; v means [-v, v]; null: none"),
    ROWS_END,
};

/* True if the range can change anything: torchvision treats a range of only "no change" like null.
 */
static bool has_change(const struct optional_range *r, double nothing)
{
    return r->given && (r->range.lo != nothing || r->range.hi != nothing);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct {
        const struct optional_range *range;
        double nothing;
        const char *op, *name;
    } change[] = {
        { &p->brightness, 1, "adjust_brightness", "brightness_factor" },
        { &p->contrast, 1, "adjust_contrast", "contrast_factor" },
        { &p->saturation, 1, "adjust_saturation", "saturation_factor" },
        { &p->hue, 0, "adjust_hue", "hue_factor" },
    };
    size_t order[COUNTOF(change)];
    double value[COUNTOF(change)] = { 0 };

    rng_permutation(run->rng, order, COUNTOF(order));
    for (size_t i = 0; i < COUNTOF(change); i++)
        if (has_change(change[i].range, change[i].nothing))
            value[i] = rng_between(run->rng, change[i].range->range.lo, change[i].range->range.hi);
    for (size_t k = 0; k < COUNTOF(order); k++) {
        size_t i = order[k];

        if (has_change(change[i].range, change[i].nothing))
            emit(run, change[i].op, NUM(change[i].name, value[i]));
    }
}

const struct transform ColorJitter_transform = {
    .name = "ColorJitter",
    .summary = "change brightness, contrast, saturation and hue in random order",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .note = "Albumentations has a transform of this name with other defaults: 0.8..1.2 each, "
            "hue -0.5..0.5, p 0.5",
    .example = "{\"type\": \"ColorJitter\", \"brightness\": 0.3, \"contrast\": 0.3, "
               "\"saturation\": 0.3, \"hue\": 0.05}",
    .emits = (const char *const[]){ "adjust_brightness", "adjust_contrast", "adjust_saturation",
                                    "adjust_hue", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
