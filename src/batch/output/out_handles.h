/* out_handles: the folder that a run writes, held open by descriptors.
 *
 * All access to OUT goes through the descriptors of this struct. Names below OUT are walked part by
 * part, without following symbolic links. Functions that return bool set errno when they return
 * false.
 *
 *     OUT/
 *       images/ masks/ labels/ annotations/   outputs of records
 *       manifest.jsonl run.json ...           files of the whole result (out_files in file_list.h)
 *       data-000000.tar ...                   outputs that were packed (tar_names.h)
 *       .lockstep/                            the scratch, from the start of a run to its end
 *         lock                                locked by one run (F_WRLCK) or its shards (F_RDLCK)
 *         written                             the list: "record size name" per file in OUT
 *         journal, objects                    finished records (journal.h) and their objects
 *         PID.part                            a file that process PID is writing
 *         run.json ...                        files of the whole result before they are published
 *         probe/                              names tried on the file system (out_dir_try_name)
 *         new/                                the result that will replace the one in OUT
 *         swap.remove, swap.move              the step of the replacement (replace_result.c)
 *         shards/job                          number of shards and key of the job
 *         shards/I-of-N/                      the scratch of one shard, with a lock of its own
 *
 * Invariants, at any moment at which a process may be killed:
 *
 * 1. A file has its final name only when it is complete. It is written in the scratch and renamed,
 *    or it is a hard link of a complete file. No existing file is overwritten.
 * 2. `written` has the line of a file before the file has its name. So a later run can remove
 *    everything that this run has made. A line may lack its file.
 * 3. `written` only grows. A canceled line becomes zero bytes; written.new replaces the whole list
 *    by a rename.
 * 4. Files of the whole result are published after the outputs of all records are complete.
 * 5. A removal deletes `written`, swap.remove and the manifest only after the files that they alone
 *    list, so that an interrupted removal can be repeated.
 * 6. While `new` exists without swap.remove and swap.move, the earlier result in OUT is unchanged,
 *    and `written` and `journal` describe `new`.
 * 7. swap.remove: the result in `new` is complete, and the earlier files, which swap.remove lists,
 *    are being removed. It is renamed to swap.move when they are gone.
 * 8. swap.move: each file of `written` is either in `new` or at its name in OUT.
 * 9. A lock counts only on the file that is OUT/.lockstep/lock now. The lock and the scratch are
 *    removed last.
 * 10. A shard is complete if its scratch has the file "part" (shard_result.h). */
#pragma once

#include "base/text.h"
#include "batch/io/append_file.h"

#include <stdio.h>

/* Names in OUT. */
#define OUT_IMAGES "images"
#define OUT_MASKS "masks"
#define OUT_SCRATCH ".lockstep"
/* Name in the scratch: the folder with a job file and one scratch per shard. */
#define OUT_SHARDS "shards"

/* Folder below OUT that was used recently. */
struct out_dir_folder {
    struct text path;
    int file; /* its descriptor + 1; 0: none */
};

/* Handles of an output folder. All zero means closed. Forked processes inherit the handles, and
 * hold the lock with them. */
struct out_dir {
    const char *path;          /* as the user wrote it */
    int folder, scratch, lock; /* descriptors + 1 */
    int apart;                 /* of OUT/.lockstep/new while the result is built there; or 0 */
    struct store written;      /* the list: one line per file */
    struct out_dir_folder recent[3]; /* a run alternates between images, masks and labels */
    size_t made;                     /* length of the part of `path` that existed before */
    bool is_new;                     /* this run made OUT */
    int shard_lock;                  /* descriptor + 1 of the shard's own lock; or 0 */
};

/* Releases the lock and closes all handles; the contents of OUT stay. */
void out_dir_close(struct out_dir *);
/* True if the scratch has an entry of this name. */
bool out_dir_has_scratch_file(const struct out_dir *, const char *name);
/* Returns the name in the scratch of a file of OUT, which may be in a folder; `flat` holds it. */
const char *scratch_name(const char *name, struct text *flat);
/* Opens an existing file of the scratch for reading and writing. Returns -1 with errno. */
int out_dir_open_scratch_file(struct out_dir *, const char *name);
/* Creates a file in the scratch for reading and writing. Returns -1 with errno. */
int out_dir_create_scratch_file(struct out_dir *, const char *name);
/* Returns the descriptor of the folder of a path below OUT, and points *base at the path's last
 * part. `make`: missing folders are made. The descriptor stays owned by outdir. Returns -1 with
 * errno. */
int out_dir_find_parent(struct out_dir *, const char *path, bool make, const char **base);
/* Closes the cached folders, since folders may have been moved or removed. */
void out_dir_forget_folders(struct out_dir *);
/* Opens a regular file in a folder; `access` is O_RDONLY or O_RDWR. Returns -1 with errno. */
int open_regular_at(int folder, const char *name, int access);
/* Opens a regular file in a folder as a stream for reading. Returns NULL with errno. */
FILE *open_stream_at(int folder, const char *name);
/* Appends all bytes of a regular file in a folder. Returns false with errno. */
bool read_regular_at(int folder, const char *name, struct text *out);
/* Closes a descriptor that is stored + 1, unless it is 0; sets it to 0. */
void close_stored_descriptor(int *file);

/* Creates an empty file and its folders in the scratch, to find out which names the file system
 * distinguishes. Fails with EEXIST or ENOTDIR if the file system takes the name for another that
 * was tried before. out_dir_end_tries removes all of them. */
bool out_dir_try_name(struct out_dir *, const char *path);
bool out_dir_end_tries(struct out_dir *);
