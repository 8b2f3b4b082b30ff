/* out_handles: the folder that a run writes, held open by descriptors.
 *
 * All access to OUT goes through the descriptors of this struct. Names below it are walked one part
 * at a time and no symbolic link is followed; files are new files, and no file that is there is
 * written over. OUT/.lockstep holds the lock, what is half done, and a list of every file that the
 * run has put into OUT: what a later run may remove. A result that replaces another one is built
 * apart, in OUT/.lockstep/new, until it is complete (replace_result.h). Functions that return bool
 * set errno when they return false. */
#pragma once

#include "base/text.h"
#include "batch/io/append_file.h"

#include <stdio.h>

/* Names inside OUT. */
#define OUT_IMAGES "images"
#define OUT_MASKS "masks"
#define OUT_SCRATCH ".lockstep"
/* In the scratch: what a job in parts is, and a folder for each shard: its own scratch. */
#define OUT_SHARDS "shards"

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

/* The lock is given back; what is in OUT stays. */
void outdir_close(struct outdir *);
/* True if the scratch has an entry of this name. */
bool outdir_scratch_has(const struct outdir *, const char *name);
/* An existing file in the scratch, open for reading and writing; -1 with errno. */
int outdir_scratch_open(struct outdir *, const char *name);
/* A new file in the scratch, open for reading and writing; -1 with errno. */
int outdir_scratch(struct outdir *, const char *name);
/* Folder and last part of a path below OUT: the folder's descriptor, which stays outdir's, or -1.
 */
int outdir_parent(struct outdir *, const char *path, bool make, const char **base);
/* The next outdir_parent walks again: folders may have been moved or removed. */
void outdir_forget(struct outdir *);
/* Open a regular file in a folder, O_RDONLY or O_RDWR; -1 with errno. */
int open_regular_at(int folder, const char *name, int access);
/* The same as a stream that reads it; NULL with errno. */
FILE *open_stream_at(int folder, const char *name);
/* Appends all bytes of a regular file in a folder. Returns false with errno. */
bool read_regular_at(int folder, const char *name, struct text *out);
/* Close a descriptor that is kept as one more, if it is there. */
void outdir_close_one(int *file);

/* Make an empty file, with its folders, where only the file system matters: in the scratch. EEXIST
 * or ENOTDIR where it is another that was tried before. outdir_try_end forgets them all. */
bool outdir_try(struct outdir *, const char *path);
bool outdir_try_end(struct outdir *);
