/* kinds: what a parameter can be: how it is read, printed and described as a schema. */
#include "param.h"

#include "base/number.h"

#include <limits.h>
#include <string.h>

/* --- numbers and their limits --- */

static bool in_limit(const struct row *row, double v)
{
    if (!row_has_limit(row))
        return true;
    return v >= row->limit.lo && v <= row->limit.hi && !(row->above && v == row->limit.lo);
}

static bool wrong_type(const struct row *row, const struct value *value, struct faults *faults)
{
    return value_fault(faults, value, false, "param-type", "expected %s, not %s", row->kind->wants,
                       value_kind_name(value->kind));
}

static bool out_of_range(const struct row *row, const struct value *value, double v,
                         struct faults *faults)
{
    struct text number = { 0 }, limit = { 0 };

    number_print(&number, v);
    row_print_limit(row, &limit);
    value_fault(faults, value, false, "param-range", "%s is out of range: %s", text_string(&number),
                text_string(&limit));
    text_drop(&number);
    text_drop(&limit);
    return false;
}

static bool read_number(const struct row *row, const struct value *value, double *to,
                        struct faults *faults)
{
    if (value->kind != VALUE_NUMBER)
        return wrong_type(row, value, faults);
    if (!in_limit(row, value->number))
        return out_of_range(row, value, value->number, faults);
    *to = value->number;
    return true;
}

static bool read_whole(const struct row *row, const struct value *value, double *to,
                       struct faults *faults)
{
    if (!read_number(row, value, to, faults))
        return false;
    if (*to != nearbyint(*to) || fabs(*to) > 0x1p53)
        return value_fault(faults, value, false, "param-type", "expected a whole number, not %.17g",
                           *to);
    if (row->odd && fmod(*to, 2) == 0)
        return value_fault(faults, value, false, "param-odd", "%.0f is even; it must be odd", *to);
    return true;
}

static void schema_limits(const struct row *row, struct text *out)
{
    if (!row_has_limit(row))
        return;
    if (!isinf(row->limit.lo)) {
        text_adds(out, row->above ? ", \"exclusiveMinimum\": " : ", \"minimum\": ");
        number_print(out, row->limit.lo);
    }
    if (!isinf(row->limit.hi)) {
        text_adds(out, ", \"maximum\": ");
        number_print(out, row->limit.hi);
    }
}

/* The schema of one number of the row, as an object of its own. */
static void schema_element(const struct row *row, bool whole, struct text *out)
{
    text_addf(out, "{\"type\": \"%s\"", whole ? "integer" : "number");
    schema_limits(row, out);
    if (row->odd)
        text_adds(out, ", \"not\": {\"multipleOf\": 2}");
    text_addc(out, '}');
}

static bool number_read(const struct row *row, const struct value *value, void *to,
                        struct arena *arena, struct faults *faults)
{
    (void)arena;
    return read_number(row, value, to, faults);
}

static void number_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    number_print(out, *(const double *)from);
}

static void number_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"number\"");
    schema_limits(row, out);
}

const struct kind number_kind = { "number", "a number", number_read, number_show, number_schema };

static bool optional_read(const struct row *row, const struct value *value, void *to,
                          struct arena *arena, struct faults *faults)
{
    struct optional *optional = to;

    (void)arena;
    optional->given = value->kind != VALUE_NULL;
    if (!optional->given)
        return true;
    return row->whole ? read_whole(row, value, &optional->number, faults)
                      : read_number(row, value, &optional->number, faults);
}

static void optional_show(const struct row *row, const void *from, struct text *out)
{
    const struct optional *optional = from;

    (void)row;
    if (optional->given)
        number_print(out, optional->number);
    else
        text_adds(out, "null");
}

static void optional_schema(const struct row *row, struct text *out)
{
    text_addf(out, "\"type\": [\"%s\", \"null\"]", row->whole ? "integer" : "number");
    schema_limits(row, out);
}

const struct kind optional_kind = { "optional number", "a number or null", optional_read,
                                    optional_show, optional_schema };

static bool integer_read(const struct row *row, const struct value *value, void *to,
                         struct arena *arena, struct faults *faults)
{
    double number = 0;

    (void)arena;
    if (!read_whole(row, value, &number, faults))
        return false;
    if (fabs(number) > INT_MAX)
        return value_fault(faults, value, false, "param-range", "%.0f is too large", number);
    *(int *)to = (int)number;
    return true;
}

static void integer_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    text_addf(out, "%d", *(const int *)from);
}

static void integer_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"integer\"");
    schema_limits(row, out);
}

const struct kind integer_kind = { "integer", "a whole number", integer_read, integer_show,
                                   integer_schema };

static bool whole_read(const struct row *row, const struct value *value, void *to,
                       struct arena *arena, struct faults *faults)
{
    double number = 0;

    (void)arena;
    if (!read_whole(row, value, &number, faults))
        return false;
    *(int64_t *)to = (int64_t)number;
    return true;
}

static void whole_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    text_addf(out, "%lld", (long long)*(const int64_t *)from);
}

const struct kind whole_kind = { "integer", "a whole number", whole_read, whole_show,
                                 integer_schema };

/* --- ranges --- */

static struct range range_of_scalar(enum scalar scalar, double v)
{
    switch (scalar) {
    case SCALAR_SYMMETRIC:
        return (struct range){ -v, v };
    case SCALAR_AROUND_1:
        return (struct range){ fmax(0, 1 - v), 1 + v };
    default:
        return (struct range){ v, v };
    }
}

static bool read_end(const struct row *row, const struct value *value, double *to,
                     struct faults *faults)
{
    return row->whole ? read_whole(row, value, to, faults) : read_number(row, value, to, faults);
}

static bool range_read(const struct row *row, const struct value *value, void *to,
                       struct arena *arena, struct faults *faults)
{
    struct range *range = to;
    double v;

    (void)arena;
    if (value->kind == VALUE_LIST) {
        if (value->n != 2)
            return value_fault(faults, value, false, "param-length",
                               "expected two numbers, [lo, hi], not %zu", value->n);
        if (!read_end(row, &value->item[0], &range->lo, faults) ||
            !read_end(row, &value->item[1], &range->hi, faults))
            return false;
        if (range->lo > range->hi)
            return value_fault(faults, value, false, "param-order",
                               "the first number is larger than the second");
        return true;
    }
    if (value->kind != VALUE_NUMBER)
        return wrong_type(row, value, faults);
    if (row->whole && !read_whole(row, value, &v, faults))
        return false;
    v = value->number;
    if (v < 0 && row->scalar != SCALAR_FIXED)
        return value_fault(faults, value, false, "param-range",
                           "%g is negative; one number stands for %s", v,
                           row->scalar == SCALAR_SYMMETRIC ? "[-v, v]" : "[1 - v, 1 + v]");
    *range = range_of_scalar(row->scalar, v);
    return in_limit(row, range->lo) && in_limit(row, range->hi)
               ? true
               : out_of_range(row, value, v, faults);
}

static void range_show(const struct row *row, const void *from, struct text *out)
{
    const struct range *range = from;

    (void)row;
    text_addc(out, '[');
    number_print(out, range->lo);
    text_adds(out, ", ");
    number_print(out, range->hi);
    text_addc(out, ']');
}

/* Two numbers in the row's limits, or one that stands for two. */
static void schema_pair(const struct row *row, struct text *out)
{
    text_adds(out, "{\"type\": \"array\", \"minItems\": 2, \"maxItems\": 2, \"items\": ");
    schema_element(row, row->whole, out);
    text_addf(out, "}, {\"type\": \"%s\"", row->whole ? "integer" : "number");
    if (row->scalar == SCALAR_FIXED) {
        schema_limits(row, out);
    } else {
        text_adds(out, ", \"minimum\": 0");
        if (row_has_limit(row) && !isinf(row->limit.hi)) {
            text_adds(out, ", \"maximum\": ");
            number_print(out, row->limit.hi - (row->scalar == SCALAR_AROUND_1));
        }
    }
    text_addc(out, '}');
}

static void range_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [");
    schema_pair(row, out);
    text_addc(out, ']');
}

const struct kind range_kind = { "range", "a number, or [lo, hi]", range_read, range_show,
                                 range_schema };

static bool optional_range_read(const struct row *row, const struct value *value, void *to,
                                struct arena *arena, struct faults *faults)
{
    struct optional_range *optional = to;

    optional->given = value->kind != VALUE_NULL;
    return !optional->given || range_read(row, value, &optional->range, arena, faults);
}

static void optional_range_show(const struct row *row, const void *from, struct text *out)
{
    const struct optional_range *optional = from;

    if (optional->given)
        range_show(row, &optional->range, out);
    else
        text_adds(out, "null");
}

static void optional_range_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, ");
    schema_pair(row, out);
    text_addc(out, ']');
}

const struct kind optional_range_kind = { "optional range", "a number, [lo, hi], or null",
                                          optional_range_read, optional_range_show,
                                          optional_range_schema };

/* --- words and flags --- */

static bool choice_read(const struct row *row, const struct value *value, void *to,
                        struct arena *arena, struct faults *faults)
{
    struct text words = { 0 };
    struct nearest near;

    near = (struct nearest){ .word = value->kind == VALUE_TEXT ? value->text : "" };
    for (const struct choice *c = row->choices; c->word; c++) {
        if (strcmp(c->word, near.word) == 0) {
            *(int *)to = c->value;
            text_drop(&words);
            return true;
        }
        text_addf(&words, "%s\"%s\"", words.length ? ", " : "", c->word);
        nearest_try(&near, c->word);
    }
    if (value->kind == VALUE_TEXT)
        value_fault(faults, value, false, "param-choice", "\"%s\" is not one of %s%s", value->text,
                    text_string(&words), nearest_hint(&near, arena));
    else
        value_fault(faults, value, false, "param-type", "expected one of %s, not %s",
                    text_string(&words), value_kind_name(value->kind));
    text_drop(&words);
    return false;
}

static void choice_show(const struct row *row, const void *from, struct text *out)
{
    text_addf(out, "\"%s\"", choice_word(row->choices, *(const int *)from));
}

static void choice_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"enum\": [");
    for (const struct choice *c = row->choices; c->word; c++)
        text_addf(out, "%s\"%s\"", c == row->choices ? "" : ", ", c->word);
    text_addc(out, ']');
}

const struct kind choice_kind = { "choice", "a word in quotes", choice_read, choice_show,
                                  choice_schema };

static bool flag_read(const struct row *row, const struct value *value, void *to,
                      struct arena *arena, struct faults *faults)
{
    (void)arena;
    if (value->kind != VALUE_FLAG)
        return wrong_type(row, value, faults);
    *(bool *)to = value->flag;
    return true;
}

static void flag_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    text_adds(out, *(const bool *)from ? "true" : "false");
}

static void flag_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"type\": \"boolean\"");
}

const struct kind flag_kind = { "bool", "true or false", flag_read, flag_show, flag_schema };

static bool text_read(const struct row *row, const struct value *value, void *to,
                      struct arena *arena, struct faults *faults)
{
    if (value->kind != VALUE_TEXT)
        return wrong_type(row, value, faults);
    *(const char **)to = arena_copy(arena, value->text, strlen(value->text));
    return true;
}

static void text_show(const struct row *row, const void *from, struct text *out)
{
    const char *string = *(const char *const *)from;

    (void)row;
    text_add_json(out, string ? string : "", string ? strlen(string) : 0);
}

static void text_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"type\": \"string\"");
}

const struct kind text_kind = { "text", "a text in quotes", text_read, text_show, text_schema };

/* --- sizes, colours, lists --- */

/* Up to `most` numbers of a list, or one number, which counts as a list of one. */
static bool read_list(const struct row *row, const struct value *value, int least, int most,
                      bool whole, double *to, int *n, struct faults *faults)
{
    const struct value *items = value->kind == VALUE_LIST ? value->item : value;
    size_t length = value->kind == VALUE_LIST ? value->n : 1;
    bool good = true;

    if (value->kind != VALUE_LIST && value->kind != VALUE_NUMBER)
        return wrong_type(row, value, faults);
    if (length < (size_t)least || length > (size_t)most)
        return least == most
                   ? value_fault(faults, value, false, "param-length",
                                 "expected %d numbers, not %zu", least, length)
                   : value_fault(faults, value, false, "param-length",
                                 "expected %d to %d numbers, not %zu", least, most, length);
    for (size_t i = 0; i < length; i++)
        good &= whole ? read_whole(row, &items[i], &to[i], faults)
                      : read_number(row, &items[i], &to[i], faults);
    *n = (int)length;
    return good;
}

static void show_list(const double *at, int n, struct text *out)
{
    text_addc(out, '[');
    for (int i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        number_print(out, at[i]);
    }
    text_addc(out, ']');
}

/* A list of the row's numbers, and (with `bare`) one number without brackets. */
static void schema_list(const struct row *row, int least, int most, bool whole, bool bare,
                        struct text *out)
{
    text_addf(out, "{\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", least,
              most);
    schema_element(row, whole, out);
    text_addc(out, '}');
    if (bare) {
        text_adds(out, ", ");
        schema_element(row, whole, out);
    }
}

/* torchvision's None stands for 0, where that is allowed. */
static bool may_be_null(const struct row *row)
{
    return row_has_limit(row) && row->limit.lo == 0;
}

static bool size_read(const struct row *row, const struct value *value, void *to,
                      struct arena *arena, struct faults *faults)
{
    struct size *size = to;
    double at[2] = { 0 };
    int n = 1;

    (void)arena;
    if (!(value->kind == VALUE_NULL && may_be_null(row)) &&
        !read_list(row, value, 1, 2, true, at, &n, faults))
        return false;
    size->single = n == 1;
    size->height = (int)at[0];
    size->width = (int)at[n - 1];
    return true;
}

static void size_show(const struct row *row, const void *from, struct text *out)
{
    const struct size *size = from;

    (void)row;
    if (size->single)
        text_addf(out, "%d", size->height);
    else
        text_addf(out, "[%d, %d]", size->height, size->width);
}

static void size_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [");
    if (may_be_null(row))
        text_adds(out, "{\"type\": \"null\"}, ");
    schema_list(row, 1, 2, true, true, out);
    text_addc(out, ']');
}

const struct kind size_kind = { "size", "a whole number, or [height, width]", size_read, size_show,
                                size_schema };

static bool list_read(const struct row *row, const struct value *value, void *to,
                      struct arena *arena, struct faults *faults)
{
    struct list *list = to;

    (void)arena;
    return read_list(row, value, row->least, row->most, row->whole, list->at, &list->n, faults);
}

static void list_show(const struct row *row, const void *from, struct text *out)
{
    const struct list *list = from;

    (void)row;
    show_list(list->at, list->n, out);
}

static void list_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [");
    schema_list(row, row->least, row->most, row->whole, row->least == 1, out);
    text_addc(out, ']');
}

const struct kind list_kind = { "list", "a number or a list of numbers", list_read, list_show,
                                list_schema };

static bool optional_list_read(const struct row *row, const struct value *value, void *to,
                               struct arena *arena, struct faults *faults)
{
    struct optional_list *optional = to;

    optional->given = value->kind != VALUE_NULL;
    return !optional->given || list_read(row, value, &optional->list, arena, faults);
}

static void optional_list_show(const struct row *row, const void *from, struct text *out)
{
    const struct optional_list *optional = from;

    if (optional->given)
        list_show(row, &optional->list, out);
    else
        text_adds(out, "null");
}

static void optional_list_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, ");
    schema_list(row, row->least, row->most, row->whole, row->least == 1, out);
    text_addc(out, ']');
}

const struct kind optional_list_kind = { "optional list", "a number, a list of numbers, or null",
                                         optional_list_read, optional_list_show,
                                         optional_list_schema };

static bool point_read(const struct row *row, const struct value *value, void *to,
                       struct arena *arena, struct faults *faults)
{
    struct optional_list *optional = to;

    (void)arena;
    optional->given = value->kind != VALUE_NULL;
    return !optional->given ||
           read_list(row, value, 2, 2, false, optional->list.at, &optional->list.n, faults);
}

static void point_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, ");
    schema_list(row, 2, 2, false, false, out);
    text_addc(out, ']');
}

const struct kind point_kind = { "point", "[x, y], or null", point_read, optional_list_show,
                                 point_schema };

static bool corner_read(const struct row *row, const struct value *value, struct point *to,
                        struct faults *faults)
{
    bool good;

    if (value->kind != VALUE_LIST)
        return value_fault(faults, value, false, "param-type", "expected [x, y], not %s",
                           value_kind_name(value->kind));
    if (value->n != 2)
        return value_fault(faults, value, false, "param-length",
                           "expected two numbers, [x, y], not %zu", value->n);
    good = read_number(row, &value->item[0], &to->x, faults);
    return read_number(row, &value->item[1], &to->y, faults) && good;
}

static bool corners_read(const struct row *row, const struct value *value, void *to,
                         struct arena *arena, struct faults *faults)
{
    struct corners *corners = to;
    bool good = true;

    (void)arena;
    if (value->kind != VALUE_LIST)
        return wrong_type(row, value, faults);
    if (value->n != COUNTOF(corners->at))
        return value_fault(faults, value, false, "param-length", "expected four points, not %zu",
                           value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= corner_read(row, &value->item[i], &corners->at[i], faults);
    return good;
}

static void corners_show(const struct row *row, const void *from, struct text *out)
{
    const struct corners *corners = from;

    (void)row;
    for (size_t i = 0; i < COUNTOF(corners->at); i++) {
        text_adds(out, i ? ", " : "[");
        show_list((double[]){ corners->at[i].x, corners->at[i].y }, 2, out);
    }
    text_addc(out, ']');
}

static bool rect_read(const struct row *row, const struct value *value, struct rect *to,
                      struct faults *faults)
{
    double at[4] = { 0 };
    int n = 0;

    if (value->kind != VALUE_LIST)
        return value_fault(faults, value, false, "param-type",
                           "expected [top, left, height, width], not %s",
                           value_kind_name(value->kind));
    if (!read_list(row, value, 4, 4, true, at, &n, faults))
        return false;
    *to = (struct rect){ .x = (int)at[1], .y = (int)at[0], .w = (int)at[3], .h = (int)at[2] };
    return true;
}

static bool rects_read(const struct row *row, const struct value *value, void *to,
                       struct arena *arena, struct faults *faults)
{
    struct rects *rects = to;
    bool good = true;
    struct rect *at;

    if (value->kind != VALUE_LIST)
        return wrong_type(row, value, faults);
    at = ARENA_ARRAY(arena, struct rect, value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= rect_read(row, &value->item[i], &at[i], faults);
    *rects = (struct rects){ at, value->n };
    return good;
}

static void rects_show(const struct row *row, const void *from, struct text *out)
{
    const struct rects *rects = from;

    (void)row;
    text_addc(out, '[');
    for (size_t i = 0; i < rects->n; i++) {
        const struct rect *r = &rects->at[i];

        text_addf(out, "%s[%d, %d, %d, %d]", i ? ", " : "", r->y, r->x, r->h, r->w);
    }
    text_addc(out, ']');
}

static void corners_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": ");
    schema_list(row, 2, 2, false, false, out);
}

const struct kind corners_kind = { "corners", "four points, [[x, y], [x, y], [x, y], [x, y]]",
                                   corners_read, corners_show, corners_schema };

static void rects_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"array\", \"items\": ");
    schema_list(row, 4, 4, true, false, out);
}

const struct kind rects_kind = { "rectangles", "a list of [top, left, height, width]", rects_read,
                                 rects_show, rects_schema };

static bool tuples_read(const struct row *row, const struct value *value, void *to,
                        struct arena *arena, struct faults *faults)
{
    struct tuples *tuples = to;
    size_t width = (size_t)row->most;
    bool good = true;

    if (value->kind != VALUE_LIST)
        return wrong_type(row, value, faults);
    if (value->n < (size_t)row->least)
        return value_fault(faults, value, false, "param-length", "expected at least %d, not %zu",
                           row->least, value->n);
    tuples->n = value->n;
    tuples->at = ARENA_ARRAY(arena, double, value->n *width);
    for (size_t i = 0; i < value->n; i++) {
        const struct value *item = &value->item[i];
        int n;

        if (item->kind != VALUE_LIST)
            good = value_fault(faults, item, false, "param-type",
                               "expected a list of %d numbers, not %s", row->most,
                               value_kind_name(item->kind));
        else
            good &= read_list(row, item, row->most, row->most, row->whole, &tuples->at[i * width],
                              &n, faults);
    }
    return good;
}

static void tuples_show(const struct row *row, const void *from, struct text *out)
{
    const struct tuples *tuples = from;

    text_addc(out, '[');
    for (size_t i = 0; i < tuples->n; i++) {
        text_adds(out, i ? ", " : "");
        show_list(&tuples->at[i * (size_t)row->most], row->most, out);
    }
    text_addc(out, ']');
}

static void tuples_schema(const struct row *row, struct text *out)
{
    text_addf(out, "\"type\": \"array\", \"minItems\": %d, \"items\": ", row->least);
    schema_list(row, row->most, row->most, row->whole, false, out);
}

const struct kind tuples_kind = { "tuples", "a list of lists of numbers", tuples_read, tuples_show,
                                  tuples_schema };

static bool colour_read(const struct row *row, const struct value *value, void *to,
                        struct arena *arena, struct faults *faults)
{
    struct colour *colour = to;

    (void)arena;
    colour->n = 0;
    return value->kind == VALUE_NULL ||
           read_list(row, value, 1, 4, false, colour->band, &colour->n, faults);
}

static void colour_show(const struct row *row, const void *from, struct text *out)
{
    const struct colour *colour = from;

    (void)row;
    if (colour->n == 0)
        text_adds(out, "null");
    else if (colour->n == 1)
        number_print(out, colour->band[0]);
    else
        show_list(colour->band, colour->n, out);
}

static void colour_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, ");
    schema_list(row, 1, 4, false, true, out);
    text_addc(out, ']');
}

const struct kind colour_kind = { "colour", "a number, a list of one number a band, or null",
                                  colour_read, colour_show, colour_schema };

static bool numbers_read(const struct row *row, const struct value *value, void *to,
                         struct arena *arena, struct faults *faults)
{
    struct numbers *numbers = to;
    bool good = true;

    if (value->kind != VALUE_LIST)
        return wrong_type(row, value, faults);
    if (value->n < (size_t)row->least)
        return value_fault(faults, value, false, "param-length",
                           "expected at least %d number%s, not %zu", row->least,
                           row->least == 1 ? "" : "s", value->n);
    if (row->most && value->n > (size_t)row->most)
        return value_fault(faults, value, false, "param-length",
                           "expected at most %d numbers, not %zu", row->most, value->n);
    numbers->n = value->n;
    numbers->at = ARENA_ARRAY(arena, double, value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= read_number(row, &value->item[i], &numbers->at[i], faults);
    return good;
}

static void numbers_show(const struct row *row, const void *from, struct text *out)
{
    const struct numbers *numbers = from;

    (void)row;
    show_list(numbers->at, (int)numbers->n, out);
}

static void numbers_schema(const struct row *row, struct text *out)
{
    text_addf(out,
              "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", row->least,
              row->most);
    schema_element(row, false, out);
}

const struct kind numbers_kind = { "numbers", "a list of numbers", numbers_read, numbers_show,
                                   numbers_schema };

static bool weights_read(const struct row *row, const struct value *value, void *to,
                         struct arena *arena, struct faults *faults)
{
    struct weights *weights = to;
    struct numbers numbers = { 0 };
    bool good = value->kind == VALUE_NULL || numbers_read(row, value, &numbers, arena, faults);

    *weights = (struct weights){ numbers.at, numbers.n };
    return good;
}

static void weights_show(const struct row *row, const void *from, struct text *out)
{
    const struct weights *weights = from;

    (void)row;
    if (weights->n)
        show_list(weights->at, (int)weights->n, out);
    else
        text_adds(out, "null");
}

static void weights_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"items\": ");
    schema_element(row, false, out);
    text_adds(out, "}]");
}

const struct kind weights_kind = { "weights", "a list of numbers, one a step, or null",
                                   weights_read, weights_show, weights_schema };
