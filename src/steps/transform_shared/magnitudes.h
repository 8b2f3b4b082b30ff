/* magnitudes: the operations of the AutoAugment family, by name and strength, as in torchvision's
 * tables; shared by the transforms that choose among them. */
#pragma once

#include "steps/transform.h"

/* The order makes the operations of each transform a range. */
enum operation {
    IDENTITY,
    SHEAR_X, /* operations that move labels begin here */
    SHEAR_Y,
    TRANSLATE_X,
    TRANSLATE_Y,
    ROTATE,
    POSTERIZE, /* operations that only recolor begin here */
    SOLARIZE,
    AUTO_CONTRAST,
    EQUALIZE,
    BRIGHTNESS, /* AugMix may exclude these four */
    COLOR,
    CONTRAST,
    SHARPNESS,
    INVERT, /* AutoAugment only */
};

/* How strong the strongest operation is. */
enum strengths {
    STRENGTHS_AUTO, /* AutoAugment, RandAugment */
    STRENGTHS_WIDE, /* TrivialAugmentWide */
    STRENGTHS_MIX,  /* AugMix */
};

/* Settings for all operations of a transform, in addition to its OPERATION_ROWS. */
struct operations {
    enum strengths strengths;
    int bins; /* number of strengths from the weakest, bin 0, to the strongest; at least 2 */
};

/* True if the operation's strength matters. */
bool operation_has_magnitude(enum operation);
/* Draws the sign, if the operation has one (negative half of the time), and emits the operation at
 * this bin. IDENTITY emits nothing. */
void emit_operation(struct run *, const struct operations *, enum operation, int bin);

/* clang-format off */
/* Ops that may be emitted, for `emits`. */
#define OPERATION_OPS                                                                              \
    "affine", "rotate", "posterize", "solarize", "autocontrast", "equalize", "adjust_brightness",  \
    "adjust_saturation", "adjust_contrast", "adjust_sharpness"
#define OPERATION_ROWS(S, method)                                                                  \
    CHOICE(S, interpolation, .preset = "\"" method "\"", .choices = interpolation_choices,         \
           .help = "interpolation method"),                                                        \
    COLOUR(S, fill, .preset = "null",                                                              \
           .help = "value of pixels from outside: a number for all colour channels, or one per "   \
                   "channel; null: 0, with alpha 0"),                                              \
    INTEGER(S, fill_mask, .preset = "0", .limit = { 0, 65535 },                                    \
            .help = "label of mask pixels from outside the image")
#define BINS_ROW(S)                                                                                \
    INTEGER(S, num_magnitude_bins, .preset = "31", .limit = { 2, 1000 }, .usual = { 2, 40 },       \
            .help = "number of strengths, evenly spaced")
/* clang-format on */
