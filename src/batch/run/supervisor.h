/* supervisor: the state of a run, for supervisor.c and take_reports.c. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/run/progress.h"
#include "batch/run/syncer.h"
#include "batch/run/worker.h"
#include "batch/image/report.h"
#include "batch/run/run_job.h"

#include <signal.h>

struct supervisor {
    const struct job *job;
    struct part_run *part; /* the job is a part of this; NULL: it is a whole job */
    struct worker *workers;
    struct collect collect;
    struct progress_report progress;
    struct syncer syncer;
    int64_t sync_at;   /* ms: time of the next sync */
    uint64_t sync_end; /* end of the journal when the syncer was last asked */
    int64_t seen_at;   /* ms: when the supervisor last read the clock */
    int64_t end_at;    /* ms: deadline after a signal; 0: no signal arrived */
    size_t next;       /* first image in the order of the job that no worker was given */
    size_t given;      /* records in the queues of workers */
    bool stopping;     /* no further images are handed out */
    size_t *retry;     /* records to try once more, before all others */
    size_t n_retries;
    bool *tried;   /* records that have killed a worker once */
    size_t failed; /* with --on-error fail: the first record that failed */
    int failed_exit;
    const char *failed_name;
    struct text failed_why;
    int exit;       /* EXIT_DONE until the run fails */
    sigset_t awake; /* signal mask while waiting */
};

/* Ends the run with an error. `name` is the file that it concerns, or "". */
void supervisor_fail(struct supervisor *, enum outcome, const char *name, const char *why);
/* Ends the run because a process could not be forked; errno has the reason. */
void supervisor_fail_to_start(struct supervisor *);

/* Handles the packed report of a record: stores it in the journal. A record that failed is skipped,
 * or ends the run. */
void supervisor_take(struct supervisor *, size_t record, struct slice packed);
/* Ends the run if more images failed than --max-errors allows; `outcome` is the outcome of the last
 * one. */
void supervisor_check_errors(struct supervisor *, enum outcome);

/* Ends a worker and removes its partly written files. Returns its wait status. */
int supervisor_stop_worker(const struct job *, struct worker *);
/* Replaces a worker that died, or kills and replaces one that timed out. The first record of its
 * queue is the cause: it is tried once more, and fails the second time. The other records are
 * returned to the queue. */
void supervisor_replace_worker(struct supervisor *, struct worker *);
