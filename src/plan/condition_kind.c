/* condition_kind: the parameter `when`: conditions of a step, as an object of limits. */
#include "plan/plan.h"

#define COUNT_LIMIT .whole = true, .limit = { 0, INFINITY }, .preset = "null"
static const struct row when_rows[] = {
    NAMES(struct conditions, has_category, .preset = "null",
          .help = "an object has one of these categories"),
    OPTIONAL(struct conditions, min_objects, COUNT_LIMIT, .help = "minimum number of objects"),
    OPTIONAL(struct conditions, max_objects, COUNT_LIMIT, .help = "maximum number of objects"),
    OPTIONAL(struct conditions, min_size, COUNT_LIMIT, .unit = "pixels",
             .help = "minimum length of the shorter side of the image"),
    OPTIONAL(struct conditions, max_size, COUNT_LIMIT, .unit = "pixels",
             .help = "maximum length of the longer side of the image"),
    ROWS_END,
};
#undef COUNT_LIMIT

static bool when_read(const struct row *row, const struct value *value, void *to,
                      const struct reader *reader, struct faults *faults)
{
    struct conditions *when = to;

    *when = (struct conditions){ .given = value->kind != VALUE_NULL };
    return !when->given || set_read(when_rows, row, value, when, reader, faults);
}

static void when_show(const struct row *row, const void *from, struct text *out)
{
    const struct conditions *when = from;

    (void)row;
    if (when->given)
        set_show(when_rows, when, out);
    else
        text_adds(out, "null");
}

static void when_schema(const struct row *row, struct text *out)
{
    (void)row;
    set_schema(when_rows, out);
}

const struct kind when_kind = {
    "condition",
    "{\"has_category\": [...], \"min_objects\": n, \"max_objects\": n, \"min_size\": px, "
    "\"max_size\": px}, or null",
    when_read, when_show, when_schema
};
