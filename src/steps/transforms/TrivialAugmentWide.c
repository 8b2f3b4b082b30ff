/* TrivialAugmentWide: runs one operation at any strength, in wide ranges (Mueller, Hutter 2021). */
#include "steps/transform_shared/magnitudes.h"

struct params {
    int num_magnitude_bins, interpolation, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    BINS_ROW(struct params),
    OPERATION_ROWS(struct params, "nearest"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct operations all = { STRENGTHS_WIDE, p->num_magnitude_bins };
    enum operation operation = (enum operation)rng_integer(run->rng, IDENTITY, INVERT);
    int bin = 0;

    if (operation_has_magnitude(operation))
        bin = (int)rng_integer(run->rng, 0, all.bins);
    emit_operation(run, &all, operation, bin);
}

const struct transform TrivialAugmentWide_transform = {
    .name = "TrivialAugmentWide",
    .summary = "run one operation at a random strength, with labels (which torchvision refuses)",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "labels move with the image; torchvision raises an error if there are any",
    .example = "{\"type\": \"TrivialAugmentWide\", \"interpolation\": \"bilinear\"}",
    .emits = (const char *const[]){ OPERATION_OPS, NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
