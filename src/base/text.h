/* text: text that grows, and words that are nearly another word. */
#pragma once

#include "base/base.h"

/* Owned by whoever declares it; all zero is the empty text. `at` is NULL or ends in a NUL. */
struct text {
    char *at;
    size_t length, room;
};

void text_add(struct text *, const void *, size_t length);
void text_adds(struct text *, const char *string);
void text_addc(struct text *, char);
/* Written much faster than by text_addf. */
void text_add_integer(struct text *, int64_t);
void text_addf(struct text *, const char *format, ...) PRINTF_LIKE(2, 3);
/* For what writes by itself: room for `more` bytes behind the text, and where in it they ended. */
char *text_room(struct text *, size_t more);
void text_grown(struct text *, const char *end);
void text_clear(struct text *);
/* Drop what is beyond a length that it has. */
void text_cut(struct text *, size_t length);
void text_drop(struct text *);
/* The text as a C string; "" for the empty text. */
const char *text_string(const struct text *);

/* The bytes as a JSON string in quotes, escaped where JSON demands it. */
void text_add_json(struct text *, const char *, size_t length);
/* The length of the UTF-8 character at `at`, before `end`; 0 when it is wrong (RFC 3629). */
size_t utf8_length(const char *at, const char *end);
bool text_is_utf8(const char *);
/* Is the text's first character, of `bytes` bytes, one that a terminal may act upon: a control
 * character (U+0000 to U+001F, U+007F to U+009F), one that ends a line or turns its direction, or a
 * byte that is no UTF-8? The text has at least a byte. */
bool text_is_control(const char *, size_t length, size_t *bytes);
/* The string with such characters as \xNN or \uNNNN, for messages on a terminal. */
void text_add_visible(struct text *, const char *, size_t length);

/* How many letters are to be added, left out, replaced, or swapped with the next one, each place
 * once (optimal string alignment distance). ASCII case does not count. 64 when a word is longer
 * than 64 bytes. */
size_t word_distance(const char *, const char *);

/* The word of a list nearest to the given one, or NULL when none is near enough (a third of its
 * length, at least 1; a word that it begins also counts as near). */
struct nearest {
    const char *word, *best;
    size_t distance;
};
void nearest_try(struct nearest *, const char *candidate);
/* "; did you mean \"X\"?" or "". Lives in the arena. */
struct arena;
const char *nearest_hint(const struct nearest *, struct arena *);
