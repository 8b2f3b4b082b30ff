/* stop_child: kills a child process, and waits for its end for a limited time. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Kills a process and waits for its wait status. A process that hangs in a system call, on a disk
 * or network that does not answer, ends only after the call. After a while such a process is left
 * to the system. Then returns false, with the status of a killed process. */
bool stop_child(pid_t pid, int *status);
/* Waits up to a second for a process that closed its pipe and therefore ends by itself. Returns
 * true with its wait status, or false if it has not ended. */
bool wait_for_child(pid_t pid, int *status);
