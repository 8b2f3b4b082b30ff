/* pick: chosen members of one object inside a large text, without a tree. */
#include "pick.h"

#include "../base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void place_path(const struct place *p, const char *member, struct text *path)
{
    text_addf(path, "%s[%zu]", p->list, p->index);
    if (member)
        text_addf(path, ".%s", member);
}

bool place_fault(const struct place *p, struct slice at, const char *member, const char *code,
                 const char *format, ...)
{
    size_t offset = at.at ? (size_t)(at.at - p->faults->text.at) : 0;
    struct text path = { 0 };
    va_list args;

    place_path(p, member, &path);
    va_start(args, format);
    fault_addv(p->faults, offset, at.length, text_string(&path), code, format, args);
    va_end(args);
    text_drop(&path);
    return false;
}

bool place_scan_fault(const struct place *p, const struct scan *s)
{
    struct slice at = { s->text.at + s->where, 1 };

    if (p->list)
        return place_fault(p, at, NULL, s->code, "%s", s->what);
    return fault_add(p->faults, s->where, 1, "", s->code, "%s", s->what);
}

static bool is_null(struct slice value)
{
    return value.length && *value.at == 'n';
}

/* Which of the n members has this name; n for none. Nearly all differ in their first byte, unless
 * it is escaped. */
static size_t find(const struct pick *pick, size_t n, struct slice name)
{
    for (size_t i = 0; i < n; i++)
        if ((*name.at == *pick[i].name || *name.at == '\\') && scan_is(name, pick[i].name))
            return i;
    return n;
}

bool pick_members(struct scan *s, const struct place *p, struct pick *pick, size_t n,
                  struct slice *element)
{
    struct slice name, value;
    bool first = true, good = true;

    if (scan_peek(s) != '{') {
        if (scan_value(s, element))
            place_fault(p, *element, NULL, p->code_type, "an object was expected");
        return false;
    }
    element->at = s->text.at + s->at;
    scan_open(s, '{');
    while (scan_member(s, &first, &name)) {
        size_t which = find(pick, n, name);

        if (!scan_value(s, &value))
            return false;
        if (which < n && pick[which].value.at)
            good = place_fault(p, name, pick[which].name, "json-twice", "this name is given twice");
        if (which < n)
            pick[which].value = value;
    }
    element->length = (size_t)(s->text.at + s->at - element->at);
    if (s->code)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct slice brace = { element->at, 1 };

        if (!pick[i].required && is_null(pick[i].value)) {
            pick[i].null = pick[i].value;
            pick[i].value = (struct slice){ 0 };
        }
        if (pick[i].required && !pick[i].value.at)
            good = place_fault(p, brace, pick[i].name, p->code_missing, "this key is missing");
    }
    return good;
}

struct slice pick_again(struct slice element, const char *name)
{
    struct scan s = scan_start(element, 0);
    struct slice member, value, found = element;
    bool first = true;

    if (scan_peek(&s) != '{')
        return element;
    scan_open(&s, '{');
    while (scan_member(&s, &first, &member) && scan_value(&s, &value))
        if (scan_is(member, name))
            found = value;
    return found;
}

bool pick_integer(const struct place *p, const struct pick *pick, int64_t *to)
{
    struct scan s = scan_start(pick->value, 0);

    if (!pick->value.at || scan_integer(&s, to))
        return true;
    return place_fault(p, pick->value, pick->name, p->code_type,
                       "a whole number within 2^53 was expected");
}

bool pick_number(const struct place *p, const struct pick *pick, double *to)
{
    if (!pick->value.at || number_scan(pick->value, to))
        return true;
    return place_fault(p, pick->value, pick->name, p->code_type, "a number was expected");
}

bool pick_text(const struct place *p, const struct pick *pick, struct arena *arena, const char **to)
{
    struct slice raw = pick->value;

    if (!raw.at)
        return true;
    if (*raw.at != '"')
        return place_fault(p, raw, pick->name, p->code_type, "a string was expected");
    *to = scan_unescape(arena, (struct slice){ raw.at + 1, raw.length - 2 }).at;
    return true;
}

/* Counted in bytes, which compilers do many at a time, as far as a byte can count. */
static size_t count_commas(struct slice list)
{
    size_t commas = 0;

    for (size_t i = 0; i < list.length;) {
        size_t stop = list.length - i < 255 ? list.length : i + 255;
        uint8_t some = 0;

        for (; i < stop; i++)
            some = (uint8_t)(some + (list.at[i] == ','));
        commas += some;
    }
    return commas;
}

bool pick_numbers(struct scan *s, double limit, struct arena *arena, double **at, size_t *n)
{
    struct slice rest = { 0 };
    const char *end;
    bool first = true;
    double most = 0;
    size_t room;

    *n = 0;
    if (scan_peek(s) != '[')
        return false;
    scan_open(s, '[');
    scan_peek(s);
    rest = (struct slice){ s->text.at + s->at, s->text.length - s->at };
    end = memchr(rest.at, ']', rest.length);
    room = end ? count_commas((struct slice){ rest.at, (size_t)(end - rest.at) }) + 1 : 0;
    *at = ARENA_ARRAY(arena, double, room);
    s->at += number_scan_list(rest, *at, room, n);
    first = *n == 0;
    while (scan_element(s, &first)) {
        if (*n == room || !scan_number(s, &(*at)[*n]))
            return false;
        ++*n;
    }
    for (size_t i = 0; i < *n; i++)
        most = fabs((*at)[i]) > most ? fabs((*at)[i]) : most;
    return !s->code && most <= limit;
}

bool pick_four(struct slice list, double v[4])
{
    struct scan s = scan_start(list, 0);
    bool first = true;
    size_t n = 0;

    if (!list.length || *list.at != '[')
        return false;
    scan_open(&s, '[');
    while (scan_element(&s, &first))
        if (n == 4 || !scan_number(&s, &v[n++]))
            return false;
    return n == 4;
}

bool pick_is_empty(struct slice value)
{
    struct scan s = scan_start(value, 0);
    bool first = true;

    return *value.at == '[' && scan_open(&s, '[') && !scan_element(&s, &first);
}

void pick_print(struct slice element, struct text *out,
                bool (*print)(void *context, struct slice name, struct slice value, struct text *),
                void *context)
{
    struct scan s = scan_start(element, 0);
    struct slice name, value;
    bool first = true, comma = false;

    if (!scan_open(&s, '{'))
        return;
    while (scan_member(&s, &first, &name) && scan_value(&s, &value)) {
        if (comma)
            text_adds(out, ", ");
        comma = true;
        text_add(out, name.at - 1, name.length + 2);
        text_adds(out, ": ");
        if (!print(context, name, value, out))
            text_add(out, value.at, value.length);
    }
}
