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
    size_t done;          /* records it has reported */
    int64_t began;        /* ms: when it had the first record of its queue */
    bool late;            /* it took too long for that one */
    struct text incoming; /* what has come of its next report */
};

/* Fork one, beside the n of `all` (of which it may be one). It puts objects into the store, and
 * is contained. The caller must have started neither libvips nor a thread. */
bool worker_start(struct worker *, const struct worker *all, size_t n, const struct job *,
                  const struct store *objects);
/* Hand it a record. That it is gone is noticed when its pipe ends. False, with errno, when it is
 * there, but cannot be told. */
bool worker_give(struct worker *, size_t record);
/* Read what has come of the report of the first record in its queue; never waits. With
 * RECEIVED_REPORT all of it is there, the record is out of the queue and its objects are in the
 * store; `packed` (see report.h) is valid until the next call. RECEIVED_END: it died, and the
 * record is still the first of its queue. */
enum received { RECEIVED_PART, RECEIVED_REPORT, RECEIVED_END };
enum received worker_receive(struct worker *, size_t *record, struct slice *packed);
/* Report the record that a worker died of: with which status, or that it was killed as too `late`.
 */
void worker_report_death(const struct job *, int status, bool late, struct report *);
/* Send it SIGKILL, if there is one, which changes nothing for one that has died. One that has
 * nothing to do is killed, too: it may have been stopped by a signal. */
void worker_kill(const struct worker *);
/* Kill it and wait for it (reap.h): its wait status. False when it has not ended yet. */
bool worker_stop(struct worker *, int *status);
