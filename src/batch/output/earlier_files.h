/* earlier_files: the files that earlier runs left in the output folder, and their removal. Nothing
 * else in the folder is ever removed. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

/* Names of files below OUT, sorted. All zero means none. */
struct earlier_files {
    struct arena arena;
    const char **names;
    size_t n;
    bool linked; /* images may be symbolic links that the run made */
    bool viewed; /* OUT is only read: faults of earlier_files_read give no advice about writing */
};

/* True if OUT has a file, folder or other entry of this name. */
bool out_dir_has_entry(struct out_dir *, const char *name);

/* Reads the names of the files that earlier runs list as their own. The last run's are in run.json
 * and the manifest. Those of a run that did not end are in its list, unless it built its result in
 * OUT/.lockstep/new. Returns EXIT_DONE. If the names cannot be read, or if a run cannot have
 * written one of them, returns the exit code with a fault added. */
int earlier_files_read(struct out_dir *, struct earlier_files *, struct faults *);

/* Reads a file of the scratch that lists files of earlier runs. Returns false with errno. */
bool earlier_files_read_list(struct out_dir *, struct earlier_files *, const char *name);
/* True if an entry may be removed: a file, or a link if the run made links. */
struct stat;
bool earlier_files_may_remove(const struct earlier_files *, const struct stat *);
/* True if the list has this name. */
bool earlier_files_contain(const struct earlier_files *, const char *name);

/* Adds a fault for each file that this job would overwrite and that is not in the list. Returns
 * EXIT_DONE if there are none. */
int earlier_files_check_job(struct out_dir *, const struct earlier_files *, const struct job *,
                            struct faults *);

/* Checks that the folders of the listed files are writable, so that the files can be removed.
 * Returns EXIT_DONE, or the exit code with a fault added. */
int earlier_files_check_folders(struct out_dir *, const struct earlier_files *, struct faults *);

/* Removes the folders above a file that was removed, as far as they are empty. */
void out_dir_remove_empty_parents(struct out_dir *, const char *name);
/* Removes the listed files and the folders that become empty. Returns EXIT_DONE, or the exit code
 * with a fault added. */
int earlier_files_remove(struct out_dir *, const struct earlier_files *, struct faults *);
/* Removes the listed files, the folders that become empty, and the contents of the scratch except
 * its lock. An interrupted removal can be repeated. Returns EXIT_DONE, or the exit code with a
 * fault added. */
int earlier_files_remove_all(struct out_dir *, const struct earlier_files *, struct faults *);

void earlier_files_drop(struct earlier_files *);
