/* stop_child: kills a child process, and waits for its end for a limited time. */
#include "batch/process/stop_child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* Limits for all processes that hang, together, since a run must end soon after a signal, however
 * many processes it has. Other processes get longer: on a busy machine they end slowly, and they
 * may wait for the disk briefly. A process counts as hanging only after HUNG checks in a row. */
enum { TRIES = 200, HUNG = 200, MAX_TRIES = 10000 };
/* Most processes end at once, so the first tries follow each other faster. */
enum { EARLY_TRIES = 10, BETWEEN_EARLY = 50000 /* ns */, BETWEEN_TRIES = 1000000 };
enum { GONE_TRIES = 1000 };

/* True if the process is in a system call that no signal interrupts (state D), or has no stat file.
 */
static bool is_hanging(pid_t pid)
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

bool stop_child(pid_t pid, int *status)
{
    static int tries, hung;
    pid_t ended;

    kill(pid, SIGKILL);
    while ((ended = waitpid(pid, status, WNOHANG)) == 0) {
        if (tries >= TRIES)
            hung = is_hanging(pid) ? hung + 1 : 0;
        if (hung > HUNG || tries > MAX_TRIES)
            break;
        nanosleep(
            &(struct timespec){ .tv_nsec = tries < EARLY_TRIES ? BETWEEN_EARLY : BETWEEN_TRIES },
            NULL);
        tries++;
    }
    if (ended == pid) {
        tries = hung = 0;
        return true;
    }
    *status = SIGKILL;
    return false;
}

bool wait_for_child(pid_t pid, int *status)
{
    pid_t ended = 0;

    for (int i = 0; i < GONE_TRIES && (ended = waitpid(pid, status, WNOHANG)) == 0; i++)
        nanosleep(&(struct timespec){ .tv_nsec = i < EARLY_TRIES ? BETWEEN_EARLY : BETWEEN_TRIES },
                  NULL);
    return ended == pid;
}
