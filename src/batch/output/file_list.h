/* file_list: the list of the files that a run has put into OUT: OUT/.lockstep/written. */
#pragma once

#include "batch/output/out_handles.h"

/* Folders of OUT that a run may write to, including those of the label formats; ends with NULL. */
extern const char *const out_folders[];
/* Files at the top of OUT, and their record number in the list. */
enum { N_OUT_FILES = 8 };
#define OUT_FILES_RECORD UINT32_MAX
extern const char *const out_files[N_OUT_FILES];

/* Line of the list, at offset `at`. */
struct written {
    uint64_t at, length, record, size;
    struct slice name; /* ends with the line, without a NUL */
};

/* Creates the list. */
bool outdir_start(struct outdir *);
/* Replaces the list by these lines. The old list stays until the new one is complete. */
bool outdir_restart(struct outdir *, const struct text *list);
/* Opens the existing list, or creates an empty one. */
bool outdir_reopen(struct outdir *);
/* Opens the existing list for reading only. */
bool outdir_look(struct outdir *);
/* Calls `each` for every line. The list is read in windows, so that its size does not matter.
 * Returns false with errno if the list cannot be read, or if `each` returns false. */
bool outdir_walk_list(struct outdir *, bool (*each)(void *context, const struct written *),
                      void *context);
/* Appends the list's bytes to `out`. */
bool outdir_list(const struct outdir *, struct text *out);
/* Returns the length of the list. */
uint64_t outdir_mark(const struct outdir *);
/* Reads the next complete line at or after *at in the list's bytes. Returns false after the last.
 */
bool written_next(struct slice list, size_t *at, struct written *);
/* True if a list may contain the name: a file at the top of OUT, or a safe name below one of its
 * folders. */
bool written_name_is_safe(const char *name);
/* Appends a line. *at and *line_length get its offset and length, which outdir_list_cancel needs.
 */
bool outdir_list_add(struct outdir *, const char *path, size_t record, size_t length, uint64_t *at,
                     size_t *line_length);
void outdir_list_cancel(const struct outdir *, uint64_t at, size_t length);
/* Appends bytes [from, end) of the list to `out`. They are read, not mapped, since other processes
 * may be appending to the file. */
bool outdir_list_read(const struct outdir *, uint64_t from, uint64_t end, struct text *out);
