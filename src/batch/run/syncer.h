/* syncer: a process that syncs the output files and the journal to disk while the run continues, so
 * that they survive a crash of the machine. */
#pragma once

#include "batch/output/out_handles.h"

#include <sys/types.h>

/* All zero: no process. */
struct syncer {
    pid_t pid;
    int to, from; /* pipes: requests to it, error numbers from it */
    bool busy;    /* a request is not answered yet */
};

/* Forks a syncer for a folder that was opened before anything was written to it. The kernel reports
 * later write errors to such a descriptor. Returns false with errno. */
bool syncer_start(struct syncer *, struct out_dir *);
/* Sends a request to sync; the syncer must not be busy. */
void syncer_ask(struct syncer *);
/* Reads the answer, when `from` is readable. SYNCER_FAILED, with errno: a file could not be
 * written. SYNCER_GONE: the process was killed. */
enum syncer_answer { SYNCER_DONE, SYNCER_FAILED, SYNCER_GONE };
enum syncer_answer syncer_answer(struct syncer *);
/* Kills the process, if there is one. */
void syncer_stop(struct syncer *);
