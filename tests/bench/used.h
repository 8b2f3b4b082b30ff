/* used: measures work in a separate process: seconds, processor time, memory. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static inline double used_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline double used_seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Prints a row: title, seconds, those of processors, peak resident MB. Ends when the work fails. */
static inline void used(const char *title, void (*work)(void *context), void *context)
{
    double start = used_clock(), wall;
    struct rusage usage;
    pid_t child;
    int status;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        work(context);
        _exit(0);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        fprintf(stderr, "%s: failed\n", title);
        exit(1);
    }
    wall = used_clock() - start;
    printf("%-44s %8.2f %8.2f %8.0f\n", title, wall,
           used_seconds(usage.ru_utime) + used_seconds(usage.ru_stime),
           (double)usage.ru_maxrss / 1024);
}
