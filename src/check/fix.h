/* fix: what findings say of how they are mended, done to the text. */
#pragma once

#include "check/check.h"

/* All zero but for the first two is a beginning. */
struct fixes {
    enum fix_kind most; /* FIX_SAFE, or FIX_UNSAFE for both */
    bool wants_diff;
    size_t n_files;
    struct text *texts;   /* one a file, as mended; empty: as it is in the file */
    struct slice *slices; /* the same as the options of the next check take them */
    size_t n;             /* findings mended in all files */
    size_t *n_of;         /* the same of each file */
    struct text diff;     /* the values before and after */
};

/* Mend the texts of a check that was run with `fixes`: all findings that are not hidden and whose
 * edits do not touch each other. Of those that do, the first in the text; the others are left for
 * another check of what came out. False: there was nothing to mend. Nothing is written. */
bool fixes_apply(struct fixes *, const struct check *);
void fixes_drop(struct fixes *);

/* Writes a text whole or not at all (output_file.h). With `backup` (an empty text) the file that is
 * there is replaced; it stays beside the new one, under a name that is put in `backup`. Without,
 * the file must be new. Returns the exit code, and the reason in `why`. */
int fixes_write(const char *path, struct slice, struct text *backup, struct text *why);
