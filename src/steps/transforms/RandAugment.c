/* RandAugment: runs a number of random operations, all at one strength (Cubuk et al. 2020). */
#include "steps/transform_shared/magnitudes.h"

struct params {
    int num_ops, magnitude, num_magnitude_bins, interpolation, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    INTEGER(struct params, num_ops, .preset = "2", .limit = { 0, 100 }, .usual = { 1, 4 },
            .help = "number of operations, one after the other; an operation may be repeated"),
    INTEGER(struct params, magnitude, .preset = "9", .limit = { 0, 999 }, .usual = { 0, 30 },
            .help = "strength of all operations, from 0 to num_magnitude_bins - 1"),
    BINS_ROW(struct params),
    OPERATION_ROWS(struct params, "nearest"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct value *magnitude = value_get(step, "magnitude");

    return p->magnitude < p->num_magnitude_bins ||
           value_fault(faults, magnitude ? magnitude : step, false, "param-range",
                       "the maximum for %d bins is %d", p->num_magnitude_bins,
                       p->num_magnitude_bins - 1);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct operations all = { STRENGTHS_AUTO, p->num_magnitude_bins };

    for (int i = 0; i < p->num_ops; i++)
        emit_operation(run, &all, (enum operation)rng_integer(run->rng, IDENTITY, INVERT),
                       p->magnitude);
}

const struct transform RandAugment_transform = {
    .name = "RandAugment",
    .summary = "run a few operations at one strength, with labels (which torchvision refuses)",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "labels move with the image; torchvision raises an error if there are any",
    .example = "{\"type\": \"RandAugment\", \"num_ops\": 3, \"magnitude\": 12}",
    .emits = (const char *const[]){ OPERATION_OPS, NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
