/* value: a JSON document as a tree whose values know their positions; strict.
 *
 * Values live in the arena they were read into (or built in), and do not change afterwards. Strict
 * means: RFC 8259 grammar, valid UTF-8, no duplicate keys, no NUL in strings, finite numbers, depth
 * at most 64. Values that were built have no position (at.length 0). */
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
    const char *name;           /* the name of an object's child, else NULL */
    size_t index;               /* the index of a list's child */
    const struct value *parent; /* NULL for the root */
    struct span at, name_at;
};

/* Returns about how many values a JSON text has (empty lists and objects are not exact); any number
 * for invalid JSON. */
size_t value_count(struct slice text);

/* Parses the faults' text. NULL if it is not strict JSON: every problem found is a fault
 * ("json-syntax", "json-utf8", "json-twice", "json-number", "json-depth", "json-nul"). */
struct value *value_parse(struct faults *, struct arena *);

/* Returns the child of an object by its exact name, or NULL. */
const struct value *value_get(const struct value *object, const char *name);
/* Returns "an object", "a number", ...: for messages. */
const char *value_kind_name(enum value_kind);
/* True if the key is always ignored: "$comment" or x-... */
bool value_is_remark(const struct value *);

/* Returns "transforms[2].degrees", or "" for the root; in the arena. */
const char *value_path(const struct value *, struct arena *);

/* Adds a fault at a value (on its key, if `on_name`); returns false. Without a position, or for
 * NULL, it is a fault of the whole document. */
bool value_fault(struct faults *, const struct value *, bool on_name, const char *code,
                 const char *format, ...) PRINTF_LIKE(5, 6);

/* Adds a fault with this code for every duplicate name in an object inside the value; false if
 * there is any. */
bool value_check_names(struct faults *, const struct value *, const char *code);

/* Build values, for drawn steps and command-line options. */
struct value *value_new(struct arena *, enum value_kind);
struct value *value_object(struct arena *, size_t n); /* n null children to be filled and named */
struct value *value_list(struct arena *, size_t n);
/* Sets the parents of everything inside the value, once nothing moves any more. */
void value_adopt(struct value *);

/* Prints compact JSON, with ", " and ": " between. */
void value_print(const struct value *, struct text *);
