/* base: memory that is there or ends the process. */
#include "base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NORETURN void memory_gone(size_t size)
{
    if (size)
        fprintf(stderr, "lockstep: out of memory (%zu bytes more were wanted)\n", size);
    else
        fprintf(stderr, "lockstep: out of memory\n");
    exit(EXIT_RESOURCES);
}

void *memory_take(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        memory_gone(size);
    return p;
}

void *memory_grow(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);

    if (!p)
        memory_gone(size);
    return p;
}

void memory_check(void)
{
    if (errno == ENOMEM)
        memory_gone(0);
}

const char *errno_text(void)
{
    memory_check();
    return strerror(errno);
}
