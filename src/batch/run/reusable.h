/* reusable: results of a stopped run that are still valid and need not be made again. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/dataset/name_index.h"
#include "batch/image/report.h"

/* Set by resume.c; the members that it does not set are zero. */
struct reusable {
    struct collect *collect;
    const struct job *job;
    struct slice journal;
    struct name_index names; /* finds images whose index has changed */
    bool same_annotations, same_names, same_boot;
    uint64_t end; /* end of the part of the journal that is known to be on disk */
    struct slice objects;
    uint64_t *files; /* sorted hashes of the names of files that are kept */
    size_t n_files, room_files;
    uint64_t *compared; /* per record: result of comparing its bytes, see reusable.c; NULL: none
                           compared */
    size_t n_compared,
        n_changed;    /* records whose bytes were compared; and how many of them differ */
    struct text list; /* the files that are kept, in the format of the file list */
};

/* Finds the last journal entry of each image, reading the journal from offset `at`. */
void reusable_read(struct reusable *, uint64_t at);
/* True if the inputs of a record are unchanged, including borrowed images. */
bool reusable_has_same_sources(struct reusable *, size_t record, const struct report_view *);
/* True if the record would be done, or fail, in the same way again. Does not check its output
 * files. */
bool reusable_has_same_outcome(struct reusable *, size_t record, const struct report_view *);
/* Counts valid entries, and voids the others in the journal. Returns false with errno: an entry
 * must be voided in the journal before its files are removed. */
bool reusable_drop_stale(struct reusable *);
/* True if the file belongs to a valid entry. */
bool reusable_has_file(const struct reusable *, const char *name);
void reusable_drop(struct reusable *);
