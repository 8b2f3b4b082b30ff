/* magnitudes: the operations of the AutoAugment family, by name and strength. */
#include "steps/transform_shared/magnitudes.h"

/* Values at the greatest strength. posterize keeps `bits` at the weakest, and `fewer` less at the
 * strongest. */
static const struct {
    double shear, degrees, factor;
    int bits, fewer;
} strongest[] = {
    [STRENGTHS_AUTO] = { 0.3, 30, 0.9, 8, 4 },
    [STRENGTHS_WIDE] = { 0.99, 135, 0.99, 8, 6 },
    [STRENGTHS_MIX] = { 0.3, 30, 0.9, 4, 4 },
};

static const struct {
    const char *op, *parameter; /* of operations with one number, where 1 means no change */
    bool is_signed, has_magnitude;
} operations[] = {
    [SHEAR_X] = { .is_signed = true, .has_magnitude = true },
    [SHEAR_Y] = { .is_signed = true, .has_magnitude = true },
    [TRANSLATE_X] = { .is_signed = true, .has_magnitude = true },
    [TRANSLATE_Y] = { .is_signed = true, .has_magnitude = true },
    [ROTATE] = { .is_signed = true, .has_magnitude = true },
    [POSTERIZE] = { .has_magnitude = true },
    [SOLARIZE] = { .has_magnitude = true },
    [AUTO_CONTRAST] = { .op = "autocontrast" },
    [EQUALIZE] = { .op = "equalize" },
    [BRIGHTNESS] = { "adjust_brightness", "brightness_factor", true, true },
    [COLOR] = { "adjust_saturation", "saturation_factor", true, true },
    [CONTRAST] = { "adjust_contrast", "contrast_factor", true, true },
    [SHARPNESS] = { "adjust_sharpness", "sharpness_factor", true, true },
    [INVERT] = { .op = "invert" },
};

bool operation_has_magnitude(enum operation operation)
{
    return operations[operation].has_magnitude;
}

/* Returns atan(x) in degrees, for x in -1..1, the same on every platform. Three half-angle steps
 * reduce the angle to an eighth, for which the series converges fast. */
static double degrees_of_slope(double x)
{
    double sum = 0, power_of_x;

    for (int i = 0; i < 3; i++)
        x = x / (1 + sqrt(1 + x * x));
    power_of_x = x;
    for (int k = 1; k < 20; k += 2) {
        sum += power_of_x / k;
        power_of_x *= -x * x;
    }
    return 8 * sum * 57.29577951308232;
}

/* Returns a shift by whole pixels, rounded towards 0. Computed in integers, so that no pixel is
 * lost to rounding errors. */
static double shift(const struct operations *o, int side, int bin)
{
    int64_t part = bin, whole = o->bins - 1;

    if (o->strengths == STRENGTHS_WIDE)
        return (double)(32 * part / whole);
    if (o->strengths == STRENGTHS_MIX)
        return (double)(side * part / (3 * whole));
    return (double)(150 * side * part / (331 * whole));
}

static void emit_affine(struct run *run, const double shear[2], const double translate[2])
{
    emit_shared(run, "affine", NUMS("translate", 2, translate), NUMS("shear", 2, shear),
                PAIR("center", 0, 0));
}

/* Keeps 0 positive: -0 would print differently in the manifest. */
static double with_sign(double v, bool negated)
{
    return negated ? 0 - v : v;
}

static void emit_move(struct run *run, const struct operations *o, enum operation operation,
                      int bin, bool negated)
{
    double part = (double)bin / (o->bins - 1), shear[2] = { 0 }, translate[2] = { 0 };
    bool down = operation == SHEAR_Y || operation == TRANSLATE_Y;

    if (operation == ROTATE) {
        emit_shared(run, "rotate",
                    NUM("angle", with_sign(strongest[o->strengths].degrees * part, negated)));
        return;
    }
    if (operation == SHEAR_X || operation == SHEAR_Y)
        shear[down] = with_sign(degrees_of_slope(strongest[o->strengths].shear * part), negated);
    else
        translate[down] =
            with_sign(shift(o, down ? run->frame.height : run->frame.width, bin), negated);
    emit_affine(run, shear, translate);
}

void emit_operation(struct run *run, const struct operations *o, enum operation operation, int bin)
{
    const char *op = operations[operation].op, *parameter = operations[operation].parameter;
    bool negated = operations[operation].is_signed && rng_unit(run->rng) < 0.5;
    double part = (double)bin / (o->bins - 1);

    if (operation == IDENTITY)
        return;
    if (operation == POSTERIZE)
        emit(run, "posterize",
             NUM("bits", round_half_even(strongest[o->strengths].bits -
                                         strongest[o->strengths].fewer * part)));
    else if (operation == SOLARIZE)
        emit(run, "solarize", NUM("threshold", 255 * (1 - part)));
    else if (parameter)
        emit(run, op,
             NUM(parameter, 1 + with_sign(strongest[o->strengths].factor * part, negated)));
    else if (op)
        emit_plain(run, op);
    else
        emit_move(run, o, operation, bin, negated);
}
