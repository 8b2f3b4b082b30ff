/* child: child processes that decode untrusted files, and the reasons for which they end. */
#pragma once

#include "batch/process/sandbox.h"

#include <sys/types.h>

/* Forks a process that ends when its parent ends. The child may allocate `max_memory` bytes (0: as
 * much as the machine has), and is contained by the sandbox unless the sandbox is NULL. Returns the
 * same values as fork(). */
pid_t child_fork(const struct sandbox *, uint64_t max_memory);

/* Appends the reason why a process failed, by its wait status: "WHO died of signal 11 (...)".
 * `kills` is limits_memory_kills() before the process started, or KILLED_BY_LOCKSTEP. `exit` gets
 * the exit code for a command that needs the result. Returns the error code. */
const char *child_explain_death(const char *who, int status, uint64_t kills, int *exit,
                                struct text *why);
/* Appends the reason for a process that was killed because it took longer than `ms`. */
const char *child_explain_timeout(int64_t ms, int *exit, struct text *why);

/* A task for a child process. */
struct child_work {
    const struct sandbox *sandbox; /* or NULL */
    uint64_t max_memory;           /* as for child_fork */
    size_t max_result;             /* bytes that its result may have */
    int64_t ms;                    /* time limit */
    const char *who;               /* name in messages */
    /* Runs in the child. Appends its result and returns EXIT_DONE, or prints the reason of a
     * failure and returns another code. */
    int (*work)(void *context, struct text *result);
    void *context;
};

/* Runs the task in a child. Returns the task's exit code after appending its whole result. If the
 * child fails, returns another code: `why` gets the reason and `code` the error code. Returns when
 * the time limit ends at the latest, whatever the child does. */
int child_run(const struct child_work *, struct text *result, struct text *why, const char **code);
