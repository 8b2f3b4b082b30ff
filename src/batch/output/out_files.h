/* out_files: writes, lists, removes and verifies the files of an output folder. */
#pragma once

#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"

/* Moves a finished file of the scratch to its name in OUT. The list has it as record
 * OUT_FILES_RECORD. */
bool outdir_publish(struct outdir *, const char *name);
/* Writes a file completely or not at all. `path` is below OUT, and name_is_possible accepts its
 * parts; missing folders are made. Fails with EEXIST if the name exists. */
bool outdir_write(struct outdir *, const char *path, size_t record, const void *, size_t length);
/* Puts a file of another OUT into this one under the same name, as a hard link or a copy. Returns
 * false with errno: ESTALE if the file is not the regular file of this line of the other's list. */
bool outdir_take(struct outdir *, struct outdir *from, const struct written *, bool link);
/* True if there is a regular file of this name and size; with `hash`, hash_quick of its bytes must
 * be equal too. */
bool outdir_holds(struct outdir *, const char *path, uint64_t size, const uint64_t *hash);
/* Removes a regular file, if there is one. */
void outdir_remove(struct outdir *, const char *path);
/* Removes the files of a record that are listed at or after offset `mark`. */
void outdir_unwrite(struct outdir *, size_t record, uint64_t mark);
/* Removes the files of all records, and the folders that become empty, once tars contain them.
 * Returns false with errno. */
bool outdir_unwrite_outputs(struct outdir *);
/* Removes the unfinished file of a process that was killed while writing. */
void outdir_unpart(struct outdir *, long process);
/* True if every file of the list exists with the size that was written, and OUT is still the folder
 * at `path`. Otherwise returns false with the reason. */
bool outdir_verify(struct outdir *, struct text *why);
