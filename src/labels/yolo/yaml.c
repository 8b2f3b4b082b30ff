/* yaml: a small YAML file as a tree of values, by libyaml. */
#include "labels/yolo/yaml.h"

#include "base/dynlib.h"
#include "base/number.h"
#include "json/document.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define YAML_FILE "libyaml-0.so.2"
#define FUNCTIONS(X)                                                                               \
    X(yaml_parser_initialize)                                                                      \
    X(yaml_parser_set_input_string)                                                                \
    X(yaml_parser_parse)                                                                           \
    X(yaml_parser_delete)                                                                          \
    X(yaml_event_delete)

#define NAME(function) #function,
static const char *const names[] = { FUNCTIONS(NAME) };
#define POINTER(function) __typeof__(&(function)) function;
static struct {
    FUNCTIONS(POINTER)
} lib;
static const struct dynlib library = { YAML_FILE, "libyaml-0-2", names, COUNTOF(names) };
static bool opened;

enum { DEEPEST = 64 };

struct reader {
    struct faults *faults;
    struct slice text;
    struct arena *arena;
    yaml_parser_t parser;
    /* Marks count characters: as many as `character` begin before `byte` of the text. */
    size_t character, byte;
};

/* Marks come in the order of the text. */
static size_t offset_of(struct reader *r, const yaml_mark_t *mark)
{
    while (r->character < mark->index && r->byte < r->text.length) {
        r->byte++;
        while (r->byte < r->text.length && ((unsigned char)r->text.at[r->byte] & 0xc0) == 0x80)
            r->byte++;
        r->character++;
    }
    return (size_t)(r->text.at - r->faults->text.at) + r->byte;
}

static bool fail(struct reader *r, size_t at, const char *code, const char *why)
{
    return fault_add(r->faults, at, 1, "", code, "%s", why);
}

static bool next(struct reader *r, yaml_event_t *event)
{
    const yaml_parser_t *p = &r->parser;

    if (lib.yaml_parser_parse(&r->parser, event))
        return true;
    memory_check();
    return fail(r, offset_of(r, &p->problem_mark), "yaml-syntax",
                p->problem ? p->problem : "this is not YAML");
}

/* Sets the type of an unquoted scalar, which already has its text. */
static void type_scalar(struct value *v, size_t length)
{
    static const char *const nulls[] = { "", "~", "null", "Null", "NULL" };
    static const char *const flags[] = { "false", "true", "False", "True", "FALSE", "TRUE" };
    struct slice text = { v->text, length };
    double number;

    for (size_t i = 0; i < COUNTOF(nulls); i++)
        if (strcmp(v->text, nulls[i]) == 0)
            v->kind = VALUE_NULL;
    for (size_t i = 0; i < COUNTOF(flags); i++)
        if (strcmp(v->text, flags[i]) == 0) {
            v->kind = VALUE_FLAG;
            v->flag = i % 2;
        }
    if (length && number_scan(text, &number) == length) {
        v->kind = VALUE_NUMBER;
        v->number = number;
    }
}

static void read_scalar(struct reader *r, const yaml_event_t *event, struct value *v)
{
    size_t length = event->data.scalar.length;

    v->kind = VALUE_TEXT;
    v->text = arena_copy(r->arena, event->data.scalar.value, length);
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
        type_scalar(v, length);
}

static bool read_node(struct reader *, yaml_event_t *, size_t depth, struct value *);

/* Reads the name of the next member; sets `ended` after the last. */
static bool read_key(struct reader *r, yaml_event_t *event, struct value *v, bool *ended)
{
    *ended = event->type == YAML_MAPPING_END_EVENT;
    if (*ended)
        return true;
    if (event->type != YAML_SCALAR_EVENT)
        return fail(r, offset_of(r, &event->start_mark), "yaml-syntax",
                    "expected a name here, not a list or a mapping");
    if (strcmp((const char *)event->data.scalar.value, "<<") == 0)
        return fail(r, offset_of(r, &event->start_mark), "yaml-alias",
                    "merge keys are not read; write the keys themselves");
    v->name = arena_copy(r->arena, event->data.scalar.value, event->data.scalar.length);
    v->name_at = (struct span){ offset_of(r, &event->start_mark), strlen(v->name) };
    return true;
}

/* Reads children up to the end of their parent. */
static bool read_children(struct reader *r, bool named, size_t depth, struct value *to)
{
    struct pile children = { 0 };
    bool good = true, ended = false;

    while (good && !ended) {
        struct value child = { 0 };
        yaml_event_t event;

        good = next(r, &event);
        if (good && named) {
            good = read_key(r, &event, &child, &ended);
            lib.yaml_event_delete(&event);
            good = good && (ended || next(r, &event));
        } else if (good && event.type == YAML_SEQUENCE_END_EVENT) {
            lib.yaml_event_delete(&event);
            ended = true;
        }
        if (!good || ended)
            break;
        good = read_node(r, &event, depth + 1, &child);
        child.index = children.n;
        *(struct value *)pile_add(&children, sizeof child) = child;
    }
    to->n = children.n;
    to->item = ARENA_ARRAY(r->arena, struct value, children.n);
    if (children.n)
        memcpy(to->item, children.at, children.n * sizeof *to->item);
    free(children.at);
    return good;
}

/* Takes the event. */
static bool read_node(struct reader *r, yaml_event_t *event, size_t depth, struct value *v)
{
    yaml_event_type_t type = event->type;
    bool named = type == YAML_MAPPING_START_EVENT;

    v->at.offset = offset_of(r, &event->start_mark);
    if (type == YAML_SCALAR_EVENT) {
        read_scalar(r, event, v);
        v->at.length = event->end_mark.index - event->start_mark.index;
    }
    lib.yaml_event_delete(event);
    if (type == YAML_SCALAR_EVENT)
        return true;
    v->at.length = 1;
    if (type == YAML_ALIAS_EVENT)
        return fail(r, v->at.offset, "yaml-alias", "aliases are not read; write the value itself");
    if (!named && type != YAML_SEQUENCE_START_EVENT)
        return fail(r, v->at.offset, "yaml-syntax", "expected a value");
    if (depth >= DEEPEST)
        return fail(r, v->at.offset, "yaml-depth", "values are nested more than 64 levels deep");
    v->kind = named ? VALUE_OBJECT : VALUE_LIST;
    return read_children(r, named, depth, v);
}

/* Reads the end of the document, which must be the last one. */
static bool read_end(struct reader *r)
{
    yaml_event_t event;
    yaml_event_type_t type;
    size_t at;

    do {
        if (!next(r, &event))
            return false;
        type = event.type;
        at = offset_of(r, &event.start_mark);
        lib.yaml_event_delete(&event);
    } while (type == YAML_DOCUMENT_END_EVENT);
    return type == YAML_STREAM_END_EVENT ||
           fail(r, at, "yaml-syntax",
                "a second document starts here; a file must contain only one");
}

/* Past the starts of stream and document. */
static bool read_document(struct reader *r, struct value *root)
{
    yaml_event_t event;
    yaml_event_type_t type;

    do {
        if (!next(r, &event))
            return false;
        type = event.type;
        if (type == YAML_STREAM_END_EVENT) {
            lib.yaml_event_delete(&event);
            return true; /* empty: null */
        }
        if (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_START_EVENT)
            lib.yaml_event_delete(&event);
    } while (type == YAML_STREAM_START_EVENT || type == YAML_DOCUMENT_START_EVENT);
    return read_node(r, &event, 0, root) && read_end(r);
}

const struct value *yaml_read(struct faults *f, struct slice text, struct arena *arena)
{
    struct reader r = { .faults = f, .text = text, .arena = arena };
    struct value *root = ARENA_NEW(arena, struct value);
    bool good;

    if (!dynlib_expect(&library, &lib, &opened, f, "yaml-library"))
        return NULL;
    if (text.length >= 3 && memcmp(text.at, "\xef\xbb\xbf", 3) == 0)
        r.byte = 3; /* marks do not count it */
    if (!lib.yaml_parser_initialize(&r.parser))
        memory_gone(sizeof r.parser);
    lib.yaml_parser_set_input_string(&r.parser, (const unsigned char *)text.at, text.length);
    good = read_document(&r, root);
    lib.yaml_parser_delete(&r.parser);
    value_adopt(root);
    return good && value_check_names(f, root, "yaml-twice") ? root : NULL;
}
