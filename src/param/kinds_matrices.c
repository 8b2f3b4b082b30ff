/* kinds_matrices: parameters that are lists of lists of numbers: corners, rectangles, tuples. */
#include "param/kinds.h"

/* --- corners --- */

static bool corner_read(const struct row *row, const struct value *value, struct point *to,
                        struct faults *faults)
{
    bool good;

    if (!value_expect(value, VALUE_LIST, "[x, y]", faults))
        return false;
    if (value->n != 2)
        return value_fault(faults, value, false, "param-length",
                           "expected two numbers, [x, y], not %zu", value->n);
    good = row_read_number(row, &value->item[0], false, &to->x, faults);
    return row_read_number(row, &value->item[1], false, &to->y, faults) && good;
}

static bool corners_read(const struct row *row, const struct value *value, void *to,
                         const struct reader *reader, struct faults *faults)
{
    struct corners *corners = to;
    bool good = true;

    (void)reader;
    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
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
        numbers_print(out, (double[]){ corners->at[i].x, corners->at[i].y }, 2);
    }
    text_addc(out, ']');
}

static void corners_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"array\", \"minItems\": 4, \"maxItems\": 4, \"items\": {");
    row_schema_list(row, (struct list_form){ 2, 2, false }, out);
    text_addc(out, '}');
}

const struct kind corners_kind = { "corners", "four points, [[x, y], [x, y], [x, y], [x, y]]",
                                   corners_read, corners_show, corners_schema };

/* --- rectangles --- */

static const struct list_form rect_form = { 4, 4, true };

static bool rect_read(const struct row *row, const struct value *value, struct rect *to,
                      struct faults *faults)
{
    double at[4] = { 0 };
    int n = 0;

    if (!value_expect(value, VALUE_LIST, "[top, left, height, width]", faults) ||
        !row_read_list(row, value, rect_form, at, &n, faults))
        return false;
    *to = (struct rect){ .x = (int)at[1], .y = (int)at[0], .w = (int)at[3], .h = (int)at[2] };
    return true;
}

static bool rects_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    struct rects *rects = to;
    bool good = true;
    struct rect *at;

    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    at = ARENA_ARRAY(reader->arena, struct rect, value->n);
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

static void rects_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"array\", \"items\": {");
    row_schema_list(row, rect_form, out);
    text_addc(out, '}');
}

const struct kind rects_kind = { "rectangles", "a list of [top, left, height, width]", rects_read,
                                 rects_show, rects_schema };

/* --- tuples --- */

static struct list_form tuple_form(const struct row *row)
{
    return (struct list_form){ row->most, row->most, row->whole };
}

static bool tuple_read(const struct row *row, const struct value *value, double *to,
                       struct faults *faults)
{
    int n;

    if (value->kind != VALUE_LIST)
        return value_fault(faults, value, false, "param-type",
                           "expected a list of %d numbers, not %s", row->most,
                           value_kind_name(value->kind));
    return row_read_list(row, value, tuple_form(row), to, &n, faults);
}

static bool tuples_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
{
    struct tuples *tuples = to;
    size_t width = (size_t)row->most;
    bool good = true;

    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    if (value->n < (size_t)row->least)
        return value_fault(faults, value, false, "param-length", "expected at least %d, not %zu",
                           row->least, value->n);
    tuples->n = value->n;
    tuples->at = ARENA_ARRAY(reader->arena, double, value->n *width);
    for (size_t i = 0; i < value->n; i++)
        good &= tuple_read(row, &value->item[i], &tuples->at[i * width], faults);
    return good;
}

static void tuples_show(const struct row *row, const void *from, struct text *out)
{
    const struct tuples *tuples = from;
    size_t width = (size_t)row->most;

    text_addc(out, '[');
    for (size_t i = 0; i < tuples->n; i++) {
        text_adds(out, i ? ", " : "");
        numbers_print(out, &tuples->at[i * width], width);
    }
    text_addc(out, ']');
}

static void tuples_schema(const struct row *row, struct text *out)
{
    text_addf(out, "\"type\": \"array\", \"minItems\": %d, \"items\": {", row->least);
    row_schema_list(row, tuple_form(row), out);
    text_addc(out, '}');
}

const struct kind tuples_kind = { "tuples", "a list of lists of numbers", tuples_read, tuples_show,
                                  tuples_schema };
