/* file_list: the list of the files that a run has put into OUT: OUT/.lockstep/written. */
#pragma once

#include "batch/output/out_handles.h"

/* Folders of OUT that a run of images and labels in folders writes to; ends with NULL. */
extern const char *const out_folders[];
/* Files at the top of OUT, and their record number in the list. */
enum { N_OUT_FILES = 10 };
#define OUT_FILES_RECORD UINT32_MAX
extern const char *const out_files[N_OUT_FILES];
/* True if the name is one of them. */
bool is_out_file(const char *name);

/* Line of the list, at offset `at`. */
struct listed_file {
    uint64_t at, length, record, size;
    struct slice name; /* ends with the line, without a NUL */
};

/* Creates the list. */
bool file_list_start(struct out_dir *);
/* Replaces the list by these lines. The old list stays until the new one is complete. */
bool file_list_replace(struct out_dir *, const struct text *list);
/* Opens the existing list, or creates an empty one. */
bool file_list_reopen(struct out_dir *);
/* Opens the existing list for reading only. */
bool file_list_open_to_read(struct out_dir *);
/* Calls `each` for every line. The list is read in windows, so that its size does not matter.
 * Returns false with errno if the list cannot be read, or if `each` returns false. */
bool file_list_walk(struct out_dir *, bool (*each)(void *context, const struct listed_file *),
                    void *context);
/* Appends the list's bytes to `out`. */
bool file_list_read_all(const struct out_dir *, struct text *out);
/* Returns the length of the list. */
uint64_t file_list_length(const struct out_dir *);
/* Reads the next complete line at or after *at in the list's bytes. Returns false after the last.
 */
bool file_list_next(struct slice list, size_t *at, struct listed_file *);
/* The end of the name of a file that Ultralytics makes beside a folder of labels. It is removed
 * with them. */
#define FILE_LIST_CACHE ".cache"
/* True if a list may contain the name. At the top of OUT, it must be a file of the whole result;
 * below a folder, which is not the scratch, it must be safe. */
bool file_list_name_is_safe(const char *name);
/* Appends a line. *at and *line_length get its offset and length, which file_list_cancel needs.
 */
bool file_list_add(struct out_dir *, const char *path, size_t record, size_t length, uint64_t *at,
                   size_t *line_length);
void file_list_cancel(const struct out_dir *, uint64_t at, size_t length);
/* Appends bytes [from, end) of the list to `out`. They are read, not mapped, since other processes
 * may be appending to the file. */
bool file_list_read(const struct out_dir *, uint64_t from, uint64_t end, struct text *out);
