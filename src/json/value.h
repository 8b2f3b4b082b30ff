/* value: a JSON document as a tree that knows its places; strict.
 *
 * Values live in the arena they were read into (or built in) and are never changed after. Strict
 * means: RFC 8259 grammar, valid UTF-8, no duplicate keys, no NUL in strings, numbers that are
 * finite, depth at most 64. Values that were built have no place (at.length 0). */
#pragma once

#include "base/arena.h"
#include "base/fault.h"

enum value_kind { VALUE_NULL, VALUE_FLAG, VALUE_NUMBER, VALUE_TEXT, VALUE_LIST, VALUE_OBJECT };

struct span {
    size_t offset, length; /* bytes in the document */
};

struct value {
    enum value_kind kind;
    bool flag;
    double number;
    const char *text;   /* NUL-terminated */
    struct value *item; /* n children of a list or object, in order */
    size_t n;
    const char *name;           /* of an object's child, else NULL */
    size_t index;               /* of a list's child */
    const struct value *parent; /* NULL for the root */
    struct span at, name_at;
};

/* How many values a JSON text has, give or take empty lists and objects; of a text that is no JSON,
 * any number. */
size_t value_count(struct slice text);

/* Parse the faults' text. NULL when it is not strict JSON: every problem found is a fault
 * ("json-syntax", "json-utf8", "json-twice", "json-number", "json-depth", "json-nul"). */
struct value *value_parse(struct faults *, struct arena *);

/* The child of an object by its exact name, or NULL. */
const struct value *value_get(const struct value *object, const char *name);
/* "an object", "a number", ...: for messages. */
const char *value_kind_name(enum value_kind);
/* Is the key one that is ignored anywhere: "$comment" or x-...? */
bool value_is_remark(const struct value *);

/* "transforms[2].degrees"; "" for the root. In the arena. */
const char *value_path(const struct value *, struct arena *);

/* A fault at a value (on its key, if `on_name`); returns false. A value without a place, or
 * NULL, is a fault of the document as a whole. */
bool value_fault(struct faults *, const struct value *, bool on_name, const char *code,
                 const char *format, ...) PRINTF_LIKE(5, 6);

/* Adds a fault of this code for every name that an object in the value has twice; false if there is
 * any. */
bool value_check_names(struct faults *, const struct value *, const char *code);

/* Building, for steps that are drawn and options that are given. */
struct value *value_new(struct arena *, enum value_kind);
struct value *value_object(struct arena *, size_t n); /* n null children to be filled and named */
struct value *value_list(struct arena *, size_t n);
/* Set the parents of all that the value holds, when all are where they stay. */
void value_adopt(struct value *);

/* Print as compact JSON: ", " and ": " between. */
void value_print(const struct value *, struct text *);
