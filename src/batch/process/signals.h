/* signals: what the user or the system asks of a run by signals. They come only while the run waits
 * (ppoll with `awake`), until signals_let: none can come between a look at them and the wait. */
#pragma once

#include <signal.h>
#include <stdbool.h>

/* Catch them; `awake` is the mask to wait with. */
void signals_catch(sigset_t *awake);
/* Let them come at any time from now on, while results are put together: signals_end is to be asked
 * now and then, and the second one ends the process. */
void signals_let(const sigset_t *awake);
/* The last one of SIGINT, SIGTERM and SIGHUP; 0: none has come. */
int signals_end(void);
/* Has more than one of them come? */
bool signals_again(void);
/* Was a line of progress asked for, by SIGUSR1, since it was last told? */
bool signals_progress(void);
