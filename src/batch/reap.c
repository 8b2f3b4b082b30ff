/* reap: end a process that was forked, and wait for it as long as is sensible. */
#include "reap.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* For all that hang together: a run must end soon after a signal, however many they are. */
enum { TRIES = 400 };
static const struct timespec BETWEEN_TRIES = { .tv_nsec = 1000000 };

bool reap(pid_t pid, int *status)
{
    static int tries;
    pid_t ended;

    kill(pid, SIGKILL);
    while ((ended = waitpid(pid, status, WNOHANG)) == 0 && tries < TRIES) {
        nanosleep(&BETWEEN_TRIES, NULL);
        tries++;
    }
    if (ended == pid) {
        tries = 0;
        return true;
    }
    *status = SIGKILL;
    return false;
}
