/* scan: a strict, forward-only reader over JSON text that keeps every byte's place.
 *
 * Nothing is copied: values are stretches of the text. For documents too large for a tree
 * (annotations), and below the trees of small ones (value.h). */
#pragma once

#include "base/fault.h"
#include "base/text.h"

struct scan {
    struct slice text;
    size_t at;      /* the next byte */
    unsigned depth; /* brackets that are open, at most 64 */
    bool known;     /* the text was scanned before, and was right */
    bool nan_words; /* NaN, Infinity and -Infinity are values, as Python writes them; no numbers */
    size_t strings; /* values that are strings, so far; not counted in text that is known */
    /* The first problem: a code (see value.h) and where, NULL while all is well. Once set, all
     * functions return false. */
    const char *code;
    const char *what;
    size_t where;
};

struct scan scan_start(struct slice text, size_t at);
/* The same where it was scanned before without a problem: scan_value passes over what a value
 * holds. */
struct scan scan_again(struct slice text, size_t at);
/* The next byte that is not white space, not consumed; '\0' at the end. */
char scan_peek(struct scan *);
/* Consume one value of any kind, checking it; its stretch without surrounding white space. */
bool scan_value(struct scan *, struct slice *);
/* At '{' or '[': go in. Then scan_member / scan_element return true for each child, positioned
 * before its value, and false after the last (closing bracket consumed) or on a problem.
 * `first` starts true and is kept by the functions. */
bool scan_open(struct scan *, char bracket);
bool scan_member(struct scan *, bool *first,
                 struct slice *name); /* name in its raw text, without quotes */
bool scan_element(struct scan *, bool *first);
/* Nothing but white space is left? Else a problem. */
bool scan_end(struct scan *);

/* A number, whole or not (see number.h), at the next position. */
bool scan_number(struct scan *, double *);
bool scan_integer(struct scan *, int64_t *);
/* A string, unescaped, NUL-terminated, in the arena. */
bool scan_string(struct scan *, struct arena *, struct slice *);

/* Report a problem here; returns false. */
bool scan_fail(struct scan *, const char *code, const char *what);

/* Is a raw name (as scan_member gives it) this word? Names with escapes compare by what they mean.
 */
bool scan_is(struct slice name, const char *word);
/* What the inside of a string means that was scanned before; its quotes are around it. In the
 * arena. */
struct slice scan_unescape(struct arena *, struct slice raw);

/* "cJSON 1.7.15", a line: which decodes strings with escapes. */
void json_versions(struct text *out);
