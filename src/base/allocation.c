/* allocation: a failed allocation ends the process, whichever library or thread asked for it.
 *
 * Libraries react to a failed allocation with NULL, an exception, a signal or exit(3), or they
 * continue with wrong pixels. libvips writes TIFF in a thread whose errno no caller can see. So C's
 * allocation functions are defined here, for the program and all its libraries. The next
 * definitions in the search order (libc's, or a preloaded library's) do the work. Sanitizers bring
 * definitions of their own, and end the process, too. */
#include "base/base.h"

#ifdef __has_feature
#define FEATURE(name) __has_feature(name)
#else
#define FEATURE(name) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                             \
    !FEATURE(address_sanitizer) && !FEATURE(thread_sanitizer) && !FEATURE(memory_sanitizer)

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
} next;

/* POSIX has pointers to functions in the form of dlsym's; ISO C has no cast between the two. */
static void find(void *function, const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    if (!symbol)
        _exit(EXIT_INTERNAL);
    memcpy(function, &symbol, sizeof symbol);
}

/* False only while dlsym itself allocates; dlsym can work without. The first allocation comes
 * before main and before any thread. */
static bool find_allocators(void)
{
    static bool finding;

    if (next.posix_memalign)
        return true;
    if (finding)
        return false;
    finding = true;
    find(&next.malloc, "malloc");
    find(&next.calloc, "calloc");
    find(&next.realloc, "realloc");
    find(&next.memalign, "memalign");
    find(&next.aligned_alloc, "aligned_alloc");
    find(&next.posix_memalign, "posix_memalign");
    return true;
}

/* Any lock may be held, and any thread may run this: nothing is flushed or waited for. */
static NORETURN void end(size_t size)
{
    char line[100];
    int length =
        snprintf(line, sizeof line, "lockstep: out of memory (%zu more bytes were needed)\n", size);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);

    (void)written; /* the exit code says it, too */
    _exit(EXIT_RESOURCES);
}

void *malloc(size_t size)
{
    void *p;

    if (!find_allocators())
        return NULL;
    p = next.malloc(size);
    if (!p)
        end(size);
    return p;
}

void *calloc(size_t count, size_t size)
{
    void *p;

    if (!find_allocators())
        return NULL;
    p = next.calloc(count, size);
    if (!p)
        end(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    return p;
}

/* With size 0 it is free(3), whose NULL is not a failure. */
void *realloc(void *old, size_t size)
{
    void *p;

    if (!find_allocators())
        return NULL;
    p = next.realloc(old, size);
    if (!p && size)
        end(size);
    return p;
}

/* The other three refuse an alignment that is not a power of two by EINVAL. */
void *memalign(size_t alignment, size_t size)
{
    void *p;

    if (!find_allocators())
        return NULL;
    p = next.memalign(alignment, size);
    if (!p && errno == ENOMEM)
        end(size);
    return p;
}

void *aligned_alloc(size_t alignment, size_t size)
{
    void *p;

    if (!find_allocators())
        return NULL;
    p = next.aligned_alloc(alignment, size);
    if (!p && errno == ENOMEM)
        end(size);
    return p;
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    int failed;

    if (!find_allocators())
        return ENOMEM;
    failed = next.posix_memalign(p, alignment, size);
    if (failed == ENOMEM)
        end(size);
    return failed;
}

#endif
