/* worker: a process that does records one at a time and reports them through a pipe. */
#pragma once

#include "record.h"
#include "store.h"

#include <sys/types.h>

enum { WORKER_QUEUE = 2 }; /* records handed to a worker before it answers: it never waits */

struct worker {
    pid_t pid;    /* 0 when there is none */
    int to, from; /* pipes: record numbers out, reports in */
    size_t queue[WORKER_QUEUE];
    size_t n_queue;
    size_t done; /* records it has reported */
};

/* Fork one, beside the n of `all` (of which it may be one). It puts objects into the store. The
 * caller must have started neither libvips nor a thread. */
bool worker_start(struct worker *, const struct worker *all, size_t n, const struct job *,
                  const struct store *objects);
/* Hand it a record. False when it is gone. */
bool worker_give(struct worker *, size_t record);
/* Read the report of the first record in its queue, which is taken out; its objects are in the
 * store. False when it died; then
 * the record is still the first of its queue. */
bool worker_take(struct worker *, size_t *record, struct report *);
/* Close its pipes and wait for it; its wait status. */
int worker_stop(struct worker *, bool kill_it);
