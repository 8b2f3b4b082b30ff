/* clock: a library to preload. In a process, the time since the system's start passes $CLOCK_TIMES
 * as fast; time limits and progress depend on this time. Waits of ppoll(2) shorten by the same
 * factor. */
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t times(void)
{
    const char *text = getenv("CLOCK_TIMES");

    return text && atoll(text) > 0 ? atoll(text) : 1;
}

static int64_t now(void)
{
    struct timespec t;

    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){ ns / 1000000000, ns % 1000000000 };
}

/* Fast from the first call on, which processes that are forked later share. */
int clock_gettime(clockid_t id, struct timespec *to)
{
    static int64_t first;

    if (id != CLOCK_MONOTONIC)
        return (int)syscall(SYS_clock_gettime, id, to);
    first = first ? first : now();
    *to = timespec_of(first + (now() - first) * times());
    return 0;
}

int ppoll(struct pollfd *files, nfds_t n, const struct timespec *wait, const sigset_t *mask)
{
    struct timespec left = { 0 };

    if (wait)
        left = timespec_of(((int64_t)wait->tv_sec * 1000000000 + wait->tv_nsec) / times() + 1);
    return (int)syscall(SYS_ppoll, files, n, wait ? &left : NULL, mask, (size_t)8);
}
