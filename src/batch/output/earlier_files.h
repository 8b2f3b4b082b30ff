/* earlier_files: the files that earlier runs left in the output folder, and their removal. Nothing
 * else in the folder is ever removed. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

/* Names of files below OUT, sorted. All zero means none. */
struct former {
    struct arena arena;
    const char **names;
    size_t n;
    bool viewed; /* OUT is only read: faults of former_read give no advice about writing */
};

/* True if OUT has a file, folder or other entry of this name. */
bool former_has(struct outdir *, const char *name);

/* Reads the names of the files that earlier runs list as their own. The last run's are in run.json
 * and the manifest. Those of a run that did not end are in its list, unless it built its result in
 * OUT/.lockstep/new. Returns EXIT_DONE. If the names cannot be read, or if a run cannot have
 * written one of them, returns the exit code with a fault added. */
int former_read(struct outdir *, struct former *, struct faults *);

/* Reads a file of the scratch that lists files of earlier runs. Returns false with errno. */
bool former_read_list(struct outdir *, struct former *, const char *name);
/* True if the list has this name. */
bool former_owns(const struct former *, const char *name);

/* Adds a fault for each file that this job would overwrite and that is not in the list. Returns
 * EXIT_DONE if there are none. */
int former_check(struct outdir *, const struct former *, const struct job *, struct faults *);

/* Checks that the folders of the listed files are writable, so that the files can be removed.
 * Returns EXIT_DONE, or the exit code with a fault added. */
int former_check_folders(struct outdir *, const struct former *, struct faults *);

/* Removes the folders above a file that was removed, as far as they are empty. */
void former_remove_folders(struct outdir *, const char *name);
/* Removes the listed files and the folders that become empty. Returns EXIT_DONE, or the exit code
 * with a fault added. */
int former_remove_files(struct outdir *, const struct former *, struct faults *);
/* Removes the listed files, the folders that become empty, and the contents of the scratch except
 * its lock. An interrupted removal can be repeated. Returns EXIT_DONE, or the exit code with a
 * fault added. */
int former_remove(struct outdir *, const struct former *, struct faults *);

void former_drop(struct former *);
