/* kinds_sets: parameters that are objects of rows, or null; conditions on a sample. */
#include "param.h"

/* --- objects of rows, or null --- */

bool set_read(const struct row *rows, const struct row *row, const struct value *value, void *to,
              struct arena *arena, struct faults *faults)
{
    if (!value_expect(value, VALUE_OBJECT, row->kind->wants, faults))
        return false;
    params_preset(rows, to, arena);
    return params_read(rows, value, to, NULL, arena, faults);
}

void set_show(const struct row *rows, const void *from, struct text *out)
{
    text_addc(out, '{');
    params_print(rows, from, out);
    text_addc(out, '}');
}

void set_schema(const struct row *rows, struct text *out)
{
    text_adds(out, "\"type\": [\"object\", \"null\"], \"properties\": {");
    for (ROWS (row, rows)) {
        text_addf(out, "\"%s\": {\"description\": \"%s\", ", row->name, row->help);
        row->kind->schema(row, out);
        text_adds(out, "}, ");
    }
    text_adds(out, "\"$comment\": true}, \"patternProperties\": {\"^x-\": true}, "
                   "\"additionalProperties\": false");
}

/* --- conditions --- */

#define COUNT_LIMIT .whole = true, .limit = { 0, INFINITY }, .preset = "null"
static const struct row when_rows[] = {
    NAMES(struct when, has_category, .preset = "null",
          .help = "an object of one of these categories, at least, is there"),
    OPTIONAL(struct when, min_objects, COUNT_LIMIT, .help = "as many objects, or more, are there"),
    OPTIONAL(struct when, max_objects, COUNT_LIMIT, .help = "no more objects are there"),
    OPTIONAL(struct when, min_size, COUNT_LIMIT, .unit = "pixels",
             .help = "the shorter side of the image is no shorter"),
    OPTIONAL(struct when, max_size, COUNT_LIMIT, .unit = "pixels",
             .help = "the longer side of the image is no longer"),
    ROWS_END,
};
#undef COUNT_LIMIT

static bool when_read(const struct row *row, const struct value *value, void *to,
                      struct arena *arena, struct faults *faults)
{
    struct when *when = to;

    *when = (struct when){ .given = value->kind != VALUE_NULL };
    return !when->given || set_read(when_rows, row, value, when, arena, faults);
}

static void when_show(const struct row *row, const void *from, struct text *out)
{
    const struct when *when = from;

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
