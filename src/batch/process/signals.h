/* signals: requests that the user or the system sends to a run by signals. Signals are delivered
 * only during the run's waits (ppoll with `awake`), until signals_unblock. So no signal can arrive
 * between a check of these functions and the next wait. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Starts catching signals; `awake` gets the signal mask for ppoll. */
void signals_catch(sigset_t *awake);
/* Allows delivery at any time from now on, while results are merged. The caller polls signals_end;
 * a second signal ends the process at once. */
void signals_unblock(const sigset_t *awake);
/* Returns the last signal of SIGINT, SIGTERM and SIGHUP that arrived; 0: none. */
int signals_end(void);
/* True if two or more of these signals arrived. */
bool signals_has_repeat(void);
/* True if SIGUSR1 requested a line of progress since the last call. */
bool signals_progress(void);
