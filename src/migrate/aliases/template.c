/* template: steps with placeholders for another library's parameters. */
#include "migrate/aliases/template.h"

#include <stdlib.h>
#include <string.h>

bool template_next(const char **at, struct placeholder *p)
{
    const char *begin = strchr(*at, '$'), *end, *equals, *colon;

    if (!begin)
        return false;
    end = strchr(begin + 1, '$');
    equals = strchr(begin, '=');
    colon = memchr(begin, ':', (size_t)(equals - begin));
    *p = (struct placeholder){ .begin = begin,
                               .function = { begin + 1, 0 },
                               .names = { colon ? colon + 1 : begin + 1, 0 },
                               .preset = { equals + 1, (size_t)(end - equals - 1) },
                               .end = end + 1 };
    p->function.length = colon ? (size_t)(colon - begin - 1) : 0;
    p->names.length = (size_t)(equals - p->names.at);
    *at = end + 1;
    return true;
}

bool placeholder_names(const struct placeholder *p, const char *name)
{
    size_t length = strlen(name);
    const char *at = p->names.at, *end = at + p->names.length;

    while (at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));

        bar = bar ? bar : end;
        if ((size_t)(bar - at) == length && strncmp(at, name, length) == 0)
            return true;
        at = bar + 1;
    }
    return false;
}

/* Returns the first of the placeholder's names that the step has; null counts as missing if another
 * name follows. */
static const struct value *given_value(const struct placeholder *p, const struct value *step)
{
    const char *at = p->names.at, *end = at + p->names.length;

    while (step && at < end) {
        const char *bar = memchr(at, '|', (size_t)(end - at));

        bar = bar ? bar : end;
        for (size_t i = 0; i < step->n; i++) {
            const char *name = step->item[i].name;

            if (name && strlen(name) == (size_t)(bar - at) &&
                strncmp(at, name, (size_t)(bar - at)) == 0 &&
                (bar == end || step->item[i].kind != VALUE_NULL))
                return &step->item[i];
        }
        at = bar + 1;
    }
    return NULL;
}

/* Appends JSON in which ' replaces ". */
static void add_quoted(struct text *out, const char *at, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text_addc(out, at[i] == '\'' ? '"' : at[i]);
}

/* "minus NAME": a length from its two ends. */
static bool print_minus(const struct placeholder *p, const struct value *v,
                        const struct value *step, struct text *out)
{
    struct placeholder other = { .names = { p->function.at + 6, p->function.length - 6 } };
    const struct value *from = given_value(&other, step);

    if (v->kind != VALUE_NUMBER || (from && from->kind != VALUE_NUMBER))
        return false;
    text_addf(out, "%.6g", v->number - (from ? from->number : 0));
    return true;
}

static bool print_placeholder(const struct placeholder *p, const struct value *v,
                              const struct value *step, struct text *out, bool *rounded)
{
    *rounded = false;
    if (!p->function.length) {
        value_print(v, out);
        return true;
    }
    if (strncmp(p->function.at, "minus ", 6) == 0)
        return print_minus(p, v, step, out);
    return foreign_print_value(p->function, v, out, rounded);
}

static void add_preset(const struct placeholder *p, const struct value *step, struct text *out)
{
    struct arena arena = { 0 };
    struct text json = { 0 };
    struct faults faults = { .name = "default" };
    const struct value *value = NULL;
    bool rounded;

    add_quoted(&json, p->preset.at, p->preset.length);
    faults.text = (struct slice){ json.at, json.length };
    if (p->function.length && strcmp(text_string(&json), "null") != 0)
        value = value_parse(&faults, &arena);
    if (strncmp(p->function.at, "steps:", 6) == 0)
        text_adds(out, "[...]");
    else if (!value || !print_placeholder(p, value, step, out, &rounded))
        text_add(out, json.at, json.length);
    faults_drop(&faults);
    arena_drop(&arena);
    text_drop(&json);
}

void template_expand_noting(const char *template, const struct value *step,
                            const struct template_listener *listener, struct text *out)
{
    const char *at = template, *from = template;
    struct placeholder p;

    while (template_next(&at, &p)) {
        const struct value *v = given_value(&p, step);
        bool rounded = false;

        add_quoted(out, from, (size_t)(p.begin - from));
        from = p.end;
        if (!v || !print_placeholder(&p, v, step, out, &rounded)) {
            if (v && v->kind != VALUE_NULL && listener)
                listener->lost(listener->context, v);
            add_preset(&p, step, out);
        } else if (rounded && listener) {
            listener->rounded(listener->context, v);
        }
    }
    add_quoted(out, from, strlen(from));
}

void template_expand(const char *template, const struct value *step, struct text *out)
{
    template_expand_noting(template, step, NULL, out);
}
