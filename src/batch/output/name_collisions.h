/* name_collisions: outputs of a job that would be one file, or a file where another needs a folder.
 */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

/* Those whose names are the same bytes. Adds faults. */
void collisions_check(const struct job *, struct faults *);

/* Those whose names differ and are the same to OUT's file system, which may not tell "A" from "a"
 * or "é" from "e" with an accent of its own. Few jobs have names that alike; for these the file
 * system is asked, by empty files in the scratch. EXIT_DONE, or the exit code with faults added. */
int collisions_check_folded(const struct job *, struct outdir *, struct faults *);
