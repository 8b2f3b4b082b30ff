/* notes: deviations of annotations, and changes of the files while they are read. */
#pragma once

#include "labels/format.h"

/* Removes a byte order mark from the text, and notes it: editors do not count it as a column, nor
 * do the places of faults. */
void open_skip_mark(struct faults *);
/* Prints the notes unless quiet, and appends them to the notes of the dataset. */
void open_take_notes(struct faults *notes, int verbosity, struct dataset *);
/* True if a file of annotations was changed since it was read, after printing so. `thorough`: its
 * bytes are compared too. */
bool has_changed_input(bool thorough);
/* Returns EXIT_INPUT if has_changed_input, else `code`. Call it when the work is done, before the
 * result is written. */
int open_end(int code);
