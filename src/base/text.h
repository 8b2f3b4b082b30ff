/* text: a growing string, and suggestions for misspelled words. */
#pragma once

#include "base/base.h"

/* Owned by its declarer; all zero is the empty text. `at` is NULL or ends in a NUL. */
struct text {
    char *at;
    size_t length, room;
};

void text_add(struct text *, const void *, size_t length);
void text_adds(struct text *, const char *string);
void text_addc(struct text *, char);
/* Much faster than text_addf. */
void text_add_integer(struct text *, int64_t);
void text_addf(struct text *, const char *format, ...) PRINTF_LIKE(2, 3);
/* For code that writes directly: text_room returns room for `more` bytes after the text; text_grown
 * sets the end of the bytes that were written. */
char *text_room(struct text *, size_t more);
void text_grown(struct text *, const char *end);
void text_clear(struct text *);
/* Shortens the text to a length. */
void text_cut(struct text *, size_t length);
void text_drop(struct text *);
/* Returns the text as a C string; "" for the empty text. */
const char *text_string(const struct text *);

/* Appends the bytes as a JSON string in quotes, with the escapes that JSON requires. */
void text_add_json(struct text *, const char *, size_t length);
/* Returns the length of the UTF-8 character at `at`, before `end`; 0 if it is invalid (RFC 3629).
 */
size_t utf8_length(const char *at, const char *end);
bool text_is_utf8(const char *);
/* True if a terminal may act on the text's first character, and stores the character's length in
 * `bytes`. These are control characters (U+0000 to U+001F, U+007F to U+009F), characters that end a
 * line or change its direction, and invalid UTF-8. The text is not empty. */
bool text_is_control(const char *, size_t length, size_t *bytes);
/* Appends the string with such characters as \xNN or \uNNNN, for messages on a terminal. */
void text_add_visible(struct text *, const char *, size_t length);

/* Returns the part of the slice between blanks, tabs and carriage returns at its ends. */
struct slice slice_trim(struct slice);

/* Returns how many letters must be added, removed, replaced, or swapped with the next one, each
 * place once (optimal string alignment distance). ASCII case is ignored. 64 if a word is longer
 * than 64 bytes. */
size_t word_distance(const char *, const char *);

/* Searches a list for the word nearest to `word`. `best` is NULL if none is near enough. The
 * distance may be a third of the word's length, or 1. A candidate that begins with `word` is also
 * near. */
struct nearest {
    const char *word, *best;
    size_t distance;
};
void nearest_try(struct nearest *, const char *candidate);
/* Returns "; did you mean \"X\"?" or "", in the arena. */
struct arena;
const char *nearest_hint(const struct nearest *, struct arena *);
