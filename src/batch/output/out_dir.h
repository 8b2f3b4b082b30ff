/* out_dir: the folder that a run writes, locked and held by descriptors.
 *
 * All access to OUT goes through here. Names below it are walked one part at a time and no symbolic
 * link is followed; files are new files, and no file that is there is written over. OUT/.lockstep
 * holds the lock, what is half done, and a list of every file that the run has put into OUT: what a
 * later run may remove. A result that replaces another one is built apart, in OUT/.lockstep/new,
 * until it is complete (replace_result.h). Functions that return bool set errno when they return
 * false. */
#pragma once

#include "base/fault.h"
#include "batch/dataset/shard_spec.h"
#include "batch/io/append_file.h"

#include <stdio.h>

/* Names inside OUT. */
#define OUT_IMAGES "images"
#define OUT_MASKS "masks"
#define OUT_SCRATCH ".lockstep"
/* In the scratch: what a job in parts is, and a folder for each shard: its own scratch. */
#define OUT_SHARDS "shards"

/* Folders of OUT that a run may write to: those of the formats' labels, too. Ended by NULL. */
extern const char *const out_folders[];

struct written;

/* Files that stand in OUT itself. */
enum { N_OUT_FILES = 8 };
#define OUT_FILES_RECORD UINT32_MAX
extern const char *const out_files[N_OUT_FILES];

/* A folder below OUT that was used lately. */
struct outdir_folder {
    struct text path;
    int file; /* one more than its descriptor; 0: none */
};

/* All zero: closed. Processes that are forked have it too, and hold the lock with it. */
struct outdir {
    const char *path;               /* as the user says it */
    int folder, scratch, lock;      /* one more than each descriptor */
    int apart;                      /* the same of OUT/.lockstep/new while it is built in; or 0 */
    struct store written;           /* the list: a line for each file */
    struct outdir_folder recent[3]; /* images, masks and labels come in turns */
    size_t made;                    /* length of the part of `path` that was there before */
    bool is_new;                    /* OUT was made by this run */
    int shard_lock;                 /* one more than the descriptor of a shard's own; or 0 */
};

/* May a run write to the folder? Nothing is changed. With `overwrite`, what an earlier run left may
 * be in it. EXIT_DONE, or the exit code with a fault added. */
int outdir_inspect(const char *path, bool overwrite, bool dry_run, struct faults *);

/* Make the folder and take its lock, for as long as it is open. The same is asked again under the
 * lock. EXIT_DONE, or the exit code with a fault added; then nothing is open and nothing was made.
 */
int outdir_open(struct outdir *, const char *path, bool overwrite, struct faults *);
/* The same for one shard of a job, whose scratch is its own: several may write to one OUT at once,
 * and no run that is not in parts. What is there must be shards of a job in as many parts. */
int outdir_open_shard(struct outdir *, const char *path, const struct shard *, struct faults *);
/* Into how many parts is the job whose shards OUT has? `key` (of run_key.h) is added to. False,
 * with errno, when it has none, or does not say. */
bool outdir_shards(const struct outdir *, size_t *count, struct text *key);
/* The key of the first shard that asks is that of the job. False with errno when it cannot be
 * written. */
bool outdir_start_shards(struct outdir *, size_t count, struct slice key);
/* Of one that is only looked at: its scratch is that of the shard from now on. False with errno. */
bool outdir_view_shard(struct outdir *, const struct shard *);
/* Call `each` for the scratch of every shard that was started, in no order; `scratch` is closed
 * afterwards. False with errno when they cannot be listed, and when `each` says so. */
bool outdir_walk_shards(const struct outdir *,
                        bool (*each)(void *context, const struct shard *, int scratch),
                        void *context);
/* Is somebody doing it? */
bool outdir_shard_is_locked(const struct outdir *);
/* Open a folder to look at it only: nothing is made or locked, and `scratch` is 0 if there is none.
 * False with errno. */
bool outdir_view(struct outdir *, const char *path);
/* Is a run writing to it? */
bool outdir_is_locked(const struct outdir *);
/* Of one that is only looked at: take its lock, so that no run changes it meanwhile. False when a
 * run has it, or there is none to take. */
bool outdir_hold(struct outdir *);
/* Is there nothing in it? */
bool outdir_is_empty(const struct outdir *);
/* The lock is given back; what is in OUT stays. */
void outdir_close(struct outdir *);
/* Close it before anything was written, and remove what outdir_open has made. */
void outdir_abandon(struct outdir *);
/* Remove the scratch and close it: the run is done. False with errno when it could not be removed:
 * what is in OUT is complete all the same. */
bool outdir_finish(struct outdir *);

/* Write everything on the file system of OUT to its disk. False with errno, also for what could not
 * be written earlier. */
bool outdir_sync(struct outdir *);
/* In a process that was forked and may live longer: hold the lock no more. */
void outdir_unlock(struct outdir *);

/* Is there a result in the scratch that is built apart? */
bool outdir_has_apart(const struct outdir *);
/* From now on, paths below OUT mean paths below OUT/.lockstep/new, which is made if need be; until
 * outdir_leave_apart. */
bool outdir_go_apart(struct outdir *);
void outdir_leave_apart(struct outdir *);

/* Remove what is in the scratch but for the lock. */
bool outdir_clear(struct outdir *);
/* Start the list. */
bool outdir_start(struct outdir *);

/* Remove what is in the scratch but for the lock, the list, the journal, the object spool and what
 * is built apart. */
bool outdir_tidy(struct outdir *);
/* Replace the list by these lines. */
bool outdir_restart(struct outdir *, const struct text *list);
/* Open the list that is there, empty if there is none. */
bool outdir_reopen(struct outdir *);
/* Open the list that is there to read it. */
bool outdir_look(struct outdir *);
/* Call `each` for its lines, which are read a stretch at a time. False with errno when they cannot
 * be read, and when `each` says so. */
bool outdir_walk_list(struct outdir *, bool (*each)(void *context, const struct written *),
                      void *context);
/* Add the list's bytes to `out`. */
bool outdir_list(const struct outdir *, struct text *out);

/* Is there anything of this name in the scratch? */
bool outdir_scratch_has(const struct outdir *, const char *name);
/* An existing file in the scratch, open for reading and writing; -1 with errno. */
int outdir_scratch_open(struct outdir *, const char *name);
/* A new file in the scratch, open for reading and writing; -1 with errno. */
int outdir_scratch(struct outdir *, const char *name);
/* Put a finished scratch file into OUT under its own name; in the list it is of record
 * OUT_FILES_RECORD. */
bool outdir_publish(struct outdir *, const char *name);

/* Write a file whole or not at all. `path` is below OUT, by parts that name_is_possible accepts;
 * folders are made on the way. EEXIST when something of this name is there. */
bool outdir_write(struct outdir *, const char *path, size_t record, const void *, size_t length);
/* The same of a file that is in another OUT under this name: it becomes one file of two names, or
 * is copied. ESTALE when it is not the regular file of this line of the other's list. */
bool outdir_take(struct outdir *, struct outdir *from, const struct written *, bool link);
/* Is there a regular file of this name and size? With `hash`, is it hash_quick of its bytes? */
bool outdir_holds(struct outdir *, const char *path, uint64_t size, const uint64_t *hash);
/* Remove a regular file, if there is one. */
void outdir_remove(struct outdir *, const char *path);
/* Where the list ends now. */
uint64_t outdir_mark(const struct outdir *);
/* Remove the files that were written for a record, those listed from a mark on. */
void outdir_unwrite(struct outdir *, size_t record, uint64_t mark);
/* Remove the files of all records, and the folders that are empty then: what they hold stands
 * elsewhere. False with errno. */
bool outdir_unwrite_outputs(struct outdir *);
/* Remove what a process that was killed while it wrote has left half written. */
void outdir_unpart(struct outdir *, long process);

/* Remove folders that are empty, below those that runs write to: shards leave them, since others
 * may be about to write there. False with errno. */
bool outdir_prune(struct outdir *);
/* Remove the scratch of a shard. A removal that is interrupted leaves `last` until all else is
 * gone. False with errno. */
bool outdir_remove_shard(struct outdir *, const struct shard *, const char *last);

/* Is every file of the list there, with the size written, and OUT still the folder at `path`?
 * False with the reason. */
bool outdir_verify(struct outdir *, struct text *why);

/* Make an empty file, with its folders, where only the file system matters: in the scratch. EEXIST
 * or ENOTDIR where it is another that was tried before. outdir_try_end forgets them all. */
bool outdir_try(struct outdir *, const char *path);
bool outdir_try_end(struct outdir *);

/* --- for those who look at what an earlier run left --- */

/* Folder and last part of a path below OUT: the folder's descriptor, which stays outdir's, or -1.
 */
int outdir_parent(struct outdir *, const char *path, bool make, const char **base);
/* The next outdir_parent walks again: folders may have been moved or removed. */
void outdir_forget(struct outdir *);
/* Open a regular file in a folder, O_RDONLY or O_RDWR; -1 with errno. */
int open_regular_at(int folder, const char *name, int access);

/* A line of the list; `at` is where it stands. */
struct written {
    uint64_t at, length, record, size;
    struct slice name; /* ended by the line's end, not by a NUL */
};
/* The next whole line from *at on in the list's bytes. False behind the last. */
bool written_next(struct slice list, size_t *at, struct written *);
/* Is it a name that a list may hold: a file of OUT, or a safe name below one of its folders? */
bool written_name_is_safe(const char *name);

/* --- for outdir*.c --- */

/* Close a descriptor that is kept as one more, if it is there. */
void outdir_close_one(int *file);
/* Make OUT and its scratch and take its lock: F_WRLCK for a run, F_RDLCK for a shard. False with
 * errno: EAGAIN when another has it. */
bool outdir_take_lock(struct outdir *, short type);
/* Has a process the lock of this name in the folder? */
bool outdir_lock_is_held(int folder, const char *name);
/* Is there nothing in the folder (`name` below another one) but these, whose list NULL ends? 0 or
 * 1; -1 with errno when it cannot be read. */
int outdir_holds_only(int folder, const char *name, const char *const *but);
/* Remove what is in the folder but these. False with errno. */
bool outdir_empty(int folder, const char *name, const char *const *but);
/* Refuse OUT for what stands in it. `own`: this process has its lock. */
int outdir_refuse_occupied(const char *path, int folder, bool own, struct faults *);

/* Add a line; where it stands, to cancel it. */
bool outdir_list_add(struct outdir *, const char *path, size_t record, size_t length, uint64_t *at,
                     size_t *line_length);
void outdir_list_cancel(const struct outdir *, uint64_t at, size_t length);
/* Add a stretch of the list to `out`: read, not mapped, since others may be adding to it. */
bool outdir_list_read(const struct outdir *, uint64_t from, uint64_t end, struct text *out);
