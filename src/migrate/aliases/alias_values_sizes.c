/* alias_values_sizes: sizes, and lists of sizes, as templates print them. */
#include "migrate/aliases/alias_values.h"

#include <math.h>

bool is_two_numbers(const struct value *v)
{
    return v->kind == VALUE_LIST && v->n == 2 && v->item[0].kind == VALUE_NUMBER &&
           v->item[1].kind == VALUE_NUMBER;
}

/* Returns the first pair of a list of pairs. */
static const struct value *first_pair(const struct value *v)
{
    return v->kind == VALUE_LIST && v->n && v->item[0].kind == VALUE_LIST ? &v->item[0] : v;
}

static bool is_list_of_pairs(const struct value *v)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (!is_two_numbers(&v->item[i]))
            return false;
    return v->kind == VALUE_LIST && v->n;
}

static double smaller_of(const struct value *pair)
{
    return fmin(pair->item[0].number, pair->item[1].number);
}

static double larger_of(const struct value *pair)
{
    return fmax(pair->item[0].number, pair->item[1].number);
}

/* True if all pairs have the same larger number. */
static bool has_common_max(const struct value *v)
{
    for (size_t i = 1; i < v->n; i++)
        if (larger_of(&v->item[i]) != larger_of(&v->item[0]))
            return false;
    return true;
}

/* Prints pairs of bounds for the shorter and the longer side, for a draw of one pair. If the longer
 * side's bound is always the same they become one step, otherwise a choice of steps. */
bool print_one_of_scales(const struct value *v, double context, struct text *out)
{
    static const char how[] = "\"rounding\": \"half_up\", \"antialias\": false";
    bool common;

    (void)context;
    if (!is_list_of_pairs(v))
        return false;
    common = has_common_max(v);
    text_addf(out, "\"type\": \"%s\", \"%s\": [", common ? "RandomShortestSize" : "RandomChoice",
              common ? "min_size" : "transforms");
    for (size_t i = 0; i < v->n; i++)
        if (common)
            text_addf(out, "%s%.6g", i ? ", " : "", smaller_of(&v->item[i]));
        else
            text_addf(out,
                      "%s{\"type\": \"RandomShortestSize\", \"min_size\": %.6g, \"max_size\": "
                      "%.6g, %s}",
                      i ? ", " : "", smaller_of(&v->item[i]), larger_of(&v->item[i]), how);
    text_addc(out, ']');
    if (common)
        text_addf(out, ", \"max_size\": %.6g, %s", larger_of(&v->item[0]), how);
    return true;
}

/* Prints a pair of bounds for the shorter and the longer side. With two pairs, the shorter side's
 * bound is drawn between theirs. */
bool print_within_scales(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (v->kind == VALUE_NUMBER || is_two_numbers(v)) {
        bool one = v->kind == VALUE_NUMBER;

        text_addf(out, "\"min_size\": %.6g, \"max_size\": %.6g", one ? v->number : smaller_of(v),
                  one ? v->number : larger_of(v));
        return true;
    }
    if (!is_list_of_pairs(v) || v->n > 2)
        return false;
    if (v->n == 1)
        return print_within_scales(&v->item[0], context, out);
    text_addf(out, "\"min_size\": [%.6g, %.6g], \"between\": true, \"max_size\": %.6g",
              smaller_of(&v->item[0]), smaller_of(&v->item[1]),
              fmax(larger_of(&v->item[0]), larger_of(&v->item[1])));
    return true;
}

bool has_differing_scales(const struct value *v)
{
    return is_list_of_pairs(v) && !has_common_max(v);
}

/* Prints a list of [width, height] as steps that resize to one of them each, ignoring the aspect
 * ratio. */
bool print_resizes(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_list_of_pairs(v))
        return false;
    for (size_t i = 0; i < v->n; i++)
        text_addf(out, "%s{\"type\": \"Resize\", \"size\": [%.6g, %.6g], \"antialias\": false}",
                  i ? ", " : "[", v->item[i].item[1].number, v->item[i].item[0].number);
    text_addc(out, ']');
    return true;
}

/* Prints the smaller of two numbers, or with a context of 1 the larger; or the only number. */
bool print_extreme(const struct value *v, double context, struct text *out)
{
    v = first_pair(v);
    if (v->kind == VALUE_NUMBER) {
        text_addf(out, "%.6g", v->number);
        return true;
    }
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "%.6g",
              context > 0 ? fmax(v->item[0].number, v->item[1].number)
                          : fmin(v->item[0].number, v->item[1].number));
    return true;
}

/* Prints [width, height] as [height, width], times a factor. */
bool print_swapped(const struct value *v, double factor, struct text *out)
{
    v = first_pair(v);
    if (v->kind == VALUE_NUMBER) {
        text_addf(out, "[%.6g, %.6g]", factor * v->number, factor * v->number);
        return true;
    }
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g]", factor * v->item[1].number, factor * v->item[0].number);
    return true;
}

/* Prints one of two numbers, or the only number. */
bool print_member(const struct value *v, double index, struct text *out)
{
    if (v->kind != VALUE_NUMBER && !is_two_numbers(v))
        return false;
    text_addf(out, "%.6g", v->kind == VALUE_NUMBER ? v->number : v->item[(int)index].number);
    return true;
}

/* Prints the same as a range of that number only. */
bool print_fixed(const struct value *v, double index, struct text *out)
{
    struct text one = { 0 };
    bool good = print_member(v, index, &one);

    if (good)
        text_addf(out, "[%s, %s]", text_string(&one), text_string(&one));
    text_drop(&one);
    return good;
}

/* Prints half of each of two numbers. */
bool print_halves(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g]", v->item[0].number / 2, v->item[1].number / 2);
    return true;
}

/* Prints a list of overlaps, then 1 ("the whole image"); before the list 0 ("no overlap"), unless
 * the list contains it. */
bool print_overlaps(const struct value *v, double has_none, struct text *out)
{
    for (size_t i = 0; v->kind == VALUE_LIST && i < v->n; i++)
        if (v->item[i].kind != VALUE_NUMBER)
            return false;
    if (v->kind != VALUE_LIST)
        return false;
    text_adds(out, has_none > 0 ? "[" : "[0, ");
    for (size_t i = 0; i < v->n; i++)
        text_addf(out, "%.6g, ", v->item[i].number);
    text_adds(out, "1]");
    return true;
}

/* Prints two numbers, or the only number, each times a factor. */
bool print_times(const struct value *v, double factor, struct text *out)
{
    if (v->kind != VALUE_NUMBER && !is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g]", factor * (v->n ? v->item[0].number : v->number),
              factor * (v->n ? v->item[1].number : v->number));
    return true;
}

/* Prints [x, y], by which the canvas grows on each side, as [top, right, bottom, left]. */
bool print_all_round(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g, %.6g, %.6g]", v->item[1].number, v->item[0].number,
              v->item[1].number, v->item[0].number);
    return true;
}

/* Prints [x, y], by which each side grows for a canvas that keeps its top left corner. The growth
 * moves to the right and the bottom: [top, right, bottom, left]. */
bool print_grown(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[0, %.6g, %.6g, 0]", 2 * v->item[0].number, 2 * v->item[1].number);
    return true;
}

/* Prints a number n as [min, n], and a list as it is. */
bool print_from(const struct value *v, double min, struct text *out)
{
    if (v->kind == VALUE_NUMBER)
        text_addf(out, "[%.6g, %.6g]", min, v->number);
    else if (v->kind == VALUE_LIST && v->n == 2)
        value_print(v, out);
    else
        return false;
    return true;
}
