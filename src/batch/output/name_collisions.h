/* name_collisions: finds outputs of a job that would be the same file, or a file where another
 * output needs a folder. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

/* Adds a fault for each collision of names that are equal byte by byte. */
void name_collisions_check(const struct job *, struct faults *);

/* Finds collisions of names that differ, but that OUT's file system may not distinguish. Examples
 * are "A" and "a", or "é" and "e" with a combining accent. Few jobs have such names. For these,
 * empty files in the scratch show what the file system does. Returns EXIT_DONE, or the exit code
 * with faults added. */
int name_collisions_check_folded(const struct job *, struct out_dir *, struct faults *);
