/* base: memory whose absence ends the process. */
#include "base/base.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

NORETURN void memory_gone(size_t size)
{
    if (size)
        fprintf(stderr, "lockstep: out of memory (%zu more bytes were needed)\n", size);
    else
        fprintf(stderr, "lockstep: out of memory\n");
    exit(EXIT_RESOURCES);
}

void memory_use_large_pages(void *at, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = 2 << 20;
    uintptr_t begin = ((uintptr_t)at + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)at + size) / page * page;

    if (begin < end)
        (void)madvise((char *)at + (begin - (uintptr_t)at), end - begin, MADV_HUGEPAGE);
#else
    (void)at, (void)size;
#endif
}

enum { LARGE = 4 << 20 /* bytes: smaller blocks may be of memory that was touched already */ };

void *memory_take(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        memory_gone(size);
    if (size >= LARGE)
        memory_use_large_pages(p, size);
    return p;
}

void *memory_grow(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);

    if (!p)
        memory_gone(size);
    if (size >= LARGE)
        memory_use_large_pages(p, size);
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
