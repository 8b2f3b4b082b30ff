/* magnitudes: the operations of AutoAugment's family, by name and strength, as torchvision's tables
 * have them; shared by the transforms that choose among them. */
#pragma once

#include "steps/transform.h"

/* In this order, so that each transform's choice is a range. */
enum operation {
    IDENTITY,
    SHEAR_X, /* those that move labels begin here */
    SHEAR_Y,
    TRANSLATE_X,
    TRANSLATE_Y,
    ROTATE,
    POSTERIZE, /* and those that only recolour here */
    SOLARIZE,
    AUTO_CONTRAST,
    EQUALIZE,
    BRIGHTNESS, /* AugMix may do without these four */
    COLOR,
    CONTRAST,
    SHARPNESS,
    INVERT, /* AutoAugment only */
};

/* How far the strongest of an operation goes. */
enum strengths {
    STRENGTHS_AUTO, /* AutoAugment, RandAugment */
    STRENGTHS_WIDE, /* TrivialAugmentWide */
    STRENGTHS_MIX,  /* AugMix */
};

/* What is the same for all operations of a transform, beside its OPERATION_ROWS. */
struct operations {
    enum strengths strengths;
    int bins; /* strengths between the weakest, bin 0, and the strongest; at least 2 */
};

/* Does its strength matter? */
bool operation_has_magnitude(enum operation);
/* Draw the sign, if the operation has one (half of the time it is negated), and emit it at a bin;
 * IDENTITY emits nothing. */
void emit_operation(struct run *, const struct operations *, enum operation, int bin);

/* clang-format off */
/* What may be emitted, for `emits`. */
#define OPERATION_OPS                                                                              \
    "affine", "rotate", "posterize", "solarize", "autocontrast", "equalize", "adjust_brightness",  \
    "adjust_saturation", "adjust_contrast", "adjust_sharpness"
#define OPERATION_ROWS(S, method)                                                                    \
    CHOICE(S, interpolation, .preset = "\"" method "\"", .choices = interpolation_choices,                    \
           .help = "interpolation method"),                                          \
    COLOUR(S, fill, .preset = "null",                                                              \
           .help = "value of pixels from outside: a number for all colour channels, or one per channel; "  \
                   "null: 0, and no alpha"),                                                       \
    INTEGER(S, fill_mask, .preset = "0", .limit = { 0, 65535 },                                    \
            .help = "label of mask pixels from outside")
#define BINS_ROW(S)                                                                                \
    INTEGER(S, num_magnitude_bins, .preset = "31", .limit = { 2, 1000 }, .usual = { 2, 40 },       \
            .help = "how many strengths there are, evenly apart")
/* clang-format on */
