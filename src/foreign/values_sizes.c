/* values_sizes: sizes, and lists of them, as templates print them. */
#include "values.h"

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

/* The smaller of two numbers each. */
bool print_least_of_each(const struct value *v, double context, struct text *out)
{
    (void)context;
    if (!is_list_of_pairs(v))
        return false;
    for (size_t i = 0; i < v->n; i++)
        text_addf(out, "%s%.6g", i ? ", " : "[",
                  fmin(v->item[i].item[0].number, v->item[i].item[1].number));
    text_addc(out, ']');
    return true;
}

/* The larger of two numbers each, where it is the same of all. */
bool print_common_most(const struct value *v, double context, struct text *out)
{
    double most = 0;

    (void)context;
    if (!is_list_of_pairs(v))
        return false;
    for (size_t i = 0; i < v->n; i++) {
        double own = fmax(v->item[i].item[0].number, v->item[i].item[1].number);

        if (i && own != most)
            return false;
        most = own;
    }
    text_addf(out, "%.6g", most);
    return true;
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

/* As many either way of a middle, on another scale: [middle - v / whole, middle + v / whole]. */
static bool print_around(const struct value *v, double middle, double whole, struct text *out)
{
    if (v->kind != VALUE_NUMBER)
        return false;
    text_addf(out, "[%.6g, %.6g]", middle - v->number / whole, middle + v->number / whole);
    return true;
}

/* Levels that are added, as factors that change full range by about as much. */
bool print_factors(const struct value *v, double levels, struct text *out)
{
    return print_around(v, 1, levels, out);
}

bool print_turns(const struct value *v, double degrees, struct text *out)
{
    return print_around(v, 0, degrees, out);
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

/* What images are padded with, of that and what masks are. */
bool print_of_images(const struct value *v, double context, struct text *out)
{
    const struct value *of = value_get(v, "img");

    (void)context;
    value_print(of ? of : v, out);
    return v->kind != VALUE_OBJECT || of;
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
