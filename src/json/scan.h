/* scan: a strict, forward-only reader of JSON text that keeps every byte's position.
 *
 * Nothing is copied: values are parts of the text. For documents too large for a tree
 * (annotations), and as the base of trees of small ones (value.h). */
#pragma once

#include "base/fault.h"
#include "base/text.h"

struct scan {
    struct slice text;
    size_t at;      /* the next byte */
    unsigned depth; /* open brackets, at most 64 */
    bool known;     /* the text was scanned before, and is valid */
    bool nan_words; /* NaN, Infinity and -Infinity are accepted as values, as Python writes them,
                       but not as numbers */
    size_t strings; /* number of string values so far; not counted if `known` */
    /* The first problem: a code (see value.h) and its offset; NULL if there is none. Once set, all
     * functions return false. */
    const char *code;
    const char *what;
    size_t where;
};

struct scan scan_start(struct slice text, size_t at);
/* The same for text that was scanned before without a problem: scan_value skips the content of
 * values. */
struct scan scan_again(struct slice text, size_t at);
/* Returns the next byte that is not white space, without consuming it; '\0' at the end. */
char scan_peek(struct scan *);
/* Consumes one value of any kind, and checks it; returns its text without surrounding white space.
 */
bool scan_value(struct scan *, struct slice *);
/* Enters an object or a list at '{' or '['. Then scan_member / scan_element return true for each
 * child, positioned before its value. They return false after the last (the closing bracket is
 * consumed) or on a problem. `first` starts true and is updated by the functions. */
bool scan_open(struct scan *, char bracket);
bool scan_member(struct scan *, bool *first,
                 struct slice *name); /* name in its raw text, without quotes */
bool scan_element(struct scan *, bool *first);
/* True if only white space is left; else a problem. */
bool scan_end(struct scan *);

/* Consume a number, or an integer (see number.h), at the next position. */
bool scan_number(struct scan *, double *);
bool scan_integer(struct scan *, int64_t *);
/* Consumes a string; unescaped, NUL-terminated, in the arena. */
bool scan_string(struct scan *, struct arena *, struct slice *);

/* Reports a problem here; returns false. */
bool scan_fail(struct scan *, const char *code, const char *what);

/* True if a raw name (from scan_member) is this word. Escapes in names are decoded for the
 * comparison. */
bool scan_equals(struct slice name, const char *word);
/* Decodes the inside of a string that was scanned before; the quotes surround it. In the arena. */
struct slice scan_unescape(struct arena *, struct slice raw);

/* Appends a line such as "cJSON 1.7.15", the library that decodes strings with escapes. */
void json_versions(struct text *out);
