/* fix: applies the fixes of findings to the text. */
#pragma once

#include "check/check.h"

/* Zero-initialized, except for the first two members. */
struct fixes {
    enum fix_kind max_kind; /* FIX_SAFE, or FIX_UNSAFE for both kinds */
    bool wants_diff;
    size_t n_files;
    struct text *texts;   /* the fixed text of each file; empty: unchanged */
    struct slice *slices; /* the texts as options of the next check */
    size_t n;             /* number of fixed findings in all files */
    size_t *n_of;         /* number of fixed findings of each file */
    struct text diff;     /* the values before and after */
};

/* Fixes the texts of a check that was run with `fixes`: all findings that are not hidden and whose
 * edits do not touch. Of edits that touch, the first in the text is done; the others are left for a
 * check of the result. Returns false if there is nothing to fix. Writes no file. */
bool fixes_apply(struct fixes *, const struct check *);
void fixes_drop(struct fixes *);

/* Writes a text whole or not at all (output_file.h). With `backup` (an empty text), an existing
 * file is replaced and kept beside the new one, under a name that `backup` gets. Without, the file
 * must be new. Returns the exit code, with the reason in `why`. */
int fixes_write(const char *path, struct slice, struct text *backup, struct text *why);
