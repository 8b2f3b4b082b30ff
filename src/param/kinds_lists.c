/* kinds_lists: parameters that are one list of numbers: sizes, points, colours, weights, ... */
#include "param/kinds.h"

#include "base/number.h"

/* --- lists of a few numbers --- */

bool row_read_list(const struct row *row, const struct value *value, struct list_form form,
                   double *to, int *n, struct faults *faults)
{
    const struct value *items = value->kind == VALUE_LIST ? value->item : value;
    size_t length = value->kind == VALUE_LIST ? value->n : 1;
    bool good = true;

    if (value->kind != VALUE_NUMBER && !value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    if (length < (size_t)form.min || length > (size_t)form.max)
        return form.min == form.max
                   ? value_fault(faults, value, false, "param-length",
                                 "expected %d numbers, not %zu", form.min, length)
                   : value_fault(faults, value, false, "param-length",
                                 "expected %d to %d numbers, not %zu", form.min, form.max, length);
    for (size_t i = 0; i < length; i++)
        good &= row_read_number(row, &items[i], form.whole, &to[i], faults);
    *n = (int)length;
    return good;
}

void numbers_print(struct text *out, const double *at, size_t n)
{
    text_addc(out, '[');
    for (size_t i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        number_print(out, at[i]);
    }
    text_addc(out, ']');
}

/* The schema of one of a list's numbers, as an object of its own. */
static void element_schema(const struct row *row, bool whole, struct text *out)
{
    text_addc(out, '{');
    row_schema_number(row, whole, out);
    text_addc(out, '}');
}

void row_schema_list(const struct row *row, struct list_form form, struct text *out)
{
    text_addf(out, "\"type\": \"array\", \"minItems\": %d, \"maxItems\": %d, \"items\": ", form.min,
              form.max);
    element_schema(row, form.whole, out);
}

/* Accepts a list; a number without brackets if a list of one is allowed; and, with `null`, null. */
static void list_or_null_schema(const struct row *row, struct list_form form, bool null,
                                struct text *out)
{
    text_addf(out, "\"anyOf\": [%s{", null ? "{\"type\": \"null\"}, " : "");
    row_schema_list(row, form, out);
    text_addc(out, '}');
    if (form.min == 1) {
        text_adds(out, ", ");
        element_schema(row, form.whole, out);
    }
    text_addc(out, ']');
}

/* --- sizes --- */

static const struct list_form size_form = { 1, 2, true };

/* torchvision's None means 0, if that is allowed. */
static bool may_be_null(const struct row *row)
{
    return row_has_limit(row) && row->limit.lo == 0;
}

static bool size_read(const struct row *row, const struct value *value, void *to,
                      const struct reader *reader, struct faults *faults)
{
    struct size *size = to;
    double at[2] = { 0 };
    int n = 1;

    (void)reader;
    if (!(value->kind == VALUE_NULL && may_be_null(row)) &&
        !row_read_list(row, value, size_form, at, &n, faults))
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
    list_or_null_schema(row, size_form, may_be_null(row), out);
}

const struct kind size_kind = { "size", "an integer, or [height, width]", size_read, size_show,
                                size_schema };

/* --- lists as their rows have them --- */

static struct list_form form_of(const struct row *row)
{
    return (struct list_form){ row->least, row->most, row->whole };
}

static bool list_read(const struct row *row, const struct value *value, void *to,
                      const struct reader *reader, struct faults *faults)
{
    struct list *list = to;

    (void)reader;
    if (!row_read_list(row, value, form_of(row), list->at, &list->n, faults))
        return false;
    if (value->kind == VALUE_NUMBER && row->scalar != SCALAR_FIXED) {
        struct range range = range_of_scalar(row->scalar, list->at[0]);

        *list = (struct list){ 2, { range.lo, range.hi } };
    }
    return true;
}

static void list_show(const struct row *row, const void *from, struct text *out)
{
    const struct list *list = from;

    (void)row;
    numbers_print(out, list->at, (size_t)list->n);
}

static void list_schema(const struct row *row, struct text *out)
{
    list_or_null_schema(row, form_of(row), false, out);
}

const struct kind list_kind = { "list", "a number or a list of numbers", list_read, list_show,
                                list_schema };

static bool optional_list_read(const struct row *row, const struct value *value, void *to,
                               const struct reader *reader, struct faults *faults)
{
    struct optional_list *optional = to;

    optional->given = value->kind != VALUE_NULL;
    return !optional->given || list_read(row, value, &optional->list, reader, faults);
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
    list_or_null_schema(row, form_of(row), true, out);
}

const struct kind optional_list_kind = { "optional list", "a number, a list of numbers, or null",
                                         optional_list_read, optional_list_show,
                                         optional_list_schema };

/* --- points --- */

static const struct list_form point_form = { 2, 2, false };

static bool point_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    struct optional_list *optional = to;
    struct list *list = &optional->list;

    (void)reader;
    optional->given = value->kind != VALUE_NULL;
    return !optional->given || row_read_list(row, value, point_form, list->at, &list->n, faults);
}

static void point_schema(const struct row *row, struct text *out)
{
    list_or_null_schema(row, point_form, true, out);
}

const struct kind point_kind = { "point", "[x, y], or null", point_read, optional_list_show,
                                 point_schema };

/* --- colours --- */

static const struct list_form colour_form = { 1, 4, false };

static bool colour_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
{
    struct colour *colour = to;

    (void)reader;
    colour->n = 0;
    return value->kind == VALUE_NULL ||
           row_read_list(row, value, colour_form, colour->channel, &colour->n, faults);
}

static void colour_show(const struct row *row, const void *from, struct text *out)
{
    const struct colour *colour = from;

    (void)row;
    if (colour->n == 0)
        text_adds(out, "null");
    else if (colour->n == 1)
        number_print(out, colour->channel[0]);
    else
        numbers_print(out, colour->channel, (size_t)colour->n);
}

static void colour_schema(const struct row *row, struct text *out)
{
    list_or_null_schema(row, colour_form, true, out);
}

const struct kind colour_kind = { "colour", "a number, a list of one number per channel, or null",
                                  colour_read, colour_show, colour_schema };

static bool paint_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    struct paint *paint = to;

    if (value->kind == VALUE_TEXT)
        return choice_kind.read(row, value, &paint->method, reader, faults);
    paint->method = 0;
    return colour_read(row, value, &paint->colour, reader, faults);
}

static void paint_show(const struct row *row, const void *from, struct text *out)
{
    const struct paint *paint = from;

    if (paint->method)
        choice_kind.print(row, &paint->method, out);
    else
        colour_show(row, &paint->colour, out);
}

static void paint_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{");
    choice_kind.schema(row, out);
    text_adds(out, "}, {");
    colour_schema(row, out);
    text_adds(out, "}]");
}

const struct kind paint_kind = { "paint",
                                 "a number, a list of one number per channel, null, or one of the "
                                 "listed strings",
                                 paint_read, paint_show, paint_schema };

/* --- lists of any length --- */

static bool numbers_read(const struct row *row, const struct value *value, void *to,
                         const struct reader *reader, struct faults *faults)
{
    struct numbers *numbers = to;
    bool good = true;

    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    if (value->n < (size_t)row->least)
        return value_fault(faults, value, false, "param-length",
                           "expected at least %d number%s, not %zu", row->least,
                           row->least == 1 ? "" : "s", value->n);
    if (row->most && value->n > (size_t)row->most)
        return value_fault(faults, value, false, "param-length",
                           "expected at most %d numbers, not %zu", row->most, value->n);
    numbers->n = value->n;
    numbers->at = ARENA_ARRAY(reader->arena, double, value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= row_read_number(row, &value->item[i], row->whole, &numbers->at[i], faults);
    return good;
}

static void numbers_show(const struct row *row, const void *from, struct text *out)
{
    const struct numbers *numbers = from;

    (void)row;
    numbers_print(out, numbers->at, numbers->n);
}

static void numbers_schema(const struct row *row, struct text *out)
{
    row_schema_list(row, (struct list_form){ row->least, row->most, row->whole }, out);
}

const struct kind numbers_kind = { "numbers", "a list of numbers", numbers_read, numbers_show,
                                   numbers_schema };

static bool weights_read(const struct row *row, const struct value *value, void *to,
                         const struct reader *reader, struct faults *faults)
{
    struct weights *weights = to;
    struct numbers numbers = { 0 };
    bool good = value->kind == VALUE_NULL || numbers_read(row, value, &numbers, reader, faults);

    *weights = (struct weights){ numbers.at, numbers.n };
    return good;
}

static void weights_show(const struct row *row, const void *from, struct text *out)
{
    const struct weights *weights = from;

    (void)row;
    if (weights->n)
        numbers_print(out, weights->at, weights->n);
    else
        text_adds(out, "null");
}

static void weights_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"items\": ");
    element_schema(row, false, out);
    text_adds(out, "}]");
}

const struct kind weights_kind = { "weights", "a list of numbers, one per step, or null",
                                   weights_read, weights_show, weights_schema };
