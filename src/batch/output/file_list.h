/* file_list: the list of the files that a run has put into OUT, as it is kept and read. */
#pragma once

#include "batch/output/out_handles.h"

/* Folders of OUT that a run may write to: those of the formats' labels, too. Ended by NULL. */
extern const char *const out_folders[];
/* Files of OUT itself, and their record in the list. */
enum { N_OUT_FILES = 8 };
#define OUT_FILES_RECORD UINT32_MAX
extern const char *const out_files[N_OUT_FILES];

/* A line of the list, at offset `at`. */
struct written {
    uint64_t at, length, record, size;
    struct slice name; /* ended by the line's end, not by a NUL */
};

/* Start the list. */
bool outdir_start(struct outdir *);
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
/* Returns the length of the list. */
uint64_t outdir_mark(const struct outdir *);
/* Reads the next whole line at or after *at in the list's bytes. Returns false after the last. */
bool written_next(struct slice list, size_t *at, struct written *);
/* True if a list may hold the name: a file of OUT, or a safe name below one of its folders. */
bool written_name_is_safe(const char *name);
/* Adds a line, and gets its offset and length, to cancel it. */
bool outdir_list_add(struct outdir *, const char *path, size_t record, size_t length, uint64_t *at,
                     size_t *line_length);
void outdir_list_cancel(const struct outdir *, uint64_t at, size_t length);
/* Add a stretch of the list to `out`: read, not mapped, since others may be adding to it. */
bool outdir_list_read(const struct outdir *, uint64_t from, uint64_t end, struct text *out);
