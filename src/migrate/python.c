/* python: Python's literals and calls as a tree of values; longer than 600 lines because the
 * functions that read values call each other. */
#include "migrate/python.h"

#include "base/number.h"
#include "json/document.h"
#include "migrate/statements.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MAX_NAMES = 200 };

struct reader {
    struct faults *faults;
    struct arena *arena;
    const char *at, *end;
    size_t depth, n_names; /* depth of brackets; number of names that were looked up, since names
                              could double each other */
    const struct statements *file; /* NULL: the text is what repr() prints */
    bool (*is_ignored)(const char *type);
};

static bool read_value(struct reader *, struct value *);

static bool fail(struct reader *r, const char *what)
{
    return fault_add(r->faults, (size_t)(r->at - r->faults->text.at), 1, "", "python-syntax", "%s",
                     what);
}

/* Adds a fault at a place where a value has ended, but neither a comma nor the end of the list
 * follows. `wanted` says what was expected. */
static bool fail_after_value(struct reader *r, const char *wanted)
{
    static const char *const words[] = { "if", "for", "and", "or", "in", "not", "is" };
    size_t length = 0;

    while (r->at + length < r->end && isalpha((unsigned char)r->at[length]))
        length++;
    if (r->at >= r->end)
        return fail(r, wanted);
    if (strchr("+-*/%|&^<>=!@~", *r->at))
        return fail(r, "expressions are not evaluated; write the resulting value");
    for (size_t i = 0; i < COUNTOF(words); i++)
        if (strlen(words[i]) == length && memcmp(r->at, words[i], length) == 0)
            return fail(r, "expressions are not evaluated; write the resulting value");
    return fail(r, wanted);
}

/* Skips white space and comments. */
static void skip(struct reader *r)
{
    while (r->at < r->end && (isspace((unsigned char)*r->at) || *r->at == '#' || *r->at == '\\'))
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        else
            r->at++;
}

static bool skip_char(struct reader *r, char c)
{
    skip(r);
    if (r->at >= r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

static struct slice read_word(struct reader *r)
{
    const char *from = r->at;

    while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.'))
        r->at++;
    return (struct slice){ from, (size_t)(r->at - from) };
}

/* --- containers --- */

static void settle(struct reader *r, struct value *to, struct pile *items)
{
    to->n = items->n;
    to->item = ARENA_ARRAY(r->arena, struct value, items->n);
    if (items->n)
        memcpy(to->item, items->at, items->n * sizeof *to->item);
    free(items->at);
}

/* Adds the items of a list after "*", or of a dictionary after "**". */
static bool read_spread(struct reader *r, enum value_kind kind, struct pile *items)
{
    struct value whole = { 0 };
    const char *before = r->at;

    r->at += kind == VALUE_LIST ? 1 : 2;
    if (!read_value(r, &whole))
        return false;
    if (whole.kind != kind) {
        r->at = before;
        return fail(r, kind == VALUE_LIST ? "expected a list after *"
                                          : "expected a dictionary after **");
    }
    for (size_t i = 0; i < whole.n; i++) {
        struct value item = whole.item[i];

        if (kind == VALUE_LIST)
            item.index = items->n;
        *(struct value *)pile_add(items, sizeof item) = item;
    }
    return true;
}

/* Reads only the type of a step that cannot be read, if its parameters are not needed. The fault
 * that was added becomes its reason. */
static bool read_ignored(struct reader *r, const char *from, struct value *to)
{
    struct faults *faults = r->faults;
    struct value *step;
    const char *type;
    size_t end, line, column;

    if (!r->file || !r->is_ignored || !faults->n ||
        !statements_find_type(r->file, (size_t)(from - faults->text.at), &type, &end, r->arena) ||
        !r->is_ignored(type))
        return false;
    faults->n--;
    text_place(faults->text, faults->list[faults->n].offset, &line, &column);
    step = value_object(r->arena, 2);
    step->at = (struct span){ (size_t)(from - faults->text.at), 1 };
    step->item[0] =
        (struct value){ .kind = VALUE_TEXT, .name = "type", .text = type, .at = step->at };
    step->item[1] = (struct value){ .kind = VALUE_TEXT, .name = PYTHON_UNREAD, .at = step->at };
    step->item[1].text =
        arena_printf(r->arena, "line %zu: %s", line, faults->list[faults->n].message);
    step->index = to->index;
    *to = *step;
    r->at = faults->text.at + end;
    return true;
}

/* Reads an item of a list. */
static bool read_item(struct reader *r, struct value *to)
{
    const char *from, *end = r->end;
    size_t depth = r->depth, n_faults = r->faults->n;

    skip(r);
    from = r->at;
    if (read_value(r, to))
        return true;
    r->end = end;
    r->depth = depth;
    return r->faults->n == n_faults + 1 && read_ignored(r, from, to);
}

/* Reads items up to `closing`. `comma` is true if there is a comma between or after them. */
static bool read_list(struct reader *r, char closing, struct value *to, bool *comma)
{
    struct pile items = { 0 };
    bool good = true;

    *comma = false;
    to->kind = VALUE_LIST;
    while (good && !skip_char(r, closing)) {
        struct value item = { .index = items.n };

        if (r->file && r->at + 1 < r->end && *r->at == '*') {
            good = read_spread(r, VALUE_LIST, &items);
        } else {
            good = read_item(r, &item);
            *(struct value *)pile_add(&items, sizeof item) = item;
        }
        if (good && !skip_char(r, ',')) {
            good = skip_char(r, closing) ||
                   fail_after_value(r, "expected a comma or the end of the list");
            break;
        }
        *comma = true;
    }
    settle(r, to, &items);
    return good;
}

/* Returns false with a fault if two items have the same name. */
static bool check_keys(struct reader *r, const struct pile *items)
{
    const struct value *item = items->at;

    for (size_t i = 0; i < items->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(item[i].name, item[k].name) == 0)
                return fault_add(r->faults, item[i].at.offset, 1, "", "python-syntax",
                                 "\"%s\" is given twice", item[i].name);
    return true;
}

/* "'key': value", or "**name" */
static bool read_pair(struct reader *r, struct pile *items)
{
    struct value key = { 0 }, item = { 0 };

    if (r->file && r->end - r->at > 2 && r->at[0] == '*' && r->at[1] == '*')
        return read_spread(r, VALUE_OBJECT, items);
    if (!read_value(r, &key))
        return false;
    if (key.kind != VALUE_TEXT || !skip_char(r, ':'))
        return fail(r, "expected a key and a colon");
    if (!read_value(r, &item))
        return false;
    item.name = key.text;
    *(struct value *)pile_add(items, sizeof item) = item;
    return true;
}

static bool read_dict(struct reader *r, struct value *to)
{
    struct pile items = { 0 };
    bool good = true;

    to->kind = VALUE_OBJECT;
    while (good && !skip_char(r, '}')) {
        good = read_pair(r, &items);
        if (good && !skip_char(r, ',')) {
            good = skip_char(r, '}') ||
                   fail_after_value(r, "expected a comma or the end of the dictionary");
            break;
        }
    }
    good = check_keys(r, &items) && good;
    settle(r, to, &items);
    return good;
}

/* Reads "key=" or "(label): " before an item of a call. */
static void read_name_of_item(struct reader *r, struct value *item)
{
    const char *before = r->at;
    struct slice word;

    if (skip_char(r, '(')) {
        word = read_word(r);
        if (!word.length || !skip_char(r, ')') || !skip_char(r, ':'))
            r->at = before;
        return;
    }
    word = read_word(r);
    if (word.length && skip_char(r, '=') && (r->at >= r->end || *r->at != '='))
        item->name = arena_copy(r->arena, word.at, word.length);
    else
        r->at = before;
}

/* True if a comma, the end of the arguments, or (in repr() of modules) a new line comes next. */
static bool ends_argument(struct reader *r)
{
    const char *from = r->at;

    if (skip_char(r, ','))
        return true;
    if (r->at < r->end && *r->at == ')')
        return true;
    return !r->file && memchr(from, '\n', (size_t)(r->at - from));
}

static bool read_argument(struct reader *r, struct pile *items, struct pile *steps)
{
    struct value item = { 0 };

    if (r->file && r->end - r->at > 2 && r->at[0] == '*' && r->at[1] == '*')
        return read_spread(r, VALUE_OBJECT, items);
    read_name_of_item(r, &item);
    if (r->file && !item.name)
        return fail(r, "expected a key, as in dict(key=value)");
    if (!read_value(r, &item))
        return false;
    item.index = item.name ? 0 : steps->n;
    *(struct value *)pile_add(item.name ? items : steps, sizeof item) = item;
    return true;
}

/* Reads the arguments after a name and "(" into `items`, and those without a key into `steps`. */
static bool read_arguments(struct reader *r, struct pile *items, struct pile *steps)
{
    while (!skip_char(r, ')')) {
        if (r->at >= r->end)
            return fail(r, "the text ends inside of brackets");
        if (!read_argument(r, items, steps))
            return false;
        if (!ends_argument(r))
            return fail_after_value(r, "expected a comma or the end of the arguments");
    }
    return true;
}

/* Reads Name(...), also with a second pair of brackets: RandomChoice(...)(p=None). */
static bool read_call(struct reader *r, struct slice name, struct value *to)
{
    struct pile items = { 0 }, steps = { 0 };
    bool good = true;

    to->kind = VALUE_OBJECT;
    if (name.length != 4 || memcmp(name.at, "dict", 4) != 0) {
        struct value type = { .kind = VALUE_TEXT, .name = "type", .at = to->at };

        type.text = arena_copy(r->arena, name.at, name.length);
        if (strrchr(type.text, '.'))
            type.text = strrchr(type.text, '.') + 1;
        *(struct value *)pile_add(&items, sizeof type) = type;
    }
    do
        good = read_arguments(r, &items, &steps);
    while (good && !r->file && r->at < r->end && *r->at == '(' && skip_char(r, '('));
    good = check_keys(r, &items) && good;
    if (steps.n) {
        struct value *list = pile_add(&items, sizeof *list);

        *list = (struct value){ .kind = VALUE_LIST, .name = "transforms", .at = to->at };
        settle(r, list, &steps);
    } else {
        free(steps.at);
    }
    settle(r, to, &items);
    return good;
}

/* --- names and scalars --- */

/* Reads the value of an assignment; the reader keeps its position. */
static bool read_assigned(struct reader *r, const struct assignment *assigned, struct value *to)
{
    const char *at = r->at, *end = r->end;

    if (r->n_names++ > MAX_NAMES)
        return fail(r, "names refer to too many other names");
    r->at = r->faults->text.at + assigned->begin;
    r->end = r->faults->text.at + assigned->end;
    if (!read_value(r, to))
        return false;
    skip(r);
    if (r->at < r->end)
        return fail_after_value(r, "expected the end of the statement");
    r->at = at;
    r->end = end;
    return true;
}

/* True if a name means a class, or an enumerator (`dotted`); both are read as texts. */
static bool is_class(const char *name, bool dotted)
{
    return isupper((unsigned char)*name) &&
           (dotted || name[strcspn(name, "abcdefghijklmnopqrstuvwxyz")]);
}

/* Reads a name as a text: its last part. Enumerators and the output of repr() become lower case. */
static bool name_as_text(const struct reader *r, char *text, struct value *to)
{
    const char *dot = strrchr(text, '.');

    to->kind = VALUE_TEXT;
    to->text = dot ? dot + 1 : text;
    if (r->file && to->text[strcspn(to->text, "abcdefghijklmnopqrstuvwxyz")])
        return true;
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return true;
}

/* Reads a name in a configuration file: its value, or the name itself if it is a class. */
static bool read_name_of_file(struct reader *r, size_t at, char *text, struct value *to)
{
    const char *dot = strrchr(text, '.');
    struct assignment assigned = { 0 };

    if (!dot && !statements_find(r->file, text, at, &assigned, r->faults))
        return false;
    if (assigned.found)
        return read_assigned(r, &assigned, to);
    if (is_class(dot ? dot + 1 : text, dot != NULL))
        return name_as_text(r, text, to);
    return fault_add(r->faults, at, 1, "", "python-syntax",
                     assigned.imported
                         ? "%s comes from another file, which is not read; write its value "
                           "instead"
                         : "this file does not assign %s; write the value instead",
                     text);
}

static bool read_name(struct reader *r, struct slice name, struct value *to)
{
    static const char *const words[] = { "None", "False", "True" };
    const char *from = name.at;
    char *text;

    for (size_t i = 0; i < COUNTOF(words); i++)
        if (strlen(words[i]) == name.length && memcmp(words[i], name.at, name.length) == 0) {
            to->kind = i ? VALUE_FLAG : VALUE_NULL;
            to->flag = i == 2;
            return true;
        }
    text = arena_copy(r->arena, name.at, name.length);
    if (r->at < r->end && *r->at == '(' && (!r->file || strcmp(text, "dict") == 0))
        return skip_char(r, '(') && read_call(r, name, to);
    if (!r->file)
        return name_as_text(r, text, to);
    if (r->at < r->end && *r->at == '(') {
        r->at = from;
        return fail(r, "only dict() can be called; write the resulting value");
    }
    return read_name_of_file(r, (size_t)(from - r->faults->text.at), text, to);
}

/* Returns the length of a string's prefix, as in r"\d"; 0 before a quote; -1 if this is not a
 * string. */
static int prefix_length(const struct reader *r)
{
    int n = 0;

    while (n < 2 && r->at + n < r->end && strchr("rRbBuUfF", r->at[n]))
        n++;
    return r->at + n < r->end && (r->at[n] == '\'' || r->at[n] == '"') ? n : -1;
}

/* Adds the character that follows a backslash. */
static void add_escaped(struct text *text, char c)
{
    if (c == 'n' || c == 't')
        text_addc(text, c == 'n' ? '\n' : '\t');
    else if (c != '\n')
        text_addc(text, c);
}

/* Reads a string with its prefix and one or three quotes. */
static bool read_one_string(struct reader *r, int prefix, struct text *text)
{
    bool raw = memchr(r->at, 'r', (size_t)prefix) || memchr(r->at, 'R', (size_t)prefix);
    bool formatted = memchr(r->at, 'f', (size_t)prefix) || memchr(r->at, 'F', (size_t)prefix);
    const char *from = r->at;
    char quote = r->at[prefix];
    size_t n;

    r->at += prefix;
    n = r->end - r->at >= 3 && r->at[1] == quote && r->at[2] == quote ? 3 : 1;
    for (r->at += n; r->at < r->end && (*r->at != '\n' || n == 3); r->at++) {
        if (*r->at == quote &&
            (n == 1 || (r->end - r->at >= 3 && r->at[1] == quote && r->at[2] == quote))) {
            r->at += n;
            return true;
        }
        if (formatted && *r->at == '{') {
            r->at = from;
            return fail(r, "expressions are not evaluated; write the resulting string");
        }
        if (*r->at == '\\' && r->at + 1 < r->end && !raw)
            add_escaped(text, *++r->at);
        else
            text_addc(text, *r->at);
    }
    return fail(r, "the string has no end");
}

/* Reads adjacent strings, which are concatenated. */
static bool read_string(struct reader *r, struct value *to)
{
    struct text text = { 0 };
    int prefix = prefix_length(r);
    bool good = true;

    for (; good && prefix >= 0; prefix = good ? prefix_length(r) : -1) {
        good = read_one_string(r, prefix, &text);
        if (good)
            skip(r);
    }
    to->kind = VALUE_TEXT;
    to->text = arena_copy(r->arena, text_string(&text), text.length);
    text_drop(&text);
    return good;
}

/* Reads "12", "-0.5", "1.", ".5" or "1e-3"; Python has more forms than JSON. */
static bool read_number(struct reader *r, struct value *to)
{
    struct text json = { 0 };
    const char *digits;

    if (*r->at == '-' || *r->at == '+') {
        if (*r->at++ == '-')
            text_addc(&json, '-');
    }
    digits = r->at;
    if (r->at < r->end && *r->at == '.')
        text_addc(&json, '0');
    while (r->at < r->end && strchr("0123456789.eE+-_", *r->at)) {
        bool point = *r->at == '.' && (r->at + 1 >= r->end || !isdigit((unsigned char)r->at[1]));

        if (strchr("+-", *r->at) && !(r->at > digits && strchr("eE", r->at[-1])))
            break;
        if (*r->at != '_' && !point)
            text_addc(&json, *r->at);
        r->at++;
    }
    to->kind = VALUE_NUMBER;
    if (!json.length ||
        number_scan((struct slice){ json.at, json.length }, &to->number) != json.length) {
        text_drop(&json);
        return fail(r, "this is not a number; expressions are not evaluated");
    }
    text_drop(&json);
    return true;
}

/* Brackets around one value without a comma are just that value. */
static bool read_tuple(struct reader *r, struct value *to)
{
    bool comma;

    if (!read_list(r, ')', to, &comma))
        return false;
    if (to->n == 1 && !comma)
        *to = to->item[0];
    return true;
}

static bool read_any(struct reader *r, struct value *to)
{
    char c = *r->at;
    bool comma;

    if (skip_char(r, '['))
        return read_list(r, ']', to, &comma);
    if (skip_char(r, '{'))
        return read_dict(r, to);
    if (skip_char(r, '('))
        return read_tuple(r, to);
    if (prefix_length(r) >= 0)
        return read_string(r, to);
    if (isdigit((unsigned char)c) || strchr("+-.", c))
        return read_number(r, to);
    if (isalpha((unsigned char)c) || c == '_')
        return read_name(r, read_word(r), to);
    return fail(r, "expected a literal value; expressions are not evaluated");
}

/* Returns the item that a subscript selects; NULL if there is none. */
static const struct value *item_of(const struct value *v, const struct value *key)
{
    double i = key->number;

    if (v->kind == VALUE_OBJECT && key->kind == VALUE_TEXT)
        return value_get(v, key->text);
    if (v->kind != VALUE_LIST || key->kind != VALUE_NUMBER)
        return NULL;
    i += i < 0 ? (double)v->n : 0;
    return i >= 0 && i < (double)v->n && i == floor(i) ? &v->item[(size_t)i] : NULL;
}

/* Reads "['key']" or "[0]" after a value. */
static bool read_subscript(struct reader *r, struct value *to)
{
    const char *from = r->at;
    const struct value *item;
    struct value key = { 0 };

    if (!skip_char(r, '[') || !read_value(r, &key))
        return false;
    if (!skip_char(r, ']'))
        return fail_after_value(r, "expected one key or number in these brackets");
    item = item_of(to, &key);
    if (!item) {
        r->at = from;
        return fail(r, to->kind == VALUE_OBJECT || to->kind == VALUE_LIST
                           ? "the value before these brackets has no such item; write the "
                             "value instead"
                           : "the value before these brackets has no items: is a comma missing?");
    }
    *to = *item;
    return true;
}

/* Reads what may follow a value in a configuration file: subscripts. */
static bool read_suffixes(struct reader *r, struct value *to)
{
    for (skip(r); r->file && r->at < r->end; skip(r)) {
        if (*r->at == '.' || *r->at == '(')
            return fail(r, "methods are not called; write the resulting value");
        if (*r->at != '[')
            return true;
        if (!read_subscript(r, to))
            return false;
    }
    return true;
}

static bool read_value(struct reader *r, struct value *to)
{
    const char *name = to->name;
    size_t index = to->index;
    bool good;

    skip(r);
    if (r->at >= r->end)
        return fail(r, "expected a value, but the text ends here");
    if (r->depth >= DEEPEST)
        return fail(r, "values are nested more than 64 levels deep");
    to->at = (struct span){ (size_t)(r->at - r->faults->text.at), 1 };
    r->depth++;
    good = read_any(r, to) && (!r->file || read_suffixes(r, to));
    r->depth--;
    to->name = name;
    to->index = index;
    return good;
}

const char *python_call_begins(struct slice text)
{
    const char *at = text.at, *end = text.at + text.length;

    while (at < end && isspace((unsigned char)*at))
        at++;
    if (at == end || !isupper((unsigned char)*at))
        return NULL;
    while (at < end && isalnum((unsigned char)*at))
        at++;
    return at < end && *at == '(' ? at + 1 : NULL;
}

const struct value *python_read(struct faults *faults, struct arena *arena)
{
    struct value *root = ARENA_NEW(arena, struct value);
    struct reader r = { .faults = faults,
                        .arena = arena,
                        .at = faults->text.at,
                        .end = faults->text.at + faults->text.length };

    if (!read_value(&r, root))
        return NULL;
    skip(&r);
    if (r.at < r.end) {
        fail_after_value(&r, "expected the end of the text; import one pipeline at a time");
        return NULL;
    }
    value_adopt(root);
    return root;
}

const struct value *python_read_name(struct faults *faults, const char *name,
                                     bool (*is_ignored)(const char *type), bool *found,
                                     struct arena *arena)
{
    struct value *root = ARENA_NEW(arena, struct value);
    struct reader r = { .faults = faults, .arena = arena, .is_ignored = is_ignored };
    struct assignment assigned;

    *found = true;
    r.file = statements_read(faults, arena);
    if (!r.file || !statements_find(r.file, name, SIZE_MAX, &assigned, faults))
        return NULL;
    *found = assigned.found;
    if (!assigned.found || !read_assigned(&r, &assigned, root))
        return NULL;
    value_adopt(root);
    return root;
}
