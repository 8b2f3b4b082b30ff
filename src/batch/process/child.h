/* child: processes that decode files of strangers, and how they end. */
#pragma once

#include "batch/process/sandbox.h"

#include <sys/types.h>

/* Fork a process that ends when this one does, may take `max_memory` bytes of its own (0: as much
 * as there is), and is contained by the sandbox unless that is NULL. Returns as fork does. */
pid_t contained_fork(const struct sandbox *, uint64_t max_memory);

/* Appends why a process did not do its work, by its wait status: "WHO died of signal 11 (...)".
 * `kills` is limits_memory_kills() before the process started, or KILLED_BY_LOCKSTEP. Returns its
 * error code, and the exit code of a command that cannot do without. */
const char *contained_death(const char *who, int status, uint64_t kills, int *exit,
                            struct text *why);
/* The same of one that was killed since it took longer than this. */
const char *contained_late(int64_t ms, int *exit, struct text *why);

/* What a process of its own is to do. */
struct contained_work {
    const struct sandbox *sandbox; /* or NULL */
    uint64_t max_memory;           /* as above */
    size_t most;                   /* bytes of its result */
    int64_t ms;                    /* that it may take */
    const char *who;               /* what messages call it */
    /* Appends its result, and returns EXIT_DONE; or another code after it has printed why. */
    int (*work)(void *context, struct text *result);
    void *context;
};

/* Do that. The code of the work, with its whole result appended; or another one, with the reason in
 * `why` and its error code in `code`. Whatever the process does, this returns: at the
 * latest when its time is over. */
int contained_do(const struct contained_work *, struct text *result, struct text *why,
                 const char **code);
