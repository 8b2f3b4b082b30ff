/* value: a JSON document as a tree that knows its places. The scanner judges the text, cJSON builds
 * the tree, and both are walked side by side, since cJSON keeps no places. */
#include "value.h"

#include "../base/number.h"
#include "../base/text.h"
#include "scan.h"

#include <cJSON.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- reading --- */

static bool convert(struct scan *, const cJSON *, struct value *, struct arena *);

static void convert_leaf(const cJSON *from, struct slice text, struct value *to,
                         struct arena *arena)
{
    if (cJSON_IsString(from)) {
        to->kind = VALUE_TEXT;
        to->text = arena_copy(arena, from->valuestring, strlen(from->valuestring));
    } else if (cJSON_IsNumber(from)) {
        to->kind = VALUE_NUMBER; /* cJSON's own number depends on the locale */
        number_scan(text, &to->number);
    } else if (cJSON_IsBool(from)) {
        to->kind = VALUE_FLAG;
        to->flag = cJSON_IsTrue(from);
    } else {
        to->kind = VALUE_NULL;
    }
}

static void convert_child(struct scan *s, const cJSON *from, struct value *parent, size_t i,
                          struct slice name, struct arena *arena)
{
    struct value *to = &parent->item[i];

    to->parent = parent;
    to->index = i;
    if (parent->kind == VALUE_OBJECT) {
        to->name = arena_copy(arena, from->string, strlen(from->string));
        to->name_at.offset = (size_t)(name.at - s->text.at) - 1; /* with its quotes */
        to->name_at.length = name.length + 2;
    }
    convert(s, from, to, arena);
}

static bool convert(struct scan *s, const cJSON *from, struct value *to, struct arena *arena)
{
    const cJSON *child = from->child;
    struct slice text, name = { 0 };
    bool first = true;
    char bracket = scan_peek(s);

    to->at.offset = s->at;
    if (bracket != '{' && bracket != '[') {
        scan_value(s, &text);
        convert_leaf(from, text, to, arena);
    } else {
        to->kind = bracket == '{' ? VALUE_OBJECT : VALUE_LIST;
        to->n = (size_t)cJSON_GetArraySize(from);
        to->item = ARENA_ARRAY(arena, struct value, to->n);
        scan_open(s, bracket);
        for (size_t i = 0; i < to->n; i++, child = child->next) {
            if (bracket == '{')
                scan_member(s, &first, &name);
            else
                scan_element(s, &first);
            convert_child(s, child, to, i, name, arena);
        }
        if (bracket == '{')
            scan_member(s, &first, &name);
        else
            scan_element(s, &first);
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

/* Every name that an object has had before is a fault; sorted, so that many names cost little. */
static bool check_names(struct faults *f, const struct value *v)
{
    const struct value **sorted;
    bool good = true;

    if (v->kind == VALUE_OBJECT && v->n > 1) {
        sorted = memory_take(v->n * sizeof *sorted);
        for (size_t i = 0; i < v->n; i++)
            sorted[i] = &v->item[i];
        qsort(sorted, v->n, sizeof *sorted, by_name);
        for (size_t i = 1; i < v->n; i++)
            if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
                good = value_fault(f, sorted[i], true, "json-twice", "this name is given twice");
        free(sorted);
    }
    for (size_t i = 0; i < v->n; i++)
        if (!check_names(f, &v->item[i]))
            good = false;
    return good;
}

/* The length of the string at the quote, with its quotes, in a text that was scanned. */
static size_t string_length(const char *at)
{
    size_t i = 1;

    while (at[i] != '"')
        i += at[i] == '\\' ? 2 : 1;
    return i + 1;
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

/* Some versions of cJSON read no more than 63 characters of a number. What a number is worth is
 * read from the source (convert_leaf): in the text for cJSON a zero and blanks stand for such. */
static void spare_long_numbers(char *text, size_t n)
{
    enum { LONGEST = 63 };
    size_t length;

    for (size_t i = 0; i < n; i += length) {
        if (text[i] == '"') {
            length = string_length(text + i);
            continue;
        }
        for (length = 0; i + length < n && strchr("+-.0123456789eE", text[i + length]);)
            length++;
        if (length > LONGEST) {
            memset(text + i, ' ', length);
            text[i] = '0';
        }
        length += !length;
    }
}

/* Of a text that was scanned: nothing in it is known to stop any version. */
static cJSON *tree_of(struct slice text)
{
    char *copy = memory_take(text.length + 1);
    cJSON *tree;

    cJSON_InitHooks(&(cJSON_Hooks){ memory_take, free });
    memcpy(copy, text.at, text.length);
    copy[text.length] = '\0';
    spare_long_numbers(copy, text.length);
    tree = cJSON_ParseWithLength(copy, text.length);
    free(copy);
    return tree;
}

struct value *value_parse(struct faults *f, struct arena *arena)
{
    struct scan s = scan_start(f->text, 0);
    struct value *root = NULL;
    struct slice whole;
    cJSON *tree;

    if (!scan_value(&s, &whole) || !scan_end(&s)) {
        fault_add(f, s.where, 1, "", s.code, "%s", s.what);
        return NULL;
    }
    tree = tree_of(f->text);
    if (!tree) {
        fault_add(f, 0, 1, "", "json-syntax", "cJSON cannot read this");
        return NULL;
    }
    root = arena_take(arena, sizeof *root);
    s = scan_start(f->text, 0);
    convert(&s, tree, root, arena);
    cJSON_Delete(tree);
    return check_names(f, root) ? root : NULL;
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

void json_versions(struct text *out)
{
    text_addf(out, "cJSON %s\n", cJSON_Version());
}
