/* fuzz_json: JSON by its two readers, the scanner and the tree; members picked; documents written.
 */
#include "base/number.h"
#include "json/document.h"
#include "json/value.h"
#include "fuzz.h"

#include <cJSON.h>

static struct arena arena;

/* --- the tree --- */

static void check_value(const struct value *v, struct slice text)
{
    struct slice at = { text.at + v->at.offset, v->at.length };
    const char *path = value_path(v, &arena);

    MUST(at.length && v->at.offset + at.length <= text.length);
    MUST(!*path == !v->parent);
    if (v->kind == VALUE_NUMBER) {
        const char *number = arena_copy(&arena, at.at, at.length);

        MUST(strtod(number, NULL) == v->number);
    }
    value_is_remark(v);
    for (size_t i = 0; i < v->n; i++) {
        const struct value *child = &v->item[i];

        MUST(child->parent == v);
        if (v->kind == VALUE_OBJECT)
            MUST(value_get(v, child->name) == child);
        check_value(child, text);
    }
    if (v->kind == VALUE_OBJECT)
        MUST(!value_get(v, "no such name"));
}

/* Checks that the printed tree is JSON, and parses to the same tree. */
static void check_print(const struct value *v)
{
    struct text once = { 0 }, twice = { 0 };
    struct faults again;
    const struct value *same;

    value_print(v, &once);
    again = faults_of((struct slice){ text_string(&once), once.length });
    same = value_parse(&again, &arena);
    MUST(same && !again.n);
    value_print(same, &twice);
    MUST(strcmp(text_string(&once), text_string(&twice)) == 0);
    faults_drop(&again);
    text_drop(&once);
    text_drop(&twice);
}

static bool has_code(const struct faults *f, const char *code)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->list[i].code, code) == 0)
            return true;
    return false;
}

/* A number of more characters than some versions of cJSON read. */
static bool has_long_number(const struct value *v)
{
    if (v->kind == VALUE_NUMBER && v->at.length > 63)
        return true;
    for (size_t i = 0; i < v->n; i++)
        if (has_long_number(&v->item[i]))
            return true;
    return false;
}

/* cJSON's tree of the same text is the same: kinds, names, strings, the order of children. */
static void check_same(const struct value *v, const cJSON *other)
{
    const cJSON *child = other->child;

    MUST((v->kind == VALUE_TEXT) == cJSON_IsString(other));
    MUST((v->kind == VALUE_NUMBER) == cJSON_IsNumber(other));
    MUST((v->kind == VALUE_NULL) == cJSON_IsNull(other));
    MUST((v->kind == VALUE_LIST) == cJSON_IsArray(other));
    MUST((v->kind == VALUE_OBJECT) == cJSON_IsObject(other));
    MUST(v->kind != VALUE_FLAG || v->flag == cJSON_IsTrue(other));
    MUST(v->kind != VALUE_TEXT || strcmp(v->text, other->valuestring) == 0);
    for (size_t i = 0; i < v->n; i++, child = child->next) {
        MUST(child && v->item[i].parent == v && v->item[i].index == i);
        MUST(!v->item[i].name || strcmp(v->item[i].name, child->string) == 0);
        check_same(&v->item[i], child);
    }
    MUST(!child);
}

static void check_against_cjson(const struct value *v, struct slice text)
{
    cJSON *other = has_long_number(v) ? NULL : cJSON_ParseWithLength(text.at, text.length);

    MUST(other || has_long_number(v));
    if (other)
        check_same(v, other);
    cJSON_Delete(other);
}

/* Both readers take the same texts, but that the scanner alone does not ask for names given twice.
 */
static void check_readers(struct slice text)
{
    struct scan s = scan_start(text, 0);
    struct slice whole;
    bool good = scan_value(&s, &whole) && scan_end(&s);
    struct faults f = faults_of(text);
    const struct value *tree = value_parse(&f, &arena);

    MUST(good == !s.code);
    if (!good)
        MUST(!tree && f.n == 1 && strcmp(f.list[0].code, s.code) == 0);
    else if (!tree)
        MUST(has_code(&f, "json-twice"));
    if (tree) {
        check_value(tree, text);
        check_against_cjson(tree, text);
        value_fault(&f, tree, false, "code", "at %s", value_kind_name(tree->kind));
        check_print(tree);
    }
    faults_end(&f);
}

/* --- documents --- */

struct elements {
    struct slice at[64];
    struct pick_order order;
    size_t n, next;
    bool whole;
};

static bool print_other(void *context, struct slice name, struct slice value, struct text *to)
{
    struct elements *e = context;

    e->next++;
    if (!scan_equals(name, "name"))
        return false;
    text_add(to, value.at, value.length);
    return true;
}

/* A reprinted element is an object with the same number of members. */
static void check_element(struct slice element)
{
    struct text out = { 0 }, twice = { 0 };
    struct elements counted = { 0 }, again = { 0 };
    struct slice whole;
    struct scan s;

    text_addc(&out, '{');
    pick_print(element, &out, print_other, &counted);
    text_addc(&out, '}');
    s = scan_start((struct slice){ out.at, out.length }, 0);
    MUST(scan_value(&s, &whole) && scan_end(&s));
    pick_print(whole, &twice, print_other, &again);
    MUST(again.next == counted.next);
    MUST(twice.length + 2 == out.length && !memcmp(text_string(&twice), out.at + 1, twice.length));
    text_drop(&out);
    text_drop(&twice);
}

static void read_element(void *context, struct scan *s, const struct place *p)
{
    struct pick pick[] = { { .name = "id", .required = true },
                           { .name = "name" },
                           { .name = "size" },
                           { .name = "list" } };
    struct elements *e = context;
    struct slice element = { 0 };
    const char *text = NULL;
    double number, *numbers;
    struct scan list;
    int64_t id = 0;
    size_t n;

    if (!pick_members(s, p, &e->order, pick, COUNTOF(pick), &element))
        return;
    list = scan_start(pick[3].value, 0);
    if (pick_integer(p, &pick[0], &id))
        MUST(id >= -(INT64_C(1) << 53) && id <= INT64_C(1) << 53);
    if (pick_text(p, &pick[1], &arena, &text) && text)
        MUST(strlen(text) <= pick[1].value.length);
    if (pick_number(p, &pick[2], &number) && pick[2].value.at)
        MUST(isfinite(number));
    if (pick[3].value.at && pick_numbers(&list, 1e7, &arena, &numbers, &n))
        for (size_t i = 0; i < n; i++)
            MUST(fabs(numbers[i]) <= 1e7);
    MUST(pick_again(element, "id").at);
    check_element(element);
    if (e->n < COUNTOF(e->at))
        e->at[e->n++] = element;
}

/* A value taken by the function for its kind. */
static void read_by_kind(struct scan *s)
{
    struct slice text;
    bool first = true;
    int64_t integer;
    double number;

    switch (scan_peek(s)) {
    case '"':
        scan_string(s, &arena, &text);
        break;
    case '[':
        scan_open(s, '[');
        while (scan_element(s, &first))
            read_by_kind(s);
        break;
    case '-':
        scan_number(s, &number);
        break;
    case '1':
        scan_integer(s, &integer);
        break;
    default:
        scan_value(s, &text);
    }
}

static void read_whole(void *context, struct scan *s, const struct place *p)
{
    struct elements *e = context;

    (void)p;
    e->whole = true;
    read_by_kind(s);
}

static bool next_element(void *context, struct slice *to)
{
    struct elements *e = context;

    if (e->next == e->n)
        return false;
    *to = e->at[e->next++];
    return true;
}

enum { WALK_LIST, WALK_OTHER, WALK_WHOLE, WALKS };
static const struct walk walks[WALKS] = {
    [WALK_LIST] = { .name = "list", .required = true, .read = read_element },
    [WALK_OTHER] = { .name = "other", .read = read_element },
    [WALK_WHOLE] = { .name = "whole", .whole = true, .read = read_whole },
};

static bool read_document(struct faults *f, struct elements *e, struct document *d)
{
    struct place where = { .faults = f, .code_missing = "missing", .code_type = "type" };
    bool read = document_read(&where, "root", walks, WALKS, e, &arena, d);

    MUST(read || f->n);
    return read && !f->n;
}

/* A document without fault is written with its elements, and has them when it is read again. */
static void check_document(struct slice text)
{
    bool (*const next[WALKS])(void *, struct slice *) = { [WALK_LIST] = next_element };
    struct faults f = faults_of(text), again;
    struct elements e = { 0 }, read = { 0 };
    struct document d, same;
    char *written = NULL;
    size_t length;
    FILE *file;

    if (read_document(&f, &e, &d)) {
        file = open_memstream(&written, &length);
        MUST(file && document_write(&d, file, next, WALKS, &e));
        fclose(file);
        again = faults_of((struct slice){ written, length });
        MUST(read_document(&again, &read, &same) && same.n == d.n && read.whole == e.whole);
        MUST(read.n >= e.n || e.n == COUNTOF(e.at));
        faults_end(&again);
        free(written);
    }
    faults_end(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = feed_copy(data, size);

    check_readers(text);
    check_document(text);
    slice_free(text);
    arena_reset(&arena);
    return 0;
}
