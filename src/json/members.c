/* members: chosen members of one object inside a large text, without a tree. */
#include "json/members.h"

#include "base/number.h"

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

/* Lists up to this need not be counted before they are read. */
enum { FEW_NUMBERS = 256 };

/* Returns which of the n members has this name; n for none. Nearly all differ in their first byte,
 * unless it is escaped. */
static size_t find(const struct pick *pick, size_t n, struct slice name)
{
    for (size_t i = 0; i < n; i++)
        if ((*name.at == *pick[i].name || *name.at == '\\') && scan_equals(name, pick[i].name))
            return i;
    return n;
}

/* True if the next member is the k-th of the last element; then consumes its name, like
 * scan_member. */
static bool take_alike(struct scan *s, const struct pick_order *order, size_t k, struct slice *name,
                       size_t *which)
{
    const char *at = s->text.at + s->at;
    const struct slice *lead;

    if (k >= COUNTOF(order->member))
        return false;
    lead = &order->member[k].lead;
    if (!lead->length || lead->length >= s->text.length - s->at ||
        memcmp(at, lead->at, lead->length) != 0)
        return false;
    *name = (struct slice){ at + order->member[k].name, order->member[k].length };
    *which = order->member[k].which;
    s->at += lead->length;
    return true;
}

/* The k-th member: scan_member, and which of the n it is. */
static bool take_member(struct scan *s, struct pick_order *order, size_t k, const struct pick *pick,
                        size_t n, struct slice *name, size_t *which)
{
    const char *before = s->text.at + s->at;
    bool first = k == 0;
    size_t length;

    if (take_alike(s, order, k, name, which))
        return true;
    if (!scan_member(s, &first, name))
        return false;
    *which = find(pick, n, *name);
    if (*which == n && order->unknown)
        order->unknown(order->context, *name);
    length = (size_t)(s->text.at + s->at - before);
    if (k < COUNTOF(order->member) && length <= UINT32_MAX) {
        order->member[k].lead = (struct slice){ before, length };
        order->member[k].name = (uint32_t)(name->at - before);
        order->member[k].length = (uint32_t)name->length;
        order->member[k].which = (uint32_t)*which;
    }
    return true;
}

static bool take_value(struct scan *s, struct pick *pick)
{
    /* Written directly to its place: data that was just stored is slow to copy. */
    if (!scan_value(s, &pick->value))
        return false;
    if (*pick->value.at == 'n' && !pick->required) {
        pick->null = pick->value;
        pick->value = (struct slice){ 0 };
    }
    return true;
}

static void report_quoted(const struct pick_order *order, struct slice name, struct slice value,
                          size_t strings)
{
    if (order->quoted)
        order->quoted(order->context, name, value, strings);
}

bool pick_members(struct scan *s, const struct place *p, struct pick_order *order,
                  struct pick *pick, size_t n, struct slice *element)
{
    struct slice name, other;
    bool good = true;
    size_t which;

    if (scan_peek(s) != '{') {
        if (scan_value(s, element))
            place_fault(p, *element, NULL, p->code_type, "expected an object");
        return false;
    }
    element->at = s->text.at + s->at;
    scan_open(s, '{');
    for (size_t k = 0; take_member(s, order, k, pick, n, &name, &which); k++) {
        size_t strings = s->strings;

        if (which == n) {
            if (!scan_value(s, &other))
                return false;
            if (s->strings != strings)
                report_quoted(order, name, other, s->strings - strings);
            continue;
        }
        if (pick[which].value.at || pick[which].null.at)
            good = place_fault(p, name, pick[which].name, "json-twice", "this name is given twice");
        if (!take_value(s, &pick[which]))
            return false;
        if (s->strings != strings)
            report_quoted(order, name, pick[which].value, s->strings - strings);
    }
    element->length = (size_t)(s->text.at + s->at - element->at);
    if (s->code)
        return false;
    for (size_t i = 0; i < n; i++) {
        struct slice brace = { element->at, 1 };

        if (pick[i].required && !pick[i].value.at)
            good = place_fault(p, brace, pick[i].name, p->code_missing, "this key is missing%s",
                               pick_alike_hint(*element, pick[i].name, &p->faults->arena));
    }
    return good;
}

bool pick_is_alike(struct slice name, const char *word)
{
    size_t i = 0;

    for (; *word; word++) {
        if (*word == '_')
            continue;
        while (i < name.length && strchr("_- ", name.at[i]))
            i++;
        if (i == name.length || (name.at[i] | 0x20) != *word)
            return false;
        i++;
    }
    return i == name.length;
}

const char *pick_alike_hint(struct slice element, const char *name, struct arena *arena)
{
    struct scan s = scan_again(element, 0);
    struct slice member, value;
    bool first = true;

    if (scan_peek(&s) != '{')
        return "";
    scan_open(&s, '{');
    while (scan_member(&s, &first, &member) && scan_value(&s, &value))
        if (pick_is_alike(member, name))
            return arena_printf(arena, "; \"%.*s\" is not read in its place", (int)member.length,
                                member.at);
    return "";
}

struct slice pick_again(struct slice element, const char *name)
{
    struct scan s = scan_again(element, 0);
    struct slice member, value, found = element;
    bool first = true;

    if (scan_peek(&s) != '{')
        return element;
    scan_open(&s, '{');
    while (scan_member(&s, &first, &member) && scan_value(&s, &value))
        if (scan_equals(member, name))
            found = value;
    return found;
}

bool pick_integer(const struct place *p, const struct pick *pick, int64_t *to)
{
    struct scan s = scan_start(pick->value, 0);

    if (!pick->value.at || scan_integer(&s, to))
        return true;
    return place_fault(p, pick->value, pick->name, p->code_type, "expected an integer within 2^53");
}

bool pick_number(const struct place *p, const struct pick *pick, double *to)
{
    if (!pick->value.at || number_scan(pick->value, to))
        return true;
    return place_fault(p, pick->value, pick->name, p->code_type, "expected a number");
}

bool pick_text(const struct place *p, const struct pick *pick, struct arena *arena, const char **to)
{
    struct slice raw = pick->value;

    if (!raw.at)
        return true;
    if (*raw.at != '"')
        return place_fault(p, raw, pick->name, p->code_type, "expected a string");
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

static struct slice rest(const struct scan *s)
{
    return (struct slice){ s->text.at + s->at, s->text.length - s->at };
}

/* Reads the next numbers of an open list. False at something else, or at its first number beyond
 * `room`. In the latter case s->code is NULL, and reading can continue. */
static bool read_numbers(struct scan *s, double *to, size_t room, size_t *n)
{
    size_t some, before = s->at;
    bool first = *n == 0;

    while (scan_element(s, &first)) {
        if (*n == room) {
            s->at = before;
            return false;
        }
        s->at += number_scan_list(rest(s), to + *n, room - *n, &some);
        if (!some && !scan_number(s, &to[*n]))
            return false;
        *n += some ? some : 1;
        before = s->at;
    }
    return !s->code;
}

/* Reads the remainder of a list of more than a few numbers. */
static bool read_many(struct scan *s, struct arena *arena, double **at, size_t *n)
{
    struct slice left = rest(s);
    const char *end = memchr(left.at, ']', left.length);
    size_t room = *n + (end ? count_commas((struct slice){ left.at, (size_t)(end - left.at) }) : 0);
    double *all = ARENA_ARRAY(arena, double, room);

    memcpy(all, *at, *n * sizeof *all);
    *at = all;
    return read_numbers(s, all, room, n);
}

/* Doubles without their signs are ordered as their bits are, which compilers compare many at once.
 */
static bool are_within(const double *v, size_t n, double limit)
{
    int64_t bits, most, short_of = 0;

    memcpy(&most, &limit, sizeof most);
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &v[i], sizeof bits);
        short_of |= most - (bits & INT64_MAX);
    }
    return short_of >= 0;
}

bool pick_numbers(struct scan *s, double limit, struct arena *arena, double **at, size_t *n)
{
    double few[FEW_NUMBERS];

    *n = 0;
    *at = few;
    if (!scan_open(s, '['))
        return false;
    if (read_numbers(s, few, COUNTOF(few), n)) {
        *at = (double *)(void *)arena_copy(arena, few, *n * sizeof **at);
    } else if (s->code || *n < COUNTOF(few) || !read_many(s, arena, at, n)) {
        return false;
    }
    return are_within(*at, *n, limit);
}

bool pick_four(struct slice list, double v[4])
{
    struct scan s = scan_start(list, 0);
    size_t n = 0;

    return list.length && *list.at == '[' && scan_open(&s, '[') && read_numbers(&s, v, 4, &n) &&
           n == 4;
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
    struct scan s = scan_again(element, 0);
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
