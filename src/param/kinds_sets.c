/* kinds_sets: parameters that are objects of rows, or null. */
#include "param/param.h"

bool set_read(const struct row *rows, const struct row *row, const struct value *value, void *to,
              const struct reader *reader, struct faults *faults)
{
    if (!value_expect(value, VALUE_OBJECT, row->kind->wants, faults))
        return false;
    params_preset(rows, to, reader->arena);
    return params_read(rows, value, to, NULL, reader, faults);
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
