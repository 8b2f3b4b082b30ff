/* value: a JSON document as a tree that knows its places: the scanner walks the text once. */
#include "json/value.h"

#include "base/number.h"
#include "base/text.h"
#include "json/document.h"
#include "json/scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

static bool read_value(struct scan *, struct value *, struct arena *);

static void read_children(struct scan *s, struct value *to, struct arena *arena)
{
    const bool object = to->kind == VALUE_OBJECT;
    struct pile children = { 0 };
    struct slice name;
    bool first = true;

    scan_open(s, object ? '{' : '[');
    while (object ? scan_member(s, &first, &name) : scan_element(s, &first)) {
        struct value *child = pile_add(&children, sizeof *child);

        child->index = children.n - 1;
        if (object) {
            child->name = scan_unescape(arena, name).at;
            child->name_at.offset = (size_t)(name.at - s->text.at) - 1; /* with its quotes */
            child->name_at.length = name.length + 2;
        }
        if (!read_value(s, child, arena))
            break;
    }
    to->n = children.n;
    to->item = ARENA_ARRAY(arena, struct value, to->n);
    if (to->n)
        memcpy(to->item, children.at, to->n * sizeof *to->item);
    free(children.at);
    for (size_t i = 0; i < to->n; i++) { /* now that their places are known */
        to->item[i].parent = to;
        for (size_t k = 0; k < to->item[i].n; k++)
            to->item[i].item[k].parent = &to->item[i];
    }
}

static bool read_value(struct scan *s, struct value *to, struct arena *arena)
{
    const char c = scan_peek(s);
    struct slice text;

    to->at.offset = s->at;
    if (c == '{' || c == '[') {
        to->kind = c == '{' ? VALUE_OBJECT : VALUE_LIST;
        read_children(s, to, arena);
    } else if (scan_value(s, &text)) {
        if (c == '"') {
            to->kind = VALUE_TEXT;
            to->text = scan_unescape(arena, (struct slice){ text.at + 1, text.length - 2 }).at;
        } else if (c == 't' || c == 'f') {
            to->kind = VALUE_FLAG;
            to->flag = c == 't';
        } else if (c != 'n') {
            to->kind = VALUE_NUMBER;
            number_scan(text, &to->number);
        }
    }
    to->at.length = s->at - to->at.offset;
    return !s->code;
}

static int by_name(const void *a, const void *b)
{
    const struct value *x = *(const struct value *const *)a, *y = *(const struct value *const *)b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

/* Sorted, so that many names cost little. */
bool value_check_names(struct faults *f, const struct value *v, const char *code)
{
    const struct value **sorted;
    bool good = true;

    if (v->kind == VALUE_OBJECT && v->n > 1) {
        sorted = memory_take(v->n * sizeof *sorted);
        for (size_t i = 0; i < v->n; i++)
            sorted[i] = &v->item[i];
        qsort(sorted, v->n, sizeof *sorted, by_name);
        for (size_t i = 1; i < v->n; i++)
            if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) {
                size_t line, column;

                text_place(f->text, sorted[i - 1]->name_at.offset, &line, &column);
                good = value_fault(f, sorted[i], true, code,
                                   "\"%s\" is given twice: here and in line %zu", sorted[i]->name,
                                   line);
            }
        free(sorted);
    }
    for (size_t i = 0; i < v->n; i++)
        if (!value_check_names(f, &v->item[i], code))
            good = false;
    return good;
}

size_t value_count(struct slice text)
{
    size_t n = 1;
    bool quoted = false;

    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];

        if (c == '\"')
            quoted = !quoted;
        else if (quoted)
            i += c == '\\';
        else
            n += c == ',' || c == '[' || c == '{';
    }
    return n;
}

struct value *value_parse(struct faults *f, struct arena *arena)
{
    struct scan s = scan_start(f->text, 0);
    struct value *root = arena_take(arena, sizeof *root);

    if (!read_value(&s, root, arena) || !scan_end(&s)) {
        fault_add(f, s.where, 1, "", s.code, "%s", s.what);
        return NULL;
    }
    return value_check_names(f, root, "json-twice") ? root : NULL;
}

/* --- asking --- */

const struct value *value_get(const struct value *object, const char *name)
{
    if (object->kind != VALUE_OBJECT)
        return NULL;
    for (size_t i = 0; i < object->n; i++)
        if (object->item[i].name && strcmp(object->item[i].name, name) == 0)
            return &object->item[i];
    return NULL;
}

const char *value_kind_name(enum value_kind kind)
{
    static const char *const names[] = {
        [VALUE_NULL] = "null",     [VALUE_FLAG] = "true or false", [VALUE_NUMBER] = "a number",
        [VALUE_TEXT] = "a string", [VALUE_LIST] = "a list",        [VALUE_OBJECT] = "an object",
    };

    return names[kind];
}

bool value_is_remark(const struct value *v)
{
    return v->name && (strcmp(v->name, "$comment") == 0 || strncmp(v->name, "x-", 2) == 0);
}

/* Names that a dot could not set off are written as ["name"]. */
static void add_name(struct text *t, const char *name)
{
    const char *p = name;

    while (isalnum((unsigned char)*p) || *p == '_' || *p == '$' || *p == '-')
        p++;
    if (*name && !*p) {
        if (t->length)
            text_addc(t, '.');
        text_adds(t, name);
    } else {
        text_addc(t, '[');
        text_add_json(t, name, strlen(name));
        text_addc(t, ']');
    }
}

static void add_path(struct text *t, const struct value *v)
{
    if (!v->parent)
        return;
    add_path(t, v->parent);
    if (v->name)
        add_name(t, v->name);
    else
        text_addf(t, "[%zu]", v->index);
}

const char *value_path(const struct value *v, struct arena *arena)
{
    struct text t = { 0 };
    const char *path;

    add_path(&t, v);
    path = arena_copy(arena, text_string(&t), t.length);
    text_drop(&t);
    return path;
}

bool value_fault(struct faults *f, const struct value *v, bool on_name, const char *code,
                 const char *format, ...)
{
    static const struct value nowhere;
    struct span at;
    va_list args;

    v = v ? v : &nowhere;
    at = on_name && v->name_at.length ? v->name_at : v->at;
    va_start(args, format);
    fault_addv(f, at.offset, at.length, value_path(v, &f->arena), code, format, args);
    va_end(args);
    return false;
}

/* --- building and printing --- */

struct value *value_new(struct arena *arena, enum value_kind kind)
{
    struct value *v = arena_take(arena, sizeof *v);

    v->kind = kind;
    return v;
}

static struct value *value_parent(struct arena *arena, enum value_kind kind, size_t n)
{
    struct value *v = value_new(arena, kind);

    v->n = n;
    v->item = ARENA_ARRAY(arena, struct value, n);
    for (size_t i = 0; i < n; i++) {
        v->item[i].parent = v;
        v->item[i].index = i;
    }
    return v;
}

struct value *value_object(struct arena *arena, size_t n)
{
    return value_parent(arena, VALUE_OBJECT, n);
}

struct value *value_list(struct arena *arena, size_t n)
{
    return value_parent(arena, VALUE_LIST, n);
}

void value_adopt(struct value *v)
{
    for (size_t i = 0; i < v->n; i++) {
        struct value *child = &v->item[i];

        child->parent = v;
        value_adopt(child);
    }
}

static void print_children(const struct value *v, struct text *out)
{
    bool object = v->kind == VALUE_OBJECT;

    text_addc(out, object ? '{' : '[');
    for (size_t i = 0; i < v->n; i++) {
        const struct value *child = &v->item[i];

        if (i)
            text_adds(out, ", ");
        if (object) {
            text_add_json(out, child->name, strlen(child->name));
            text_adds(out, ": ");
        }
        value_print(child, out);
    }
    text_addc(out, object ? '}' : ']');
}

void value_print(const struct value *v, struct text *out)
{
    switch (v->kind) {
    case VALUE_NULL:
        text_adds(out, "null");
        break;
    case VALUE_FLAG:
        text_adds(out, v->flag ? "true" : "false");
        break;
    case VALUE_NUMBER:
        number_print(out, v->number);
        break;
    case VALUE_TEXT:
        text_add_json(out, v->text, strlen(v->text));
        break;
    case VALUE_LIST:
    case VALUE_OBJECT:
        print_children(v, out);
        break;
    }
}
