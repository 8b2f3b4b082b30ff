/* out_files: writes, lists, removes and verifies the files of an output folder. */
#pragma once

#include "batch/output/file_list.h"
#include "batch/output/out_handles.h"

/* Moves a finished file of the scratch to its name in OUT. The list has it as record
 * OUT_FILES_RECORD. */
bool out_dir_publish(struct out_dir *, const char *name);
/* Writes a file completely or not at all. `path` is below OUT, and name_is_possible accepts its
 * parts; missing folders are made. Fails with EEXIST if the name exists. */
bool out_dir_write_file(struct out_dir *, const char *path, size_t record, const void *,
                        size_t length);
/* Makes `path` below OUT a hard or a symbolic link to an image of this size below a folder. Fails
 * with EEXIST if the name exists. */
bool out_dir_link_image(struct out_dir *, const char *path, size_t record, uint64_t size,
                        const char *folder, const char *name, bool symbolic);
/* Puts a file of another OUT into this one under the same name, as a hard link or a copy. Returns
 * false with errno: ESTALE if the file is not the regular file of this line of the other's list. */
bool out_dir_link_or_copy(struct out_dir *, struct out_dir *from, const struct listed_file *,
                          bool link);
/* True if there is a regular file of this name and size; with `hash`, hash_quick of its bytes must
 * be equal too. */
bool out_dir_has_file(struct out_dir *, const char *path, uint64_t size, const uint64_t *hash);
/* Removes a regular file, if there is one. */
void out_dir_remove_file(struct out_dir *, const char *path);
/* Removes the files of a record that are listed at or after offset `mark`. */
void out_dir_remove_outputs(struct out_dir *, size_t record, uint64_t mark);
/* Removes the files of all records, and the folders that become empty, once tars contain them.
 * Returns false with errno. */
bool out_dir_remove_all_outputs(struct out_dir *);
/* Removes the unfinished file of a process that was killed while writing. */
void out_dir_remove_part(struct out_dir *, long process);
/* True if every file of the list exists with the size that was written, and OUT is still the folder
 * at `path`. Otherwise returns false with the reason. */
bool out_dir_verify(struct out_dir *, struct text *why);
