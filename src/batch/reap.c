/* reap: end a process that was forked, and wait for it as long as is sensible. */
#include "reap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* For all that hang together: a run must end soon after a signal, however many they are. Others get
 * longer: on a machine that is busy, ending takes its time, too. */
enum { TRIES = 400, MOST_TRIES = 10000 };
static const struct timespec BETWEEN_TRIES = { .tv_nsec = 1000000 };

/* Is it in a call of the kernel that no signal ends? */
static bool hangs(pid_t pid)
{
    char path[32], line[256];
    const char *name_end;
    FILE *file;
    bool there;

    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    file = fopen(path, "re");
    there = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    name_end = there ? strrchr(line, ')') : NULL;
    return !name_end || name_end[1] != ' ' || name_end[2] == 'D';
}

bool reap(pid_t pid, int *status)
{
    static int tries;
    pid_t ended;

    kill(pid, SIGKILL);
    while ((ended = waitpid(pid, status, WNOHANG)) == 0 &&
           (tries < TRIES || (tries < MOST_TRIES && !hangs(pid)))) {
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
