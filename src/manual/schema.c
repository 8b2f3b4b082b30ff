/* schema: the tables as JSON: a JSON Schema of pipelines, and descriptions for scripts. */
#include "manual/manual.h"

#include "base/number.h"
#include "plan/fast_bounds.h"

#include <string.h>

static void add_string(struct text *out, const char *string)
{
    text_add_json(out, string, strlen(string));
}

/* --- rows --- */

/* Appends help, unit and the meaning of words, as editors show them. */
static void add_description(const struct row *row, struct text *out)
{
    struct text all = { 0 };

    text_adds(&all, row->help);
    if (row->unit)
        text_addf(&all, "; in %s", row->unit);
    for (const struct choice *c = row->choices; c && c->word; c++)
        text_addf(&all, "\n%s: %s", c->word, c->help);
    text_adds(out, "\"description\": ");
    add_string(out, text_string(&all));
    text_drop(&all);
}

static void add_row_schema(const struct row *row, const char *preset, struct text *out)
{
    add_string(out, row->name);
    text_adds(out, ": {");
    row->kind->schema(row, out);
    text_adds(out, ", ");
    add_description(row, out);
    if (preset)
        text_addf(out, ", \"default\": %s", preset);
    text_addc(out, '}');
}

/* Appends the members that are allowed in any object, and forbids all others. */
static void close_object(const struct row *rows, const char *needed, struct text *out)
{
    text_adds(out, "\"$comment\": true}, \"patternProperties\": {\"^x-\": true}, \"required\": [");
    text_adds(out, needed);
    for (ROWS (row, rows))
        if (!row->preset) {
            text_adds(out, out->at[out->length - 1] == '[' ? "" : ", ");
            add_string(out, row->name);
        }
    text_adds(out, "], \"additionalProperties\": false}");
}

static void add_rows(const struct row *rows, struct text *out)
{
    for (ROWS (row, rows)) {
        add_row_schema(row, row->preset, out);
        text_adds(out, ", ");
    }
}

/* --- the schema --- */

static void add_step(const struct entry *e, struct text *out)
{
    struct text chance = { 0 };

    number_print(&chance, e->transform && e->transform->chance > 0 ? e->transform->chance : 1);
    add_string(out, e->name);
    text_adds(out, ": {\"description\": ");
    add_string(out, e->summary);
    text_adds(out, ", \"examples\": [");
    text_adds(out, e->example);
    text_adds(out, "], \"type\": \"object\", \"properties\": {\"type\": {\"const\": ");
    add_string(out, e->name);
    text_adds(out, "}, ");
    add_rows(e->rows, out);
    for (ROWS (row, step_rows)) {
        if (row_get(e->rows, row->name))
            continue;
        add_row_schema(row, strcmp(row->name, "p") == 0 ? text_string(&chance) : row->preset, out);
        text_adds(out, ", ");
    }
    close_object(e->rows, "\"type\"", out);
    text_drop(&chance);
}

static void add_any_step(struct text *out)
{
    const char *between = "";

    text_adds(out, "\"step\": {\"description\": \"a transform or an op\", \"type\": \"object\", "
                   "\"required\": [\"type\"], \"oneOf\": [");
    for (ENTRIES(e)) {
        if (!entry_is_step(&e))
            continue;
        text_addf(out, "%s{\"$ref\": \"#/$defs/%s\"}", between, e.name);
        between = ", ";
    }
    text_adds(out, "]}");
}

static void add_section(const struct entry *e, struct text *out)
{
    add_string(out, e->name);
    text_adds(out, ": {\"description\": ");
    add_string(out, e->summary);
    text_adds(out, ", \"type\": \"object\", \"properties\": {");
    add_rows(e->rows, out);
    close_object(e->rows, "", out);
}

void manual_schema(struct text *out)
{
    struct text whole = { 0 };

    text_adds(&whole, "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": "
                      "\"lockstep pipeline\", \"description\": \"a pipeline of lockstep run\", "
                      "\"type\": \"object\", \"properties\": {\"$schema\": {\"type\": \"string\"}, "
                      "\"name\": {\"type\": \"string\"}, ");
    add_rows(pipeline_rows, &whole);
    for (ENTRIES(e))
        if (entry_is_part(&e))
            text_addf(&whole, "\"%s\": {\"$ref\": \"#/$defs/%s\"}, ", e.name, e.name);
    close_object(pipeline_rows, "", &whole);
    whole.length--; /* removes the brace, since definitions follow */
    text_adds(&whole, ", \"$defs\": {");
    add_any_step(&whole);
    for (ENTRIES(e)) {
        if (!entry_is_step(&e) && !entry_is_part(&e))
            continue;
        text_adds(&whole, ", ");
        if (entry_is_step(&e))
            add_step(&e, &whole);
        else
            add_section(&e, &whole);
    }
    text_adds(&whole, "}}");
    json_lay_out(text_string(&whole), 100, out);
    text_addc(out, '\n');
    text_drop(&whole);
}

/* --- for scripts --- */

static void add_choices(const struct choice *choices, struct text *out)
{
    for (const struct choice *c = choices; c->word; c++) {
        text_adds(out, c == choices ? "{\"word\": " : ", {\"word\": ");
        add_string(out, c->word);
        text_adds(out, ", \"help\": ");
        add_string(out, c->help);
        text_addc(out, '}');
    }
}

static void add_row_difference(const struct row *row, struct text *out)
{
    if (!row->differs)
        return;
    text_adds(out, ", \"differs\": ");
    add_string(out, row->differs);
    if (!row->differs_at)
        return;
    text_adds(out, ", \"differs_at\": [");
    for (const char *at = row->differs_at; *at; at++)
        text_adds(out, *at == ' ' ? ", " : (char[]){ *at, '\0' });
    text_addc(out, ']');
}

static void add_parameter(const struct row *row, const char *preset, struct text *out)
{
    struct text limit = { 0 };

    row_print_limit(row, &limit);
    text_adds(out, "{\"name\": ");
    add_string(out, row->name);
    text_adds(out, ", \"help\": ");
    add_string(out, row->help);
    text_adds(out, ", \"kind\": ");
    add_string(out, row->kind->name);
    text_adds(out, ", \"wants\": ");
    add_string(out, row->kind->wants);
    if (limit.length) {
        text_adds(out, ", \"limit\": ");
        add_string(out, text_string(&limit));
    }
    if (row->unit) {
        text_adds(out, ", \"unit\": ");
        add_string(out, row->unit);
    }
    add_row_difference(row, out);
    text_addf(out, ", \"required\": %s", preset ? "false" : "true");
    if (preset)
        text_addf(out, ", \"default\": %s", preset);
    if (row->choices) {
        text_adds(out, ", \"choices\": [");
        add_choices(row->choices, out);
        text_addc(out, ']');
    }
    text_adds(out, ", \"schema\": {");
    row->kind->schema(row, out);
    text_adds(out, "}}");
    text_drop(&limit);
}

static void add_words(const char *const *word, struct text *out)
{
    text_addc(out, '[');
    for (size_t i = 0; word[i]; i++) {
        text_adds(out, i ? ", " : "");
        add_string(out, word[i]);
    }
    text_addc(out, ']');
}

static void add_shortcuts(unsigned set, struct text *out)
{
    bool first = true;

    text_adds(out, ", \"shortcuts\": [");
    for (int i = 0; i < SHORTCUTS; i++)
        if (set & 1U << i) {
            bool loss = shortcuts[i].psnr == 0;

            text_addf(out, "%s{\"name\": \"%s\", \"%s\": ", first ? "" : ", ", shortcuts[i].name,
                      loss ? "loss" : "psnr");
            number_print(out, loss ? SHORTCUT_LOSS : shortcuts[i].psnr);
            text_addc(out, '}');
            first = false;
        }
    text_addc(out, ']');
}

static void add_step_facts(const struct entry *e, struct text *out)
{
    char letters[5];

    if (!entry_is_step(e))
        return;
    entry_letters(e, letters);
    text_addf(out, ", \"effects\": \"%s\"", letters);
    if (e->transform) {
        text_adds(out, ", \"p\": ");
        number_print(out, e->transform->chance > 0 ? e->transform->chance : 1);
    }
    if (e->transform && e->transform->emits) {
        text_adds(out, ", \"emits\": ");
        add_words(e->transform->emits, out);
    }
    add_shortcuts(entry_shortcuts(e), out);
    text_addf(out, ", \"example\": %s", e->example);
}

static void add_origin(const struct entry *e, struct text *out)
{
    if (!entry_is_step(e))
        return;
    text_addf(out, ", \"group\": \"%s\", \"origin\": \"%s\"", group_name(e->group),
              origin_name(e->origin));
    if (e->differs) {
        text_addf(out, ", \"%s\": ", e->transform && e->transform->note ? "note" : "differs");
        add_string(out, e->differs);
    }
}

void manual_json(const struct entry *e, struct text *out)
{
    text_adds(out, "{\"name\": ");
    add_string(out, e->name);
    text_addf(out, ", \"kind\": \"%s\", \"summary\": ", e->kind);
    add_string(out, e->summary);
    add_origin(e, out);
    add_step_facts(e, out);
    text_adds(out, ", \"parameters\": [");
    for (ROWS (row, e->rows)) {
        text_adds(out, row == e->rows ? "" : ", ");
        add_parameter(row, row->preset, out);
    }
    text_adds(out, "]}");
}

/* --- layout --- */

/* Returns the end of the value that begins here. */
static const char *value_end(const char *at)
{
    int depth = 0;
    bool quoted = false;

    for (; *at; at++) {
        if (quoted && *at == '\\')
            at++;
        else if (*at == '"')
            quoted = !quoted;
        else if (!quoted && strchr("{[", *at))
            depth++;
        else if (!quoted && strchr("}]", *at) && depth-- == 0)
            return at;
        else if (!quoted && *at == ',' && depth == 0)
            return at;
    }
    return at;
}

static void new_line(struct text *out, int indent)
{
    text_addf(out, "\n%*s", indent, "");
}

/* Lays out one value in `indent`; the line already has `used` columns. Members with their names are
 * also values here. */
static const char *lay_out(const char *at, int indent, int width, struct text *out)
{
    const char *end = value_end(at), *bracket;

    for (bracket = at; bracket < end && !strchr("{[", *bracket); bracket++)
        if (*bracket == '"')
            while (*++bracket != '"')
                bracket += *bracket == '\\';
    if (indent + (end - at) < width || bracket == end || end - bracket <= 2) {
        text_add(out, at, (size_t)(end - at));
        return end;
    }
    text_add(out, at, (size_t)(bracket + 1 - at));
    for (at = bracket + 1; !strchr("}]", *at); at += strspn(at, ", ")) {
        new_line(out, indent + 2);
        at = lay_out(at, indent + 2, width, out);
        if (*at == ',')
            text_addc(out, ',');
    }
    new_line(out, indent);
    text_addc(out, *at);
    return at + 1;
}

void json_lay_out(const char *json, int width, struct text *out)
{
    lay_out(json, 0, width, out);
}
