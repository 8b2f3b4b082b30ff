/* stop_child: end a process that was forked, and wait for it as long as is sensible. */
#include "batch/process/stop_child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

/* For all that hang together: a run must end soon after a signal, however many they are. Others get
 * longer: on a machine that is busy, ending takes its time, too, and processes that end wait for
 * the disk now and then; only one that is seen to do so HUNG times in a row hangs. */
enum { TRIES = 200, HUNG = 200, MOST_TRIES = 10000 };
/* Most end at once: the first tries come sooner. */
enum { EARLY_TRIES = 10, BETWEEN_EARLY = 50000 /* ns */, BETWEEN_TRIES = 1000000 };
enum { GONE_TRIES = 1000 };

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
    static int tries, hung;
    pid_t ended;

    kill(pid, SIGKILL);
    while ((ended = waitpid(pid, status, WNOHANG)) == 0) {
        if (tries >= TRIES)
            hung = hangs(pid) ? hung + 1 : 0;
        if (hung > HUNG || tries > MOST_TRIES)
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

bool reap_gone(pid_t pid, int *status)
{
    pid_t ended = 0;

    for (int i = 0; i < GONE_TRIES && (ended = waitpid(pid, status, WNOHANG)) == 0; i++)
        nanosleep(&(struct timespec){ .tv_nsec = i < EARLY_TRIES ? BETWEEN_EARLY : BETWEEN_TRIES },
                  NULL);
    return ended == pid;
}
