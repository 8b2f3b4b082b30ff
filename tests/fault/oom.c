/* oom: a library to be preloaded. The allocation number $OOM_AT (from 1) of a process fails, once.
 * With $OOM_WORKER the processes that it forks count, each from its own beginning; else the one
 * that was started. With $OOM_THREADS only threads other than a process's first count. The file
 * $OOM_TOLD, of two numbers of 64 bits, gets how many allocations there were at most in a process,
 * and how many failed. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void *memalign(size_t, size_t);

static pid_t started; /* the first process; 0 until its constructors run */
static bool of_workers, of_threads;
static uint64_t at;
static uint64_t *told; /* shared by all processes */

__attribute__((constructor)) static void start(void)
{
    const char *number = getenv("OOM_AT"), *path = getenv("OOM_TOLD");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;

    if (!number || fd < 0)
        return;
    told = mmap(NULL, 2 * sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (told == MAP_FAILED)
        return;
    at = strtoull(number, NULL, 10);
    of_workers = getenv("OOM_WORKER") != NULL;
    of_threads = getenv("OOM_THREADS") != NULL;
    started = getpid();
}

/* True if this allocation must fail. */
static bool must_fail(void)
{
    static pid_t counting;
    static uint64_t n;
    pid_t pid;

    if (!started)
        return false;
    pid = getpid();
    if ((pid != started) != of_workers || (of_threads && gettid() == pid))
        return false;
    if (pid != counting) {
        counting = pid;
        n = 0;
    }
    if (++n > told[0])
        told[0] = n;
    if (n != at)
        return false;
    told[1]++;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return must_fail() ? NULL : __libc_realloc(old, size);
}

void *memalign(size_t step, size_t size)
{
    return must_fail() ? NULL : __libc_memalign(step, size);
}

void *aligned_alloc(size_t step, size_t size)
{
    return memalign(step, size);
}

/* It returns the error and leaves errno unchanged. */
int posix_memalign(void **to, size_t step, size_t size)
{
    int before = errno;
    void *at_step = memalign(step, size);

    errno = before;
    if (at_step)
        *to = at_step;
    return at_step ? 0 : ENOMEM;
}
