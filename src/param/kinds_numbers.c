/* kinds_numbers: parameters that are a number, a range of numbers, or one of these or null. */
#include "param/kinds.h"

#include "base/number.h"

#include <limits.h>

/* --- one number and its limits --- */

static bool is_within_limit(const struct row *row, double v)
{
    if (!row_has_limit(row))
        return true;
    return v >= row->limit.lo && v <= row->limit.hi && !(row->above && v == row->limit.lo);
}

static bool limit_fault(const struct row *row, const struct value *value, double v,
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

bool row_read_number(const struct row *row, const struct value *value, bool whole, double *to,
                     struct faults *faults)
{
    double v = value->number;

    if (!value_expect(value, VALUE_NUMBER, row->kind->wants, faults))
        return false;
    if (!is_within_limit(row, v))
        return limit_fault(row, value, v, faults);
    if (whole && (v != nearbyint(v) || fabs(v) > 0x1p53))
        return value_fault(faults, value, false, "param-type", "expected an integer, not %.17g", v);
    if (whole && row->odd && fmod(v, 2) == 0)
        return value_fault(faults, value, false, "param-odd", "%.0f is even; it must be odd", v);
    *to = v;
    return true;
}

static const char *schema_type(bool whole)
{
    return whole ? "integer" : "number";
}

static void limit_schema(const struct row *row, struct text *out)
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

void row_schema_number(const struct row *row, bool whole, struct text *out)
{
    text_addf(out, "\"type\": \"%s\"", schema_type(whole));
    limit_schema(row, out);
    if (whole && row->odd)
        text_adds(out, ", \"not\": {\"multipleOf\": 2}");
}

/* --- numbers --- */

static bool number_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
{
    (void)reader;
    return row_read_number(row, value, false, to, faults);
}

static void number_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    number_print(out, *(const double *)from);
}

static void number_schema(const struct row *row, struct text *out)
{
    row_schema_number(row, false, out);
}

const struct kind number_kind = { "number", "a number", number_read, number_show, number_schema };

static bool optional_read(const struct row *row, const struct value *value, void *to,
                          const struct reader *reader, struct faults *faults)
{
    struct optional *optional = to;

    (void)reader;
    optional->given = value->kind != VALUE_NULL;
    return !optional->given || row_read_number(row, value, row->whole, &optional->number, faults);
}

static void optional_show(const struct row *row, const void *from, struct text *out)
{
    const struct optional *optional = from;

    if (optional->given)
        number_show(row, &optional->number, out);
    else
        text_adds(out, "null");
}

static void optional_schema(const struct row *row, struct text *out)
{
    text_addf(out, "\"type\": [\"%s\", \"null\"]", schema_type(row->whole));
    limit_schema(row, out);
}

const struct kind optional_kind = { "optional number", "a number or null", optional_read,
                                    optional_show, optional_schema };

/* --- integers --- */

static bool integer_read(const struct row *row, const struct value *value, void *to,
                         const struct reader *reader, struct faults *faults)
{
    double number = 0;

    (void)reader;
    if (!row_read_number(row, value, true, &number, faults))
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
    row_schema_number(row, true, out);
}

const struct kind integer_kind = { "integer", "an integer", integer_read, integer_show,
                                   integer_schema };

static bool whole_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    double number = 0;

    (void)reader;
    if (!row_read_number(row, value, true, &number, faults))
        return false;
    *(int64_t *)to = (int64_t)number;
    return true;
}

static void whole_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    text_addf(out, "%lld", (long long)*(const int64_t *)from);
}

const struct kind whole_kind = { "integer", "an integer", whole_read, whole_show, integer_schema };

/* --- ranges --- */

struct range range_of_scalar(enum scalar scalar, double v)
{
    switch (scalar) {
    case SCALAR_FROM_0:
        return (struct range){ fmin(0, v), fmax(0, v) };
    case SCALAR_FROM_1:
        return (struct range){ fmin(1, v), fmax(1, v) };
    case SCALAR_FROM_3:
        return (struct range){ fmin(3, v), fmax(3, v) };
    case SCALAR_SYMMETRIC:
        return (struct range){ -v, v };
    case SCALAR_AROUND_1:
        return (struct range){ fmax(0, 1 - v), 1 + v };
    default:
        return (struct range){ v, v };
    }
}

/* True if the number is the distance to both ends of the range. */
static bool is_half_width(enum scalar scalar)
{
    return scalar == SCALAR_SYMMETRIC || scalar == SCALAR_AROUND_1;
}

static bool range_read_ends(const struct row *row, const struct value *value, struct range *range,
                            struct faults *faults)
{
    if (value->n != 2)
        return value_fault(faults, value, false, "param-length",
                           "expected two numbers, [lo, hi], not %zu", value->n);
    if (!row_read_number(row, &value->item[0], row->whole, &range->lo, faults) ||
        !row_read_number(row, &value->item[1], row->whole, &range->hi, faults))
        return false;
    if (range->lo > range->hi)
        return value_fault(faults, value, false, "param-order",
                           "the first number is larger than the second");
    return true;
}

/* The row's limits are the ends': a number that is itself outside may stand for a range inside. */
static bool range_read_scalar(const struct row *row, const struct value *value, struct range *range,
                              struct faults *faults)
{
    double v = value->number;

    if (row->whole && !row_read_number(row, value, true, &v, faults))
        return false;
    if (v < 0 && is_half_width(row->scalar))
        return value_fault(faults, value, false, "param-range",
                           "%g is negative; one number means %s", v,
                           row->scalar == SCALAR_SYMMETRIC ? "[-v, v]" : "[1 - v, 1 + v]");
    *range = range_of_scalar(row->scalar, v);
    return (is_within_limit(row, range->lo) && is_within_limit(row, range->hi)) ||
           limit_fault(row, value, v, faults);
}

static bool range_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    (void)reader;
    if (value->kind == VALUE_LIST)
        return range_read_ends(row, value, to, faults);
    return value_expect(value, VALUE_NUMBER, row->kind->wants, faults) &&
           range_read_scalar(row, value, to, faults);
}

static void range_show(const struct row *row, const void *from, struct text *out)
{
    const struct range *range = from;

    (void)row;
    numbers_print(out, (double[]){ range->lo, range->hi }, 2);
}

/* Returns the single number that means the range. */
static void scalar_schema(const struct row *row, struct text *out)
{
    if (!is_half_width(row->scalar)) {
        row_schema_number(row, row->whole, out);
        return;
    }
    text_addf(out, "\"type\": \"%s\", \"minimum\": 0", schema_type(row->whole));
    if (row_has_limit(row) && !isinf(row->limit.hi)) {
        text_adds(out, ", \"maximum\": ");
        number_print(out, row->limit.hi - (row->scalar == SCALAR_AROUND_1));
    }
}

static void range_or_null_schema(const struct row *row, bool null, struct text *out)
{
    text_addf(out, "\"anyOf\": [%s{", null ? "{\"type\": \"null\"}, " : "");
    row_schema_list(row, (struct list_form){ 2, 2, row->whole }, out);
    text_adds(out, "}, {");
    scalar_schema(row, out);
    text_adds(out, "}]");
}

static void range_schema(const struct row *row, struct text *out)
{
    range_or_null_schema(row, false, out);
}

const struct kind range_kind = { "range", "a number, or [lo, hi]", range_read, range_show,
                                 range_schema };

static bool optional_range_read(const struct row *row, const struct value *value, void *to,
                                const struct reader *reader, struct faults *faults)
{
    struct optional_range *optional = to;

    optional->given = value->kind != VALUE_NULL;
    return !optional->given || range_read(row, value, &optional->range, reader, faults);
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
    range_or_null_schema(row, true, out);
}

const struct kind optional_range_kind = { "optional range", "a number, [lo, hi], or null",
                                          optional_range_read, optional_range_show,
                                          optional_range_schema };
