/* worker: a process that does records one at a time and reports them through a pipe. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"
#include "batch/io/append_file.h"

#include <sys/types.h>

/* The most records that a worker is handed before it answers: it never waits. */
enum { WORKER_QUEUE = 64 };

struct worker {
    pid_t pid;    /* 0 when there is none */
    int to, from; /* pipes: record numbers out, reports in */
    size_t queue[WORKER_QUEUE];
    size_t n_queue;
    size_t done;          /* records it has reported */
    int64_t began;        /* ms: when it had the first record of its queue */
    int64_t pace;         /* us that it takes for a record, as of late; 0: not known */
    bool late;            /* it took too long for that one */
    bool gone;            /* its pipe has ended */
    uint64_t kills;       /* limits_memory_kills() before it started, or KILLED_BY_LOCKSTEP */
    struct text incoming; /* what has come of reports */
    size_t taken;         /* bytes of it that worker_next_report has given */
};

/* Fork one, beside the n of `all` (of which it may be one). It puts objects into the store, and
 * is contained. The caller must have started neither libvips nor a thread. */
bool worker_start(struct worker *, const struct worker *all, size_t n, const struct job *,
                  const struct store *objects);
/* Hand it n records, which its queue has room for. That it is gone is noticed when its pipe ends.
 * False, with errno, when it is there, but cannot be told. */
bool worker_give(struct worker *, const size_t *records, size_t n);
/* Read what has come of its reports; never waits. False at their end: it died, of the first record
 * of its queue if there is one. */
bool worker_receive(struct worker *);
/* The report of the first record of its queue, if all of it has come: then the record is out of the
 * queue, and its objects are in the store. `packed` (see report.h) is valid until the next
 * worker_receive. */
bool worker_next_report(struct worker *, size_t *record, struct slice *packed);
/* Reports the record that a worker died of, by its wait status. */
void worker_report_death(const struct job *, const struct worker *, int status, struct report *);
/* Send it SIGKILL, if there is one, which changes nothing for one that has died. One that has
 * nothing to do is killed, too: it may have been stopped by a signal. */
void worker_kill(const struct worker *);
/* Kill it and wait for it (stop_child.h): its wait status. False when it has not ended yet. */
bool worker_stop(struct worker *, int *status);
