/* fault: what is wrong in a document: a stable code, a place, and what would have been right; and
 * notes: what is not as it should be, but was read all the same.
 *
 * Faults are collected, not thrown: a reader reports all it finds and the caller prints them in the
 * order of the text. Codes are stable and documented; words may get better. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdarg.h>

struct fault {
    const char *code;      /* "param-range" */
    const char *path;      /* "transforms[2].degrees"; "" for the document itself */
    const char *message;   /* "270 is out of range: -180..180 degrees" */
    size_t offset, length; /* what the caret marks; length 0 for no excerpt */
    const char *remedy;    /* of a note: what was done about it; NULL for faults */
    bool common;           /* of a note: so many exporters do it that it is told only when asked */
    size_t times;          /* of a note: in how many places; this is the first */
};

/* A document may be many files, whose texts stand one behind the other. */
struct fault_file {
    size_t offset; /* where its text begins */
    const char *name;
};

/* The last of the files that begins at or before the offset, or NULL. */
const struct fault_file *fault_file_at(const struct fault_file *, size_t n, size_t offset);

/* All zero but for name and text, which are borrowed. A document without text (a command line)
 * prints its faults without a place. */
struct faults {
    const char *name;
    struct slice text;
    const struct fault_file *files; /* sorted by offset; NULL: the text is that of one file */
    size_t n_files;
    struct arena arena;
    struct fault *list;
    size_t n, room;
    /* Given each part of the text that has been read and will not be looked at soon; NULL where the
     * text is not mapped. */
    void (*rest)(struct slice);
    struct faults *notes; /* where a reader puts its notes; NULL where nobody asks for them */
    bool verbose;         /* common notes are printed, too */
};

/* Adds one; returns false so that a reader can write `return fault_add(...)`. */
bool fault_add(struct faults *, size_t offset, size_t length, const char *path, const char *code,
               const char *format, ...) PRINTF_LIKE(6, 7);
bool fault_addv(struct faults *, size_t offset, size_t length, const char *path, const char *code,
                const char *format, va_list) PRINTF_LIKE(6, 0);

/* Add words to the message of the fault that was added last; there must be one. */
void fault_append(struct faults *, const char *words);

/* Name, line:column, "error" (or "warning" of a note, "note" of a common one), path, message,
 * [code]; under an error the line and a caret. At most `most`, then a count of the rest. */
void faults_print(struct faults *, size_t most, struct text *out);

/* The fault that was added first, without "error", in a line of its own that has no end yet. */
void faults_print_first(const struct faults *, struct text *out);

/* There is one note for a code, at the first of its places in the order of reading. note_again
 * counts one more place; false when there is no note with this code yet, which note_add adds. Where
 * nobody asks for notes it is true. `what` and `remedy` are borrowed. */
bool note_again(struct faults *, const char *code);
void note_add(struct faults *, size_t offset, size_t length, const char *path, const char *code,
              const char *what, const char *remedy, bool common);
/* The note of this code is none after all. */
void note_withdraw(struct faults *, const char *code);
/* What was noted is not to be read: notes become faults. */
void notes_refuse(struct faults *);

void faults_drop(struct faults *);

/* 1-based line and column (in bytes) of an offset. */
void text_place(struct slice text, size_t offset, size_t *line, size_t *column);
