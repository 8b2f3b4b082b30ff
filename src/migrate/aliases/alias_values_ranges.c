/* alias_values_ranges: ranges, probabilities and colors, as templates print them. */
#include "migrate/aliases/alias_values.h"

#include <math.h>
#include <string.h>

static bool print_two(struct text *out, double lo, double hi)
{
    text_addf(out, "[%.6g, %.6g]", lo, hi);
    return true;
}

/* Returns a member that is a number, or NULL. */
static const struct value *number_in(const struct value *v, const char *name)
{
    const struct value *member = v->kind == VALUE_OBJECT ? value_get(v, name) : NULL;

    return member && member->kind == VALUE_NUMBER ? member : NULL;
}

/* Prints the difference from `whole`; for a probability, the complement. */
bool print_difference(const struct value *v, double whole, struct text *out)
{
    if (v->kind == VALUE_NUMBER)
        text_addf(out, "%.6g", whole - v->number);
    return v->kind == VALUE_NUMBER;
}

/* Prints the reciprocal, multiplied by a number. */
bool print_inverse(const struct value *v, double times, struct text *out)
{
    if (v->kind != VALUE_NUMBER || v->number == 0)
        return false;
    text_addf(out, "%.6g", times / v->number);
    return true;
}

/* Prints a range of ratios as the range of their reciprocals. */
bool print_inverses(const struct value *v, double context, struct text *out)
{
    (void)context;
    return is_two_numbers(v) && v->item[0].number > 0 && v->item[1].number > 0 &&
           print_two(out, 1 / fmax(v->item[0].number, v->item[1].number),
                     1 / fmin(v->item[0].number, v->item[1].number));
}

/* Converts angles that are positive clockwise: the range is negated. */
bool print_clockwise(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (is_two_numbers(v))
        return print_two(out, -fmax(v->item[0].number, v->item[1].number),
                         -fmin(v->item[0].number, v->item[1].number));
    if (v->kind == VALUE_NUMBER)
        text_addf(out, "%.6g", v->number);
    return v->kind == VALUE_NUMBER;
}

/* Prints a share of a whole, limited to the whole. */
bool print_share(const struct value *v, double whole, struct text *out)
{
    if (v->kind == VALUE_NUMBER)
        text_addf(out, "%.6g", fmin(v->number / whole, 1));
    return v->kind == VALUE_NUMBER;
}

/* Prints a number of levels in either direction as a share of the largest. */
bool print_levels(const struct value *v, double largest, struct text *out)
{
    return v->kind == VALUE_NUMBER &&
           print_two(out, -fabs(v->number) / largest, fabs(v->number) / largest);
}

/* Prints limits in levels or, if none is above 1, in shares of the largest level. */
bool print_shift(const struct value *v, double largest, struct text *out)
{
    if (is_two_numbers(v) && fabs(v->item[0].number) <= 1 && fabs(v->item[1].number) <= 1)
        return print_two(out, v->item[0].number * largest, v->item[1].number * largest);
    if (v->kind == VALUE_NUMBER && fabs(v->number) <= 1)
        text_addf(out, "%.6g", v->number * largest);
    else
        value_print(v, out);
    return true;
}

/* Prints a range of factors minus 1. */
bool print_less_one(const struct value *v, double context, struct text *out)
{
    (void)context;
    return is_two_numbers(v) && print_two(out, v->item[0].number - 1, v->item[1].number - 1);
}

/* Prints half the width of a range of factors that is symmetric about 1. */
bool print_about_one(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v) || fabs(v->item[0].number + v->item[1].number - 2) > 1e-9)
        return false;
    text_addf(out, "%.6g", v->item[1].number - 1);
    return true;
}

/* Prints {min, max} as a range, divided by a number. */
bool print_bounds(const struct value *v, double divisor, struct text *out)
{
    const struct value *lo = number_in(v, "min"), *hi = number_in(v, "max");

    return lo && hi && print_two(out, lo->number / divisor, hi->number / divisor);
}

bool print_chance_of(const struct value *v, double context, struct text *out)
{
    const struct value *chance = number_in(v, "prob");

    (void)context;
    if (chance)
        text_addf(out, "%.6g", chance->number);
    return chance;
}

/* Prints {min, max} in half turns as a range of turns; more than a whole turn becomes any angle. */
bool print_half_turns(const struct value *v, double context, struct text *out)
{
    const struct value *lo = number_in(v, "min"), *hi = number_in(v, "max");

    (void)context;
    if (!lo || !hi)
        return false;
    if (hi->number - lo->number >= 2)
        return print_two(out, -0.5, 0.5);
    return print_two(out, fmax(lo->number / 2, -0.5), fmin(hi->number / 2, 0.5));
}

/* Prints the padding value of images, if images and masks have separate ones. Three channels are
 * blue, green, red. */
bool print_of_images(const struct value *v, double context, struct text *out)
{
    const struct value *of = value_get(v, "img");

    (void)context;
    if (v->kind == VALUE_OBJECT && !of)
        return false;
    v = of ? of : v;
    if (v->kind != VALUE_LIST || v->n != 3) {
        value_print(v, out);
        return true;
    }
    for (size_t i = 0; i < v->n; i++) {
        text_adds(out, i ? ", " : "[");
        value_print(&v->item[v->n - 1 - i], out);
    }
    text_addc(out, ']');
    return true;
}

/* Prints the padding value of label masks: their separate value, or `otherwise`. */
bool print_of_labels(const struct value *v, double otherwise, struct text *out)
{
    const struct value *of = number_in(v, "seg");

    if (v->kind == VALUE_NUMBER && v->name && strcmp(v->name, "seg_pad_val") == 0)
        of = v;
    text_addf(out, "%.6g", of ? of->number : otherwise);
    return true;
}

/* Prints a gain g as the range [1 - g, 1 + g] of factors for lengths. A range stays a range. */
bool print_gain(const struct value *v, double min, struct text *out)
{
    if (is_two_numbers(v)) {
        value_print(v, out);
        return true;
    }
    if (v->kind != VALUE_NUMBER)
        return false;
    text_addf(out, "[%.6g, %.6g]", fmax(1 - fabs(v->number), min), 1 + fabs(v->number));
    return true;
}

/* Prints a maximum angle as the same range along x and along y, in both directions. */
bool print_cross(const struct value *v, double context, struct text *out)
{
    double n = v->number;

    (void)context;
    if (v->kind != VALUE_NUMBER)
        return false;
    text_addf(out, "[%.6g, %.6g, %.6g, %.6g]", -fabs(n), fabs(n), -fabs(n), fabs(n));
    return true;
}
