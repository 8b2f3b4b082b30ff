/* stop_child: end a process that was forked, and wait for it as long as is sensible. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Kill it and wait for its wait status. A process that hangs in a call of the kernel, on a disk or
 * a network that does not answer, ends only when the call does: it is left to the system after a
 * moment. Then false, and `status` is that of a process that was killed. */
bool reap(pid_t pid, int *status);
/* Waits for a process that has closed its pipe, and therefore ends by itself: at most a second.
 * Returns its wait status, or false if it has not ended. */
bool reap_gone(pid_t pid, int *status);
