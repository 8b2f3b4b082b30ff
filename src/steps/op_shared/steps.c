/* steps: nested steps as parameters. */
#include "steps/emit.h"

static bool steps_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    struct steps *steps = to;
    struct step *step;
    bool good = true;

    (void)row;
    if (!value_expect(value, VALUE_LIST, steps_kind.wants, faults))
        return false;
    step = ARENA_ARRAY(reader->arena, struct step, value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= reader->step(&value->item[i], &step[i], reader, faults);
    *steps = (struct steps){ step, value->n };
    return good;
}

void steps_print(const struct steps *steps, struct text *out)
{
    text_addc(out, '[');
    for (size_t i = 0; i < steps->n; i++) {
        text_adds(out, i ? ", " : "");
        steps->step[i].print(&steps->step[i], out);
    }
    text_addc(out, ']');
}

static void steps_show(const struct row *row, const void *from, struct text *out)
{
    (void)row;
    steps_print(from, out);
}

static void steps_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"type\": \"array\", \"items\": {\"$ref\": \"#/$defs/step\"}");
}

const struct kind steps_kind = { "steps", "a list of steps", steps_read, steps_show, steps_schema };

static bool chains_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
{
    struct chains *chains = to;
    struct steps *at;
    bool good = true;

    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    if (value->n == 0)
        return value_fault(faults, value, false, "param-length", "expected at least one list");
    at = ARENA_ARRAY(reader->arena, struct steps, value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= steps_read(row, &value->item[i], &at[i], reader, faults);
    *chains = (struct chains){ at, value->n };
    return good;
}

static void chains_show(const struct row *row, const void *from, struct text *out)
{
    const struct chains *chains = from;

    text_addc(out, '[');
    for (size_t i = 0; i < chains->n; i++) {
        text_adds(out, i ? ", " : "");
        steps_show(row, &chains->at[i], out);
    }
    text_addc(out, ']');
}

static void chains_schema(const struct row *row, struct text *out)
{
    text_adds(out, "\"type\": \"array\", \"minItems\": 1, \"items\": {");
    steps_schema(row, out);
    text_addc(out, '}');
}

const struct kind chains_kind = { "chains", "a list of lists of steps", chains_read, chains_show,
                                  chains_schema };
