/* param: uses of a table of rows: defaults, reading, printing, limits in words. */
#include "param/param.h"

#include "base/stderr_line.h"
#include "base/number.h"

#include <stdio.h>
#include <string.h>

const struct row *row_get(const struct row *rows, const char *name)
{
    for (ROWS (row, rows))
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

bool row_has_limit(const struct row *row)
{
    return row->limit.lo != 0 || row->limit.hi != 0;
}

void row_print_limit(const struct row *row, struct text *out)
{
    double lo = row->limit.lo, hi = row->limit.hi;

    if (!row_has_limit(row) || (isinf(lo) && isinf(hi)))
        return;
    if (isinf(hi)) {
        text_adds(out, row->above ? "above " : "at least ");
        number_print(out, lo);
    } else if (isinf(lo)) {
        text_adds(out, "at most ");
        number_print(out, hi);
    } else if (lo == hi) {
        number_print(out, lo);
        text_adds(out, " only");
    } else {
        if (row->above)
            text_adds(out, "above ");
        number_print(out, lo);
        text_adds(out, row->above ? ", at most " : "..");
        number_print(out, hi);
    }
    if (row->unit)
        text_addf(out, " %s", row->unit);
}

const char *choice_word(const struct choice *choices, int value)
{
    for (const struct choice *c = choices; c->word; c++)
        if (c->value == value)
            return c->word;
    return "";
}

static void *field(const struct row *row, void *params)
{
    return (char *)params + row->offset;
}

void params_preset(const struct row *rows, void *to, struct arena *arena)
{
    for (ROWS (row, rows)) {
        struct faults faults = { .name = row->name };
        const struct value *value;

        if (!row->preset)
            continue;
        faults.text = (struct slice){ row->preset, strlen(row->preset) };
        value = value_parse(&faults, arena);
        if (value)
            row->kind->read(row, value, field(row, to), &(struct reader){ .arena = arena },
                            &faults);
        if (faults.n) { /* a table that contradicts itself; the unit test of tables finds it */
            struct text message = { 0 };

            faults_print(&faults, 1, &message);
            message_print_lines(&message);
            text_drop(&message);
        }
        faults_drop(&faults);
    }
}

bool value_expect(const struct value *value, enum value_kind kind, const char *wants,
                  struct faults *faults)
{
    return value->kind == kind ||
           value_fault(faults, value, false, "param-type", "expected %s, not %s", wants,
                       value_kind_name(value->kind));
}

static bool is_known(const char *const *known, const char *name)
{
    for (; known && *known; known++)
        if (strcmp(*known, name) == 0)
            return true;
    return false;
}

/* Returns "; keys: a, b, c": the keys of the rows, and the keys that the caller reads. */
static const char *list_keys(const struct row *rows, const char *const *known, struct arena *arena)
{
    const char *keys = "; keys: ", *comma = "";

    for (ROWS (row, rows)) {
        keys = arena_printf(arena, "%s%s%s", keys, comma, row->name);
        comma = ", ";
    }
    for (; known && *known; known++, comma = ", ")
        keys = arena_printf(arena, "%s%s%s", keys, comma, *known);
    return keys;
}

static bool unknown_key(const struct row *rows, const struct value *key, const char *const *known,
                        const struct reader *reader, struct faults *faults)
{
    struct nearest near = { .word = key->name };
    const char *advice = reader->advice ? reader->advice(key, true, reader->arena) : "";

    for (ROWS (row, rows))
        nearest_try(&near, row->name);
    for (const char *const *name = known; name && *name; name++)
        nearest_try(&near, *name);
    return value_fault(faults, key, true, "param-unknown", "no such key%s%s",
                       *advice ? advice : nearest_hint(&near, reader->arena),
                       list_keys(rows, known, reader->arena));
}

bool param_read(const struct row *row, const struct value *value, void *to,
                const struct reader *reader, struct faults *faults)
{
    const char *advice;

    if (row->kind->read(row, value, field(row, to), reader, faults))
        return true;
    advice = reader->advice ? reader->advice(value, false, reader->arena) : "";
    if (*advice)
        fault_append(faults, advice);
    return false;
}

bool params_read(const struct row *rows, const struct value *object, void *to,
                 const char *const *known, const struct reader *reader, struct faults *faults)
{
    bool good = true;

    if (!value_expect(object, VALUE_OBJECT, "an object", faults))
        return false;
    for (size_t i = 0; i < object->n; i++) {
        const struct value *value = &object->item[i];
        const struct row *row = row_get(rows, value->name);

        if (row)
            good &= param_read(row, value, to, reader, faults);
        else if (!value_is_remark(value) && !is_known(known, value->name))
            good = unknown_key(rows, value, known, reader, faults);
    }
    for (ROWS (row, rows))
        if (!row->preset && !value_get(object, row->name) && !row_shared(reader->shared, row))
            good = value_fault(faults, object, false, "param-missing", "\"%s\" is missing: %s%s",
                               row->name, row->help,
                               reader->missing ? reader->missing(object, row->name) : "");
    return good;
}

const struct row *row_shared(const struct row *table, const struct row *row)
{
    const struct row *other = row_get(table, row->name);

    return other && other->kind == row->kind && other->choices == row->choices &&
                   other->most <= row->most
               ? other
               : NULL;
}

void params_share(const struct row *from_rows, const void *from, const struct row *to_rows,
                  void *to)
{
    for (ROWS (row, to_rows)) {
        const struct row *other = row_shared(from_rows, row);

        if (other)
            memcpy(field(row, to), (const char *)from + other->offset, row->size);
    }
}

void params_print(const struct row *rows, const void *from, struct text *out)
{
    for (ROWS (row, rows)) {
        if (row != rows)
            text_adds(out, ", ");
        text_addf(out, "\"%s\": ", row->name);
        row->kind->print(row, (const char *)from + row->offset, out);
    }
}
