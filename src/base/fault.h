/* fault: errors in a document, each with a stable code, a place and a message that says what was
 * expected. Also notes: deviations that were accepted.
 *
 * Faults are collected, not thrown: a reader reports everything it finds, and the caller prints the
 * faults in the order of the text. Codes are stable and documented; texts may improve. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdarg.h>

struct fault {
    const char *code;      /* "param-range" */
    const char *path;      /* "transforms[2].degrees"; "" for the document itself */
    const char *message;   /* "270 is out of range: -180..180 degrees" */
    size_t offset, length; /* the part that the caret marks; length 0: no excerpt */
    const char *remedy;    /* of a note: how the deviation was handled; NULL for faults */
    bool common;           /* for a note: many exporters write it; printed only with -v */
    size_t times;          /* of a note: the number of places; this is the first */
};

/* A document may consist of many files, whose texts are concatenated. */
struct fault_file {
    size_t offset; /* where the file's text begins */
    const char *name;
    size_t line; /* the line of the named file that the text was made of; 0: the text is the file */
};

/* Returns the last file that begins at or before the offset, or NULL. */
const struct fault_file *fault_file_at(const struct fault_file *, size_t n, size_t offset);

/* Zero-initialized except for name and text, which are borrowed. Faults of a document without text
 * (a command line) are printed without a place. */
struct faults {
    const char *name;
    struct slice text;
    const struct fault_file *files; /* sorted by offset; NULL: the text is a single file */
    size_t n_files;
    struct arena arena;
    struct fault *list;
    size_t n, room;
    /* Called for each part of the text that has been read and is not needed soon; NULL if the text
     * is not mapped. */
    void (*rest)(struct slice);
    struct faults *notes; /* receives the notes; NULL to ignore them */
    bool verbose;         /* common notes are printed, too */
};

/* Adds one; returns false so that a reader can write `return fault_add(...)`. */
bool fault_add(struct faults *, size_t offset, size_t length, const char *path, const char *code,
               const char *format, ...) PRINTF_LIKE(6, 7);
bool fault_addv(struct faults *, size_t offset, size_t length, const char *path, const char *code,
                const char *format, va_list) PRINTF_LIKE(6, 0);

/* Appends words to the message of the last fault; there must be one. */
void fault_append(struct faults *, const char *words);

/* Prints at most `max` faults, then the number of the others. Each line has the name, line:column,
 * "error" (or "warning" for a note, "note" for a common one), path, message and [code]. After an
 * error come the line of the text and a caret. */
void faults_print(struct faults *, size_t max, struct text *out);

/* Prints the first fault that was added, without "error", as one line without a line break. */
void faults_print_first(const struct faults *, struct text *out);

/* There is one note per code, at the first of its places in the order of reading. note_repeat
 * counts one more place; false if there is no note with this code yet, and note_add must add it.
 * True if notes are ignored. `what` and `remedy` are borrowed. */
bool note_repeat(struct faults *, const char *code);
void note_add(struct faults *, size_t offset, size_t length, const char *path, const char *code,
              const char *what, const char *remedy, bool common);
/* Removes the note with this code. */
void note_withdraw(struct faults *, const char *code);
/* Turns all notes into faults. */
void notes_refuse(struct faults *);

void faults_drop(struct faults *);

/* Computes the 1-based line and column (in bytes) of an offset. */
void text_place(struct slice text, size_t offset, size_t *line, size_t *column);
