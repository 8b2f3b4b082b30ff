/* python: Python's literals and calls as a tree of values. */
#include "python.h"

#include "../base/number.h"
#include "../json/document.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, MOST_NAMES = 200 };

struct reader {
    struct faults *faults;
    struct arena *arena;
    const char *at, *end;
    size_t depth, n_names; /* of names that were looked up: they could double each other */
};

static bool read_value(struct reader *, struct value *);

static bool fail(struct reader *r, const char *what)
{
    return fault_add(r->faults, (size_t)(r->at - r->faults->text.at), 1, "", "python-syntax", "%s",
                     what);
}

/* Past white space and comments. */
static void skip(struct reader *r)
{
    while (r->at < r->end && (isspace((unsigned char)*r->at) || *r->at == '#' || *r->at == '\\'))
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        else
            r->at++;
}

static bool takes(struct reader *r, char c)
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

/* --- what holds others --- */

static void settle(struct reader *r, struct value *to, struct pile *items)
{
    to->n = items->n;
    to->item = ARENA_ARRAY(r->arena, struct value, items->n);
    if (items->n)
        memcpy(to->item, items->at, items->n * sizeof *to->item);
    free(items->at);
}

/* Items up to `closing`, with commas between them. */
static bool read_list(struct reader *r, char closing, struct value *to)
{
    struct pile items = { 0 };
    bool good = true;

    to->kind = VALUE_LIST;
    while (good && !takes(r, closing)) {
        struct value item = { 0 };

        good = read_value(r, &item);
        item.index = items.n;
        *(struct value *)pile_add(&items, sizeof item) = item;
        if (good && !takes(r, ',')) {
            good = takes(r, closing) || fail(r, "a comma or the end of the list was expected");
            break;
        }
    }
    settle(r, to, &items);
    return good;
}

/* "{'key': value}" */
static bool read_dict(struct reader *r, struct value *to)
{
    struct pile items = { 0 };
    bool good = true;

    to->kind = VALUE_OBJECT;
    while (good && !takes(r, '}')) {
        struct value key = { 0 }, item = { 0 };

        good = read_value(r, &key) &&
               ((key.kind == VALUE_TEXT && takes(r, ':')) ||
                fail(r, "a key and a colon were expected")) &&
               read_value(r, &item);
        item.name = key.text;
        if (good)
            *(struct value *)pile_add(&items, sizeof item) = item;
        if (good && !takes(r, ',')) {
            good = takes(r, '}') || fail(r, "a comma or the end of the dictionary was expected");
            break;
        }
    }
    settle(r, to, &items);
    return good;
}

/* "key=" or "(label): " before an item of a call. */
static void read_name_of_item(struct reader *r, struct value *item)
{
    const char *before = r->at;
    struct slice word;

    if (takes(r, '(')) {
        word = read_word(r);
        if (!word.length || !takes(r, ')') || !takes(r, ':'))
            r->at = before;
        return;
    }
    word = read_word(r);
    if (word.length && takes(r, '=') && (r->at >= r->end || *r->at != '='))
        item->name = arena_copy(r->arena, word.at, word.length);
    else
        r->at = before;
}

/* The arguments behind a name and "(", into `items`; those without a key into `steps`. White space
 * is enough between them, as repr() of modules has it. */
static bool read_arguments(struct reader *r, struct pile *items, struct pile *steps)
{
    while (!takes(r, ')')) {
        struct value item = { 0 };

        read_name_of_item(r, &item);
        if (!read_value(r, &item))
            return false;
        item.index = item.name ? 0 : steps->n;
        *(struct value *)pile_add(item.name ? items : steps, sizeof item) = item;
        takes(r, ',');
        skip(r);
        if (r->at >= r->end)
            return fail(r, "the text ends inside of brackets");
    }
    return true;
}

/* Name(...), and what some add behind it in brackets of its own: RandomChoice(...)(p=None). */
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
    while (good && r->at < r->end && *r->at == '(' && takes(r, '('));
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

/* Where a line begins with "name =", behind the sign; NULL when none does. */
static const char *find_assignment(const struct reader *r, struct slice name)
{
    const char *at = r->faults->text.at;

    while (at && (size_t)(r->end - at) > name.length) {
        const char *after = at + name.length;

        if (memcmp(at, name.at, name.length) == 0) {
            while (after < r->end && *after == ' ')
                after++;
            if (r->end - after > 1 && after[0] == '=' && after[1] != '=')
                return after + 1;
        }
        at = memchr(at, '\n', (size_t)(r->end - at));
        at = at ? at + 1 : NULL;
    }
    return NULL;
}

static bool read_name(struct reader *r, struct slice name, struct value *to)
{
    static const char *const words[] = { "None", "False", "True" };
    const char *back = r->at, *assigned;
    const char *dot;
    char *text;
    bool good;

    for (size_t i = 0; i < COUNTOF(words); i++)
        if (strlen(words[i]) == name.length && memcmp(words[i], name.at, name.length) == 0) {
            to->kind = i ? VALUE_FLAG : VALUE_NULL;
            to->flag = i == 2;
            return true;
        }
    if (takes(r, '('))
        return read_call(r, name, to);
    assigned = find_assignment(r, name);
    if (assigned) {
        if (r->n_names++ > MOST_NAMES)
            return fail(r, "names stand for too many others");
        r->at = assigned;
        good = read_value(r, to);
        r->at = good ? back : r->at;
        return good;
    }
    r->at = back;
    text = arena_copy(r->arena, name.at, name.length);
    dot = strrchr(text, '.');
    to->kind = VALUE_TEXT;
    to->text = dot ? dot + 1 : text;
    for (char *c = text; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return true;
}

/* Between quotes of either kind; a backslash is followed by what it quotes. */
static bool read_string(struct reader *r, char quote, struct value *to)
{
    struct text text = { 0 };

    while (r->at < r->end && *r->at != quote && *r->at != '\n') {
        if (*r->at == '\\' && r->at + 1 < r->end)
            r->at++;
        text_addc(&text, *r->at++);
    }
    to->kind = VALUE_TEXT;
    to->text = arena_copy(r->arena, text_string(&text), text.length);
    text_drop(&text);
    return takes(r, quote) || fail(r, "the string has no end");
}

/* "12", "-0.5", "1.", ".5", "1e-3": Python knows more of them than JSON. */
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
        return fail(r, "this is no number, and calculations are not done here");
    }
    text_drop(&json);
    return true;
}

static bool read_any(struct reader *r, struct value *to)
{
    char c = *r->at;

    if (takes(r, '['))
        return read_list(r, ']', to);
    if (takes(r, '{'))
        return read_dict(r, to);
    if (takes(r, '(')) {
        const char *before = r->at;
        bool good = read_list(r, ')', to);

        /* Brackets around one value are no tuple. */
        if (good && to->n == 1 && !memchr(before, ',', (size_t)(r->at - before)))
            *to = to->item[0];
        return good;
    }
    if (takes(r, '\'') || takes(r, '"'))
        return read_string(r, c, to);
    if (isdigit((unsigned char)c) || strchr("+-.", c))
        return read_number(r, to);
    if (isalpha((unsigned char)c) || c == '_')
        return read_name(r, read_word(r), to);
    return fail(r, "a value was expected, and nothing that has to be worked out");
}

static bool read_value(struct reader *r, struct value *to)
{
    const char *name = to->name;
    size_t index = to->index;
    bool good;

    skip(r);
    if (r->at >= r->end)
        return fail(r, "a value was expected, but the text ends here");
    if (r->depth >= DEEPEST)
        return fail(r, "this is more than 64 deep");
    to->at = (struct span){ (size_t)(r->at - r->faults->text.at), 1 };
    r->depth++;
    good = read_any(r, to);
    r->depth--;
    to->name = name;
    to->index = index;
    return good;
}

const struct value *python_read(struct faults *faults, size_t at, struct arena *arena)
{
    struct value *root = ARENA_NEW(arena, struct value);
    struct reader r = { .faults = faults,
                        .arena = arena,
                        .at = faults->text.at + at,
                        .end = faults->text.at + faults->text.length };

    if (!read_value(&r, root))
        return NULL;
    value_adopt(root);
    return root;
}
