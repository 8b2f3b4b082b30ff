/* inputs: a library to preload, which makes inputs fail or change while they are listed and read.
 * Paths are matched by their ends; errors are numbers of errno.
 *
 * FAULT_READDIR=PATH, FAULT_READDIR_AT=N: reading this folder fails with EIO after N entries.
 * FAULT_OPEN=PATH, FAULT_ERROR=E: opening it fails.
 * FAULT_STAT=PATH, FAULT_ERROR=E: stat fails.
 * FAULT_TYPES=1: folders do not tell the type of an entry.
 * FAULT_OPENAT2=E: openat2 fails, as if the kernel lacked or forbade it.
 * FAULT_RUN_ON=PATH, FAULT_RUN=COMMAND, FAULT_ONCE=FILE: before this file is read, or after it was
 * mapped, a shell runs the command. It runs once, which FILE records. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t n, off_t offset, size_t room);

static int matches(const char *name, const char *path)
{
    const char *end = getenv(name);
    size_t length = strlen(path), n = end ? strlen(end) : 0;

    return end && length >= n && strcmp(path + length - n, end) == 0;
}

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);

    return text ? atoi(text) : otherwise;
}

static int fails(const char *name, const char *path)
{
    if (!matches(name, path))
        return 0;
    errno = number("FAULT_ERROR", EIO);
    return 1;
}

static void path_of(int fd, char *path, size_t room)
{
    char link[64];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, room - 1);
    path[length < 0 ? 0 : length] = '\0';
}

/* --- listing --- */

struct dirent *readdir(DIR *stream)
{
    static struct dirent *(*real)(DIR *);
    static int entries;
    struct dirent *entry;
    char path[4096];

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "readdir");
    path_of(dirfd(stream), path, sizeof path);
    if (matches("FAULT_READDIR", path) && entries++ >= number("FAULT_READDIR_AT", 0)) {
        errno = EIO;
        return NULL;
    }
    entry = real(stream);
    if (entry && getenv("FAULT_TYPES"))
        entry->d_type = DT_UNKNOWN;
    return entry;
}

int fstatat(int at, const char *restrict name, struct stat *restrict status, int flags)
{
    return fails("FAULT_STAT", name) ? -1 : (int)syscall(SYS_newfstatat, at, name, status, flags);
}

int openat(int at, const char *name, int flags, ...)
{
    va_list rest;
    int mode;

    va_start(rest, flags);
    mode = flags & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    return fails("FAULT_OPEN", name) ? -1 : (int)syscall(SYS_openat, at, name, flags, mode);
}

/* The function that openat() without O_CREAT becomes if _FORTIFY_SOURCE is on, as in Ubuntu's
 * compiler. The library declares it only then. */
int __openat_2(int at, const char *name, int flags);
int __openat_2(int at, const char *name, int flags)
{
    return openat(at, name, flags);
}

/* The library has no function for openat2. */
long syscall(long which, ...)
{
    static long (*real)(long, ...);
    long a[6];
    va_list rest;

    va_start(rest, which);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    if (which == SYS_openat2 && getenv("FAULT_OPENAT2")) {
        errno = number("FAULT_OPENAT2", ENOSYS);
        return -1;
    }
    return real(which, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* --- reading --- */

/* A contained process may start no program: another, which is begun before it is contained, does so
 * for it. It ends with the last process that may ask. */
static int asks, answers;

static void serve(int from, int to)
{
    char request;

    while (syscall(SYS_read, from, &request, 1) == 1) {
        int begun = open(getenv("FAULT_ONCE"), O_WRONLY | O_CREAT | O_EXCL, 0666);
        char answer = begun < 0 || system(getenv("FAULT_RUN")) == 0;

        if (write(to, &answer, 1) != 1)
            break;
    }
}

__attribute__((constructor)) static void start_server(void)
{
    int request[2], answer[2];

    if (!getenv("FAULT_ONCE") || !getenv("FAULT_RUN"))
        return;
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(answer, O_CLOEXEC) != 0)
        abort();
    if (fork() == 0) {
        if (fork() == 0) { /* so that it is not a child of the tested process */
            unsetenv("LD_PRELOAD");
            close(request[1]);
            close(answer[0]);
            serve(request[0], answer[1]);
        }
        _exit(0);
    }
    wait(NULL);
    close(request[0]);
    close(answer[1]);
    asks = request[1];
    answers = answer[0];
}

static void run_once(int fd)
{
    char path[4096], answer = 0;

    if (!asks)
        return;
    path_of(fd, path, sizeof path);
    if (matches("FAULT_RUN_ON", path) &&
        (write(asks, "", 1) != 1 || syscall(SYS_read, answers, &answer, 1) != 1 || !answer))
        abort();
}

ssize_t read(int fd, void *to, size_t n)
{
    run_once(fd);
    return syscall(SYS_read, fd, to, n);
}

/* The function that read() becomes if the compiler may know the size of the buffer. */
ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
    return read(fd, to, n < room ? n : room);
}

ssize_t pread(int fd, void *to, size_t n, off_t offset)
{
    run_once(fd);
    return syscall(SYS_pread64, fd, to, n, offset);
}

ssize_t __pread_chk(int fd, void *to, size_t n, off_t offset, size_t room)
{
    return pread(fd, to, n < room ? n : room, offset);
}

ssize_t preadv2(int fd, const struct iovec *to, int n, off_t offset, int flags)
{
    run_once(fd);
    return syscall(SYS_preadv2, fd, to, n, offset, 0L, flags);
}

void *mmap(void *at, size_t length, int allowed, int flags, int fd, off_t offset)
{
    void *mapped = (void *)syscall(SYS_mmap, at, length, allowed, flags, fd, offset);

    if (fd >= 0 && mapped != MAP_FAILED)
        run_once(fd);
    return mapped;
}
