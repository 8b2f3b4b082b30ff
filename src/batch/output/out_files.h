/* out_files: the files of an output folder: written, listed, taken back and compared with the
 * list. */
#pragma once

#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"

/* Put a finished scratch file into OUT under its own name; in the list it is of record
 * OUT_FILES_RECORD. */
bool outdir_publish(struct outdir *, const char *name);
/* Write a file whole or not at all. `path` is below OUT, by parts that name_is_possible accepts;
 * folders are made on the way. EEXIST when something of this name is there. */
bool outdir_write(struct outdir *, const char *path, size_t record, const void *, size_t length);
/* Puts a file of another OUT into this one under its name: as a second name of the file, or as a
 * copy. Returns false with errno: ESTALE if it is not the regular file of this line of the other's
 * list. */
bool outdir_take(struct outdir *, struct outdir *from, const struct written *, bool link);
/* True if there is a regular file of this name and size; with `hash`, also if that is hash_quick of
 * its bytes. */
bool outdir_holds(struct outdir *, const char *path, uint64_t size, const uint64_t *hash);
/* Remove a regular file, if there is one. */
void outdir_remove(struct outdir *, const char *path);
/* Remove the files that were written for a record, those listed from a mark on. */
void outdir_unwrite(struct outdir *, size_t record, uint64_t mark);
/* Remove the files of all records, and the folders that are empty then, when tars hold
 * their contents. False with errno. */
bool outdir_unwrite_outputs(struct outdir *);
/* Remove what a process that was killed while it wrote has left half written. */
void outdir_unpart(struct outdir *, long process);
/* True if every file of the list is there, with the size that was written, and OUT is still the
 * folder at `path`; otherwise false with the reason. */
bool outdir_verify(struct outdir *, struct text *why);
