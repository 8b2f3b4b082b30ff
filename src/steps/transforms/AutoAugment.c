/* AutoAugment: runs one of 25 pairs of operations, each with its own probability (Cubuk et al.
 * 2019). */
#include "steps/transform_shared/magnitudes.h"

enum policy { POLICY_IMAGENET, POLICY_CIFAR10, POLICY_SVHN };
enum { PAIRS = 25, BINS = 10 };

static const struct choice policy_choices[] = {
    { "imagenet", POLICY_IMAGENET, "learned on ImageNet" },
    { "cifar10", POLICY_CIFAR10, "learned on CIFAR-10" },
    { "svhn", POLICY_SVHN, "learned on street view house numbers" },
    { 0 },
};

struct params {
    int policy, interpolation, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    CHOICE(struct params, policy, .preset = "\"imagenet\"", .choices = policy_choices,
           .help = "the pairs to choose from"),
    OPERATION_ROWS(struct params, "nearest"),
    ROWS_END,
};

/* torchvision's tables; bins of operations without a magnitude are 0. */
static const struct {
    enum operation operation;
    double chance;
    int bin;
} pairs[][PAIRS][2] = {
    [POLICY_IMAGENET] = {
        { { POSTERIZE, 0.4, 8 }, { ROTATE, 0.6, 9 } },
        { { SOLARIZE, 0.6, 5 }, { AUTO_CONTRAST, 0.6, 0 } },
        { { EQUALIZE, 0.8, 0 }, { EQUALIZE, 0.6, 0 } },
        { { POSTERIZE, 0.6, 7 }, { POSTERIZE, 0.6, 6 } },
        { { EQUALIZE, 0.4, 0 }, { SOLARIZE, 0.2, 4 } },
        { { EQUALIZE, 0.4, 0 }, { ROTATE, 0.8, 8 } },
        { { SOLARIZE, 0.6, 3 }, { EQUALIZE, 0.6, 0 } },
        { { POSTERIZE, 0.8, 5 }, { EQUALIZE, 1, 0 } },
        { { ROTATE, 0.2, 3 }, { SOLARIZE, 0.6, 8 } },
        { { EQUALIZE, 0.6, 0 }, { POSTERIZE, 0.4, 6 } },
        { { ROTATE, 0.8, 8 }, { COLOR, 0.4, 0 } },
        { { ROTATE, 0.4, 9 }, { EQUALIZE, 0.6, 0 } },
        { { EQUALIZE, 0, 0 }, { EQUALIZE, 0.8, 0 } },
        { { INVERT, 0.6, 0 }, { EQUALIZE, 1, 0 } },
        { { COLOR, 0.6, 4 }, { CONTRAST, 1, 8 } },
        { { ROTATE, 0.8, 8 }, { COLOR, 1, 2 } },
        { { COLOR, 0.8, 8 }, { SOLARIZE, 0.8, 7 } },
        { { SHARPNESS, 0.4, 7 }, { INVERT, 0.6, 0 } },
        { { SHEAR_X, 0.6, 5 }, { EQUALIZE, 1, 0 } },
        { { COLOR, 0.4, 0 }, { EQUALIZE, 0.6, 0 } },
        { { EQUALIZE, 0.4, 0 }, { SOLARIZE, 0.2, 4 } },
        { { SOLARIZE, 0.6, 5 }, { AUTO_CONTRAST, 0.6, 0 } },
        { { INVERT, 0.6, 0 }, { EQUALIZE, 1, 0 } },
        { { COLOR, 0.6, 4 }, { CONTRAST, 1, 8 } },
        { { EQUALIZE, 0.8, 0 }, { EQUALIZE, 0.6, 0 } },
    },
    [POLICY_CIFAR10] = {
        { { INVERT, 0.1, 0 }, { CONTRAST, 0.2, 6 } },
        { { ROTATE, 0.7, 2 }, { TRANSLATE_X, 0.3, 9 } },
        { { SHARPNESS, 0.8, 1 }, { SHARPNESS, 0.9, 3 } },
        { { SHEAR_Y, 0.5, 8 }, { TRANSLATE_Y, 0.7, 9 } },
        { { AUTO_CONTRAST, 0.5, 0 }, { EQUALIZE, 0.9, 0 } },
        { { SHEAR_Y, 0.2, 7 }, { POSTERIZE, 0.3, 7 } },
        { { COLOR, 0.4, 3 }, { BRIGHTNESS, 0.6, 7 } },
        { { SHARPNESS, 0.3, 9 }, { BRIGHTNESS, 0.7, 9 } },
        { { EQUALIZE, 0.6, 0 }, { EQUALIZE, 0.5, 0 } },
        { { CONTRAST, 0.6, 7 }, { SHARPNESS, 0.6, 5 } },
        { { COLOR, 0.7, 7 }, { TRANSLATE_X, 0.5, 8 } },
        { { EQUALIZE, 0.3, 0 }, { AUTO_CONTRAST, 0.4, 0 } },
        { { TRANSLATE_Y, 0.4, 3 }, { SHARPNESS, 0.2, 6 } },
        { { BRIGHTNESS, 0.9, 6 }, { COLOR, 0.2, 8 } },
        { { SOLARIZE, 0.5, 2 }, { INVERT, 0, 0 } },
        { { EQUALIZE, 0.2, 0 }, { AUTO_CONTRAST, 0.6, 0 } },
        { { EQUALIZE, 0.2, 0 }, { EQUALIZE, 0.6, 0 } },
        { { COLOR, 0.9, 9 }, { EQUALIZE, 0.6, 0 } },
        { { AUTO_CONTRAST, 0.8, 0 }, { SOLARIZE, 0.2, 8 } },
        { { BRIGHTNESS, 0.1, 3 }, { COLOR, 0.7, 0 } },
        { { SOLARIZE, 0.4, 5 }, { AUTO_CONTRAST, 0.9, 0 } },
        { { TRANSLATE_Y, 0.9, 9 }, { TRANSLATE_Y, 0.7, 9 } },
        { { AUTO_CONTRAST, 0.9, 0 }, { SOLARIZE, 0.8, 3 } },
        { { EQUALIZE, 0.8, 0 }, { INVERT, 0.1, 0 } },
        { { TRANSLATE_Y, 0.7, 9 }, { AUTO_CONTRAST, 0.9, 0 } },
    },
    [POLICY_SVHN] = {
        { { SHEAR_X, 0.9, 4 }, { INVERT, 0.2, 0 } },
        { { SHEAR_Y, 0.9, 8 }, { INVERT, 0.7, 0 } },
        { { EQUALIZE, 0.6, 0 }, { SOLARIZE, 0.6, 6 } },
        { { INVERT, 0.9, 0 }, { EQUALIZE, 0.6, 0 } },
        { { EQUALIZE, 0.6, 0 }, { ROTATE, 0.9, 3 } },
        { { SHEAR_X, 0.9, 4 }, { AUTO_CONTRAST, 0.8, 0 } },
        { { SHEAR_Y, 0.9, 8 }, { INVERT, 0.4, 0 } },
        { { SHEAR_Y, 0.9, 5 }, { SOLARIZE, 0.2, 6 } },
        { { INVERT, 0.9, 0 }, { AUTO_CONTRAST, 0.8, 0 } },
        { { EQUALIZE, 0.6, 0 }, { ROTATE, 0.9, 3 } },
        { { SHEAR_X, 0.9, 4 }, { SOLARIZE, 0.3, 3 } },
        { { SHEAR_Y, 0.8, 8 }, { INVERT, 0.7, 0 } },
        { { EQUALIZE, 0.9, 0 }, { TRANSLATE_Y, 0.6, 6 } },
        { { INVERT, 0.9, 0 }, { EQUALIZE, 0.6, 0 } },
        { { CONTRAST, 0.3, 3 }, { ROTATE, 0.8, 4 } },
        { { INVERT, 0.8, 0 }, { TRANSLATE_Y, 0, 2 } },
        { { SHEAR_Y, 0.7, 6 }, { SOLARIZE, 0.4, 8 } },
        { { INVERT, 0.6, 0 }, { ROTATE, 0.8, 4 } },
        { { SHEAR_Y, 0.3, 7 }, { TRANSLATE_X, 0.9, 3 } },
        { { SHEAR_X, 0.1, 6 }, { INVERT, 0.6, 0 } },
        { { SOLARIZE, 0.7, 2 }, { TRANSLATE_Y, 0.6, 7 } },
        { { SHEAR_Y, 0.8, 4 }, { INVERT, 0.8, 0 } },
        { { SHEAR_X, 0.7, 9 }, { TRANSLATE_Y, 0.8, 3 } },
        { { SHEAR_Y, 0.8, 5 }, { AUTO_CONTRAST, 0.7, 0 } },
        { { SHEAR_X, 0.7, 2 }, { INVERT, 0.1, 0 } },
    },
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct operations all = { STRENGTHS_AUTO, BINS };
    int64_t chosen = rng_integer(run->rng, 0, PAIRS);

    for (int i = 0; i < 2; i++)
        if (rng_unit(run->rng) < pairs[p->policy][chosen][i].chance)
            emit_operation(run, &all, pairs[p->policy][chosen][i].operation,
                           pairs[p->policy][chosen][i].bin);
}

const struct transform AutoAugment_transform = {
    .name = "AutoAugment",
    .summary = "run a pair of operations of a learned policy, with labels (which torchvision "
               "refuses)",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "labels move with the image; torchvision raises an error if there are any",
    .example = "{\"type\": \"AutoAugment\", \"policy\": \"svhn\"}",
    .emits = (const char *const[]){ OPERATION_OPS, "invert", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
