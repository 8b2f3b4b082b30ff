/* kinds_words: parameters that are a word out of several, a flag, a text or names. */
#include "param/param.h"

#include <string.h>

/* --- words out of several --- */

static bool choice_read(const struct row *row, const struct value *value, void *to,
                        const struct reader *reader, struct faults *faults)
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
                    text_string(&words), nearest_hint(&near, reader->arena));
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

const struct kind choice_kind = { "choice", "one of the listed strings", choice_read, choice_show,
                                  choice_schema };

/* --- flags --- */

static bool flag_read(const struct row *row, const struct value *value, void *to,
                      const struct reader *reader, struct faults *faults)
{
    (void)reader;
    if (!value_expect(value, VALUE_FLAG, row->kind->wants, faults))
        return false;
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

/* --- texts, and lists of them --- */

static bool text_read(const struct row *row, const struct value *value, void *to,
                      const struct reader *reader, struct faults *faults)
{
    (void)row;
    if (!value_expect(value, VALUE_TEXT, text_kind.wants, faults))
        return false;
    *(const char **)to = arena_copy(reader->arena, value->text, strlen(value->text));
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

const struct kind text_kind = { "text", "a string", text_read, text_show, text_schema };

static bool names_read(const struct row *row, const struct value *value, void *to,
                       const struct reader *reader, struct faults *faults)
{
    struct names *names = to;
    const char **at;
    bool good = true;

    *names = (struct names){ 0 };
    if (value->kind == VALUE_NULL)
        return true;
    if (!value_expect(value, VALUE_LIST, row->kind->wants, faults))
        return false;
    if (!value->n)
        return value_fault(faults, value, false, "param-length", "expected at least one name");
    at = ARENA_ARRAY(reader->arena, const char *, value->n);
    for (size_t i = 0; i < value->n; i++)
        good &= text_read(row, &value->item[i], &at[i], reader, faults);
    *names = (struct names){ at, value->n };
    return good;
}

static void names_show(const struct row *row, const void *from, struct text *out)
{
    const struct names *names = from;

    for (size_t i = 0; i < names->n; i++) {
        text_adds(out, i ? ", " : "[");
        text_show(row, &names->at[i], out);
    }
    text_adds(out, names->n ? "]" : "null");
}

static void names_schema(const struct row *row, struct text *out)
{
    (void)row;
    text_adds(out, "\"anyOf\": [{\"type\": \"null\"}, {\"type\": \"array\", \"minItems\": 1, "
                   "\"items\": {\"type\": \"string\"}}]");
}

const struct kind names_kind = { "names", "a list of strings, or null", names_read, names_show,
                                 names_schema };
