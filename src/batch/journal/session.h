/* session: the runs that have written to one journal, and how far what it says can be trusted.
 *
 * A process that is killed loses nothing that it wrote; a machine that stops loses what was not yet
 * on the disk. So each run says in the journal on which boot of the machine it was, and marks how
 * far everything was synchronised. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/journal/journal.h"

/* A run begins. False with errno. */
bool session_begin(struct journal *, const struct job *);
/* What stands in the journal up to `end` is on the disk. False with errno. */
bool session_mark(struct journal *, uint64_t end);

/* What the sessions of a journal say. */
struct session_view {
    size_t n;           /* how many there were */
    uint64_t n_records; /* of the dataset, in the last one */
    int64_t began;      /* s since the epoch: when the first one did */
};
struct session_view session_view(struct slice journal);

/* Where the last mark in a journal says that it is on the disk. */
uint64_t session_marked(struct slice journal);

/* Where the part of a journal ends that can be trusted: its good beginning, or after a crash of the
 * machine the last mark in it. `same_boot`: there was no crash since the last session. */
uint64_t session_end(struct slice journal, bool *same_boot);
