/* session: the runs that have written to one journal, and how much of the journal can be trusted.
 *
 * A killed process loses nothing that it has written. A machine that crashes loses what was not yet
 * on the disk. So each run records the boot of the machine, and marks how far everything was
 * synchronized. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/journal/journal.h"

/* Records the start of a run. Returns false with errno. */
bool session_begin(struct journal *, const struct job *);
/* Records that the journal up to `end`, and all files that it reports, are on the disk. Returns
 * false with errno. */
bool session_mark(struct journal *, uint64_t end);

/* Summary of the sessions of a journal. */
struct session_view {
    size_t n;           /* number of sessions */
    uint64_t n_records; /* of the dataset, in the last session */
    int64_t began;      /* start of the first session, in seconds since the epoch */
};
struct session_view session_view(struct slice journal);

/* Returns the offset up to which the last mark says that the journal is on the disk. */
uint64_t session_marked(struct slice journal);

/* Returns the end of the part of a journal that can be trusted. This is the end of its valid
 * prefix, or the last mark if the machine crashed since then. `same_boot`: the machine has not
 * rebooted since the last session. */
uint64_t session_end(struct slice journal, bool *same_boot);
