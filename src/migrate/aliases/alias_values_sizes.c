/* alias_values_sizes: sizes, and lists of them, as templates print them. */
#include "migrate/aliases/alias_values.h"

#include <math.h>

bool is_two_numbers(const struct value *v)
{
    return v->kind == VALUE_LIST && v->n == 2 && v->item[0].kind == VALUE_NUMBER &&
           v->item[1].kind == VALUE_NUMBER;
}

/* Of a list of pairs the first. */
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

static double least_of(const struct value *pair)
{
    return fmin(pair->item[0].number, pair->item[1].number);
}

static double most_of(const struct value *pair)
{
    return fmax(pair->item[0].number, pair->item[1].number);
}

/* Have all pairs the same larger number? */
static bool has_common_most(const struct value *v)
{
    for (size_t i = 1; i < v->n; i++)
        if (most_of(&v->item[i]) != most_of(&v->item[0]))
            return false;
    return true;
}

/* Pairs that bound the shorter and the longer side, one of which is drawn: as one step where the
 * longer side's bound is the same, else as a choice of steps. */
bool print_one_of_scales(const struct value *v, double context, struct text *out)
{
    static const char how[] = "\"rounding\": \"half_up\", \"antialias\": false";
    bool common;

    (void)context;
    if (!is_list_of_pairs(v))
        return false;
    common = has_common_most(v);
    text_addf(out, "\"type\": \"%s\", \"%s\": [", common ? "RandomShortestSize" : "RandomChoice",
              common ? "min_size" : "transforms");
    for (size_t i = 0; i < v->n; i++)
        if (common)
            text_addf(out, "%s%.6g", i ? ", " : "", least_of(&v->item[i]));
        else
            text_addf(out,
                      "%s{\"type\": \"RandomShortestSize\", \"min_size\": %.6g, \"max_size\": "
                      "%.6g, %s}",
                      i ? ", " : "", least_of(&v->item[i]), most_of(&v->item[i]), how);
    text_addc(out, ']');
    if (common)
        text_addf(out, ", \"max_size\": %.6g, %s", most_of(&v->item[0]), how);
    return true;
}

/* One pair that bounds the shorter and the longer side, or two pairs between which the shorter
 * side's bound is drawn. */
bool print_within_scales(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (v->kind == VALUE_NUMBER || is_two_numbers(v)) {
        bool one = v->kind == VALUE_NUMBER;

        text_addf(out, "\"min_size\": %.6g, \"max_size\": %.6g", one ? v->number : least_of(v),
                  one ? v->number : most_of(v));
        return true;
    }
    if (!is_list_of_pairs(v) || v->n > 2)
        return false;
    if (v->n == 1)
        return print_within_scales(&v->item[0], context, out);
    text_addf(out, "\"min_size\": [%.6g, %.6g], \"between\": true, \"max_size\": %.6g",
              least_of(&v->item[0]), least_of(&v->item[1]),
              fmax(most_of(&v->item[0]), most_of(&v->item[1])));
    return true;
}

bool within_scales_loses(const struct value *v)
{
    return is_list_of_pairs(v) && !has_common_most(v);
}

/* A list of [width, height] as steps that scale to one of them each, out of shape. */
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

/* The smaller of two numbers, or with a context of 1 the larger; or the only one. */
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

/* [width, height] as [height, width], times a factor. */
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

/* One of two numbers, or the only one. */
bool print_member(const struct value *v, double index, struct text *out)
{
    if (v->kind != VALUE_NUMBER && !is_two_numbers(v))
        return false;
    text_addf(out, "%.6g", v->kind == VALUE_NUMBER ? v->number : v->item[(int)index].number);
    return true;
}

/* The same as a range of that number alone. */
bool print_fixed(const struct value *v, double index, struct text *out)
{
    struct text one = { 0 };
    bool good = print_member(v, index, &one);

    if (good)
        text_addf(out, "[%s, %s]", text_string(&one), text_string(&one));
    text_drop(&one);
    return good;
}

/* Half of two numbers each. */
bool print_halves(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g]", v->item[0].number / 2, v->item[1].number / 2);
    return true;
}

/* A list of overlaps before that of all; before them none, unless the list has it itself. */
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

/* Two numbers, or the only one, each times a factor. */
bool print_times(const struct value *v, double factor, struct text *out)
{
    if (v->kind != VALUE_NUMBER && !is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g]", factor * (v->n ? v->item[0].number : v->number),
              factor * (v->n ? v->item[1].number : v->number));
    return true;
}

/* [x, y], by which the canvas grows on each side: [top, right, bottom, left]. */
bool print_all_round(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[%.6g, %.6g, %.6g, %.6g]", v->item[1].number, v->item[0].number,
              v->item[1].number, v->item[0].number);
    return true;
}

/* [x, y], by which the canvas grows on each side of one that goes on from the left top corner: what
 * its sides gain, [top, right, bottom, left]. */
bool print_grown(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_two_numbers(v))
        return false;
    text_addf(out, "[0, %.6g, %.6g, 0]", 2 * v->item[0].number, 2 * v->item[1].number);
    return true;
}

/* 3: [1, 3], with a least of 1; a list as it is. */
bool print_from(const struct value *v, double least, struct text *out)
{
    if (v->kind == VALUE_NUMBER)
        text_addf(out, "[%.6g, %.6g]", least, v->number);
    else if (v->kind == VALUE_LIST && v->n == 2)
        value_print(v, out);
    else
        return false;
    return true;
}
