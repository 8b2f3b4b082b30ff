/* supervisor: the run as its parts see it, for supervisor*.c. */
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
    struct part_run *part; /* the job is a part of this; NULL: it is the whole */
    struct worker *workers;
    struct collect collect;
    struct progress_report progress;
    struct syncer syncer;
    int64_t sync_at;   /* ms: when to synchronise next */
    uint64_t sync_end; /* of the journal, when the syncer was asked */
    int64_t seen_at;   /* ms: when it last looked at the clock */
    int64_t end_at;    /* ms: when a signal ends the run at the latest; 0: none came */
    size_t next;       /* record that nobody was given yet */
    size_t given;      /* records that are with workers */
    bool stopping;     /* nobody is given any more */
    size_t *again;     /* records to be tried once more, alone ahead of others */
    size_t n_again;
    bool *tried;   /* records that have killed a worker once */
    size_t failed; /* with --on-error fail: the first image that did */
    int failed_exit;
    const char *failed_name;
    struct text failed_why;
    int exit;       /* EXIT_DONE while all is well */
    sigset_t awake; /* the signals' mask while it waits */
};

/* The run ends: `name` is what it failed of, or "". */
void supervisor_fail(struct supervisor *, enum outcome, const char *name, const char *why);
/* It ends because a process could not be forked; errno says why. */
void supervisor_fail_to_start(struct supervisor *);

/* Keep the packed report of a record; one that failed is skipped, or the run ends with it. */
void supervisor_take(struct supervisor *, size_t record, struct slice packed);
/* End the run where more images have failed than the user allows; `outcome` is that of the last. */
void supervisor_check_errors(struct supervisor *, enum outcome);

/* End a worker, with what it left half written removed; its wait status. */
int supervisor_stop_worker(const struct job *, struct worker *);
/* Replace a worker that died, or that is killed as too late. The first record of its queue has
 * killed it: tried once more, then given up. The others had no part in it. */
void supervisor_replace_worker(struct supervisor *, struct worker *);
