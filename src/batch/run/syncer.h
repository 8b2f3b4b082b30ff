/* syncer: a process that makes what a run has written outlast a crash of the machine, while the
 * run goes on. */
#pragma once

#include "batch/output/out_handles.h"

#include <sys/types.h>

/* All zero: none. */
struct syncer {
    pid_t pid;
    int to, from; /* pipes: requests out, error numbers in */
    bool busy;    /* a request is not answered yet */
};

/* Fork one for a folder that was opened before anything was written to it: errors of writing that
 * the kernel finds later are told to such a descriptor. False with errno. */
bool syncer_start(struct syncer *, struct outdir *);
/* Ask it to synchronise; it must not be busy. */
void syncer_ask(struct syncer *);
/* Read its answer, when `from` is readable. SYNCER_FAILED, with errno: something could not be
 * written. SYNCER_GONE: somebody killed it. */
enum syncer_answer { SYNCER_DONE, SYNCER_FAILED, SYNCER_GONE };
enum syncer_answer syncer_answer(struct syncer *);
/* Kill it, unless there is none. */
void syncer_stop(struct syncer *);
