/* reusable: what of a run that was stopped is as it was, and need not be done again. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/dataset/name_index.h"
#include "batch/image/report.h"

/* All zero but for what resume.c says of the run. */
struct kept {
    struct collect *collect;
    const struct job *job;
    struct slice journal;
    struct name_index names; /* for those that are not where they were */
    bool same_annotations, same_names, same_boot;
    uint64_t end; /* of what the journal vouches for */
    struct slice objects;
    uint64_t *files; /* hashes of the names of files that are kept, sorted */
    size_t n_files, room_files;
    uint64_t *compared; /* of each record whose bytes had to be compared: see reusable.c */
    size_t n_compared, n_changed; /* those, and those with other bytes */
    struct text list;             /* of those files, as outdir keeps it */
};

/* Find the entry of each image that the journal has from `at` on: its last one counts. */
void kept_read(struct kept *, uint64_t at);
/* Is all that a record was made of as it was? */
bool kept_has_sources(struct kept *, size_t record, const struct report_view *);
/* Would the record be done, or fail, in the same way again? Its files are not looked at. */
bool kept_holds(struct kept *, size_t record, const struct report_view *);
/* Count the entries that hold, and void the others. False with errno: that an entry holds no more
 * must stand in the journal before its files go. */
bool kept_sift(struct kept *);
/* Is the file of an entry that holds? */
bool kept_has(const struct kept *, const char *name);
void kept_drop(struct kept *);
