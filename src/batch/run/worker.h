/* worker: a process that handles records one at a time and reports them through a pipe. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"
#include "batch/io/append_file.h"

#include <sys/types.h>

/* Maximum number of records in the queue of a worker. */
enum { WORKER_QUEUE = 64 };

struct worker {
    pid_t pid;    /* 0: no process */
    int to, from; /* pipes: record numbers to it, reports from it */
    size_t queue[WORKER_QUEUE];
    size_t n_queue;
    size_t done;          /* number of records that it has reported */
    int64_t began;        /* ms: when it started the first record of its queue */
    int64_t pace;         /* us per record, a moving average; 0: unknown */
    bool late;            /* it timed out on that record */
    bool gone;            /* its pipe was closed */
    uint64_t kills;       /* limits_memory_kills() before it started, or KILLED_BY_LOCKSTEP */
    struct text incoming; /* received bytes of reports */
    size_t taken;         /* bytes of `incoming` that worker_next_report has returned */
};

/* Forks a worker. `all` are the n workers, including this one, whose pipes the child closes. The
 * worker is contained and appends objects to the spool `objects`. The caller must have started
 * neither libvips nor a thread. Returns false with errno. */
bool worker_start(struct worker *, const struct worker *all, size_t n, const struct job *,
                  const struct store *objects);
/* Sends n records to the worker, whose queue must have room for them. A worker that has died is
 * noticed later, when its pipe is closed. Returns false with errno if a living worker cannot be
 * written to. */
bool worker_give(struct worker *, const size_t *records, size_t n);
/* Reads the available bytes of reports without blocking. Returns false when the pipe is closed: the
 * worker died, of the first record of its queue if there is one. */
bool worker_receive(struct worker *);
/* Returns the next complete report, and removes its record from the queue; its objects are in the
 * spool. Returns false if there is none. `packed` (see report.h) is valid until the next
 * worker_receive. */
bool worker_next_report(struct worker *, size_t *record, struct slice *packed);
/* Fills the report of the record that a worker died of, from its wait status. */
void worker_report_death(const struct job *, const struct worker *, int status, struct report *);
/* Sends SIGKILL, if the process exists. An idle worker is killed, too, since a signal may have
 * stopped it. */
void worker_kill(const struct worker *);
/* Kills the worker and waits for it (stop_child.h). Returns false if it has not ended yet. */
bool worker_stop(struct worker *, int *status);
