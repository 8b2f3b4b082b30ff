/* alias_values: the functions of templates, which convert another library's parameter values to
 * lockstep's. */
#include "migrate/aliases/alias_values.h"

#include <math.h>
#include <string.h>

/* Computes a number, or the mean of a list of numbers. Returns false if the value is neither. */
static bool read_mean(const struct value *v, double *to)
{
    double sum = 0;

    if (v->kind == VALUE_NUMBER) {
        *to = v->number;
        return true;
    }
    if (v->kind != VALUE_LIST || !v->n)
        return false;
    for (size_t i = 0; i < v->n; i++) {
        if (v->item[i].kind != VALUE_NUMBER)
            return false;
        sum += v->item[i].number;
    }
    *to = sum / (double)v->n;
    return true;
}

/* Computes the largest absolute value of a number or a list of numbers. Returns false if the value
 * is neither. */
static bool read_largest(const struct value *v, double *to)
{
    *to = 0;
    if (v->kind == VALUE_NUMBER)
        *to = fabs(v->number);
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++) {
        if (v->item[i].kind != VALUE_NUMBER)
            return false;
        *to = fmax(*to, fabs(v->item[i].number));
    }
    return v->kind == VALUE_NUMBER || (v->kind == VALUE_LIST && v->n);
}

/* Six digits are enough for numbers that people type. */
static bool print_rounded(struct text *out, double value)
{
    text_addf(out, "%.6g", value);
    return true;
}

/* Prints "3" as [3, 3], "[1, 3]" as it is, and {"x": ...} as the pair of x. */
static bool print_pair(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (v->kind == VALUE_OBJECT && value_get(v, "x"))
        return print_pair(value_get(v, "x"), 0, out);
    if (v->kind != VALUE_NUMBER && (v->kind != VALUE_LIST || v->n != 2))
        return false;
    if (v->kind == VALUE_LIST) {
        value_print(v, out);
        return true;
    }
    text_addf(out, "[%.6g, %.6g]", v->number, v->number);
    return true;
}

static void add_axis(const struct value *v, double otherwise, struct text *out)
{
    bool two = v && is_two_numbers(v);
    double lo = two ? v->item[0].number : v && v->kind == VALUE_NUMBER ? v->number : otherwise;

    text_addf(out, "%.6g, %.6g", lo, two ? v->item[1].number : lo);
}

/* Prints a number, a pair, or an object with either for x and y, where a missing one is
 * `otherwise`. Objects become [lo, hi, lo, hi]. */
static bool print_axes(const struct value *v, double otherwise, struct text *out)
{
    const struct value *x = value_get(v, "x"), *y = value_get(v, "y");

    if (v->kind == VALUE_NUMBER || is_two_numbers(v)) {
        value_print(v, out);
        return true;
    }
    if (!x && !y)
        return false;
    text_addc(out, '[');
    add_axis(x, otherwise, out);
    text_adds(out, ", ");
    add_axis(y, otherwise, out);
    text_addc(out, ']');
    return true;
}

/* Prints the maximum shift along x and y, from a number, a range, or an object with either for x
 * and y. */
static bool print_reach(const struct value *v, double context, struct text *out)
{
    const struct value *x = value_get(v, "x"), *y = value_get(v, "y");
    double to_x = 0, to_y = 0;

    (void)context;
    if (v->kind != VALUE_OBJECT)
        x = y = v;
    if ((!x && !y) || (x && !read_largest(x, &to_x)) || (y && !read_largest(y, &to_y)))
        return false;
    text_addf(out, "[%.6g, %.6g]", fmin(to_x, 1), fmin(to_y, 1));
    return true;
}

static bool print_scaled_middle(const struct value *v, double factor, struct text *out)
{
    double value;

    return read_mean(v, &value) && print_rounded(out, value * factor);
}

/* Prints number `which` of a list of probabilities, or the sum (-1). A single number is shared
 * evenly by all. */
static bool print_chance(const struct value *v, double which, struct text *out)
{
    bool list = v->kind == VALUE_LIST;
    double mean;

    if (!read_mean(v, &mean) || (list && which >= (double)v->n))
        return false;
    if (which < 0)
        return print_rounded(out, list ? mean * (double)v->n : mean);
    return print_rounded(out, list && mean > 0 ? v->item[(size_t)which].number : 1);
}

static bool print_round(const struct value *v, double context, struct text *out)
{
    double value;

    (void)context;
    return read_mean(v, &value) && print_rounded(out, round(value));
}

static bool print_negative(const struct value *v, double context, struct text *out)
{
    (void)context;
    return v->kind == VALUE_NUMBER && print_rounded(out, -v->number);
}

/* Prints a number or a pair as a pair, on the scale 0..1 instead of 0..255. */
static bool print_unit_pair(const struct value *v, double context, struct text *out)
{
    bool number = v->kind == VALUE_NUMBER;

    (void)context;
    if (!number && !is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g]", (number ? v->number : v->item[0].number) / 255,
              (number ? v->number : v->item[1].number) / 255);
    return true;
}

/* Reads limits; a single number is the upper one. */
static bool read_limits(const struct value *v, double begin, double *lo, double *hi)
{
    bool pair = is_two_numbers(v);

    *lo = pair ? v->item[0].number : begin;
    *hi = pair ? v->item[1].number : v->number;
    return pair || v->kind == VALUE_NUMBER;
}

/* Prints the limits of a kernel's size; even ones become the next odd one. A single number is the
 * upper limit of a range from 3. With an upper limit of 0 there are none. */
static bool print_limits(const struct value *v, double context, struct text *out)
{
    double lo, hi;

    (void)context;
    if (!read_limits(v, 3, &lo, &hi))
        return false;
    if (hi < 1)
        text_adds(out, "null");
    else
        text_addf(out, "[%.6g, %.6g]", 2 * floor(fmin(lo, hi) / 2) + 1, 2 * floor(hi / 2) + 1);
    return true;
}

/* Prints the limits of a deviation. A single number is the upper limit of a range from 0. With an
 * upper limit of 0 there are none. Below a thousandth of a pixel nothing is blurred. */
static bool print_sigmas(const struct value *v, double context, struct text *out)
{
    double lo, hi;

    (void)context;
    if (!read_limits(v, 0, &lo, &hi))
        return false;
    if (hi <= 0)
        text_adds(out, "null");
    else
        text_addf(out, "[%.6g, %.6g]", fmax(lo, 0.001), fmax(hi, 0.001));
    return true;
}

/* Prints the largest kernel of a range, made odd. 0 means the kernel that the library derives from
 * a sigma of 3, its default. */
static bool print_odd(const struct value *v, double context, struct text *out)
{
    double value;

    (void)context;
    if (!read_largest(v, &value))
        return false;
    return print_rounded(out, value < 1 ? 21 : 2 * floor(value / 2) + 1);
}

/* Prints a member of Albumentations' noise_params, or AdditiveNoise's default if there is none. */
static bool print_of_noise(const struct value *v, double which, struct text *out)
{
    static const char *const members[][2] = {
        { "ranges", "[[-0.1, 0.1]]" },   { "mean_range", "[0, 0]" },
        { "std_range", "null" },         { "scale_range", "null" },
        { "alpha_range", "[0.5, 1.5]" }, { "beta_range", "[0.5, 1.5]" },
    };
    const char *const *member = members[(size_t)which];
    const struct value *given = v->kind == VALUE_OBJECT ? value_get(v, member[0]) : NULL;

    if (v->kind != VALUE_OBJECT && v->kind != VALUE_NULL)
        return false;
    if (given)
        value_print(given, out);
    else
        text_adds(out, member[1]);
    return true;
}

static bool print_steps(const struct value *v, double context, struct text *out)
{
    (void)v;
    (void)context;
    text_adds(out, "[...]");
    return true;
}

static const struct {
    const char *name;
    bool (*print)(const struct value *, double context, struct text *);
    double context;
} functions[] = {
    { "pair", print_pair, 0 },
    { "from 1", print_from, 1 },
    { "axes0", print_axes, 0 },
    { "axes1", print_axes, 1 },
    { "reach", print_reach, 0 },
    { "mid", print_scaled_middle, 1 },
    { "2*", print_scaled_middle, 2 },
    { "0.7*", print_scaled_middle, 0.7 },
    { "mid/2", print_scaled_middle, 0.5 },
    { "mid*3", print_scaled_middle, 3 },
    { "mid*255", print_scaled_middle, 255 },
    { "pair/255", print_unit_pair, 0 },
    { "limits", print_limits, 0 },
    { "sigmas", print_sigmas, 0 },
    { "round", print_round, 0 },
    { "neg", print_negative, 0 },
    { "odd", print_odd, 0 },
    { "ranges of", print_of_noise, 0 },
    { "mean of", print_of_noise, 1 },
    { "std of", print_of_noise, 2 },
    { "scale of", print_of_noise, 3 },
    { "alpha of", print_of_noise, 4 },
    { "beta of", print_of_noise, 5 },
    { "gain", print_gain, 0.01 },
    { "cross", print_cross, 0 },
    { "swap", print_swapped, 1 },
    { "2*swap", print_swapped, 2 },
    { "first", print_member, 0 },
    { "second", print_member, 1 },
    { "chance", print_chance, -1 },
    { "chance 1", print_chance, 0 },
    { "chance 2", print_chance, 1 },
    { "chance 3", print_chance, 2 },
    { "fixed first", print_fixed, 0 },
    { "fixed second", print_fixed, 1 },
    { "halves", print_halves, 0 },
    { "overlaps", print_overlaps, 0 },
    { "thresholds", print_overlaps, 1 },
    { "resizes", print_resizes, 0 },
    { "one of scales", print_one_of_scales, 0 },
    { "within scales", print_within_scales, 0 },
    { "2*each", print_times, 2 },
    { "all round", print_all_round, 0 },
    { "1-", print_difference, 1 },
    { "100/", print_inverse, 100 },
    { "1/each", print_inverses, 0 },
    { "clockwise", print_clockwise, 0 },
    { "unit", print_share, 255 },
    { "/360", print_share, 360 },
    { "/180", print_share, 180 },
    { "levels", print_levels, 255 },
    { "shift", print_shift, 255 },
    { "paint", print_paint, 0 },
    { "is noise", print_is_noise, 0 },
    { "less 1", print_less_one, 0 },
    { "about 1", print_about_one, 0 },
    { "bounds", print_bounds, 1 },
    { "bounds/255", print_bounds, 255 },
    { "chance of", print_chance_of, 0 },
    { "half turns", print_half_turns, 0 },
    { "image", print_of_images, 0 },
    { "labels", print_of_labels, 255 },
    { "grown", print_grown, 0 },
    { "rain of", print_of_liquid, 0 },
    { "mud of", print_of_liquid, 1 },
    { "min", print_extreme, 0 },
    { "max", print_extreme, 1 },
    { "border", print_border, 0 },
    { "or none", print_words_or_none, 0 },
    { "interpolation", print_interpolation, 0 },
    { "resampling", print_interpolation, 1 },
    { "shrinking", print_shrinking, 1 },
    { "enlarging", print_enlarging, 1 },
    { "steps", print_steps, 0 },
};

static bool is_number_in(const struct value *v, double number)
{
    return v->kind == VALUE_NUMBER && v->number == number;
}

/* True for a list of numbers that are not all equal. */
static bool is_range(const struct value *v)
{
    for (size_t i = 1; v->kind == VALUE_LIST && i < v->n; i++)
        if (v->item[i].kind == VALUE_NUMBER && !is_number_in(&v->item[0], v->item[i].number))
            return true;
    return false;
}

/* True for a range that is not symmetric about 0. */
static bool is_lopsided(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_OBJECT && i < v->n; i++)
        if (is_lopsided(&v->item[i]))
            return true;
    return v->kind == VALUE_LIST && v->n == 2 && v->item[0].kind == VALUE_NUMBER &&
           !is_number_in(&v->item[1], -v->item[0].number);
}

/* True if the ranges along x and y differ. */
static bool differs_along_y(const struct value *v)
{
    const struct value *x = value_get(v, "x"), *y = value_get(v, "y");
    struct text of_x = { 0 }, of_y = { 0 };
    bool differs;

    if (!x || !y)
        return x || y;
    value_print(x, &of_x);
    value_print(y, &of_y);
    differs = strcmp(text_string(&of_x), text_string(&of_y)) != 0;
    text_drop(&of_x);
    text_drop(&of_y);
    return differs;
}

/* True if the printed value says less than the given one. */
static bool is_rounded(bool (*print)(const struct value *, double, struct text *),
                       const struct value *v)
{
    if (print == print_scaled_middle || print == print_odd)
        return is_range(v);
    if (print == print_round)
        return is_range(v) || (v->kind == VALUE_NUMBER && v->number != round(v->number));
    if (print == print_gain)
        return v->kind == VALUE_NUMBER && fabs(v->number) > 0.99;
    if (print == print_reach)
        return is_lopsided(v);
    if (print == print_within_scales)
        return has_differing_scales(v);
    if (print == print_pair)
        return v->kind == VALUE_OBJECT && differs_along_y(v);
    return (print == print_swapped || print == print_extreme) && v->kind == VALUE_LIST &&
           v->n > 1 && v->item[0].kind == VALUE_LIST;
}

bool foreign_print_value(struct slice function, const struct value *v, struct text *out,
                         bool *rounded)
{
    *rounded = false;
    for (size_t i = 0; i < COUNTOF(functions); i++)
        if (strlen(functions[i].name) == function.length &&
            strncmp(functions[i].name, function.at, function.length) == 0) {
            *rounded = is_rounded(functions[i].print, v);
            return functions[i].print(v, functions[i].context, out);
        }
    return false;
}
