/* earlier_files: what an earlier run left in the output folder: which files are its own, and their
 * removal. Nothing else in the folder is ever removed. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

/* Names of files below OUT, sorted; all zero is none. */
struct former {
    struct arena arena;
    const char **names;
    size_t n;
    bool viewed; /* nothing is to be written there: faults of former_read give no advice on it */
};

/* Is anything of this name there? */
bool former_has(struct outdir *, const char *name);

/* Read which files earlier runs say are theirs: the last one's run.json and manifest, and the list
 * of one that did not end unless it wrote apart. EXIT_DONE, or the exit code with a fault added
 * when they cannot be read or name what no run writes. */
int former_read(struct outdir *, struct former *, struct faults *);

/* Read a list of the scratch that names files of earlier runs. False with errno. */
bool former_read_list(struct outdir *, struct former *, const char *name);
/* Is it the name of one of them? */
bool former_owns(const struct former *, const char *name);

/* Would this job write over a file that is not one of them? Faults for those; EXIT_DONE when there
 * are none. */
int former_check(struct outdir *, const struct former *, const struct job *, struct faults *);

/* Is writing to the folders that they are in allowed, so that they could be removed? EXIT_DONE, or
 * the exit code with a fault added. */
int former_check_folders(struct outdir *, const struct former *, struct faults *);

/* Remove the folders of a file that is not there any more, as far as they are empty. */
void former_remove_folders(struct outdir *, const char *name);
/* Remove them, and the folders that are empty then. EXIT_DONE, or the exit code with a fault added.
 */
int former_remove_files(struct outdir *, const struct former *, struct faults *);
/* The same, and the scratch. A removal that is interrupted can
 * be done again. EXIT_DONE, or the exit code with a fault added. */
int former_remove(struct outdir *, const struct former *, struct faults *);

void former_drop(struct former *);
