/* crash: a library to preload. A process dies of signal $CRASH_SIGNAL, SIGSEGV by default, or for 0
 * by _exit($CRASH_CODE), 3 by default. The causes are to read the file $CRASH_ON (the end of its
 * path), to rename a file to it, or to map $CRASH_MAP. With $CRASH_ONCE the process dies only while
 * that file is empty, and writes to it. The file is made when a process starts, since later a
 * worker may not make files. A process that has made the folder $CRASH_FOLDER (a name) kills its
 * process group. With $CRASH_COUNT it first counts itself in that file, as the kernel counts
 * processes that it kills for lack of memory. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

ssize_t __read_chk(int fd, void *to, size_t n, size_t room);

static int once = -1, count = -1;

__attribute__((constructor)) static void begin(void)
{
    if (getenv("CRASH_ONCE"))
        once = open(getenv("CRASH_ONCE"), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (getenv("CRASH_COUNT"))
        count = open(getenv("CRASH_COUNT"), O_RDWR | O_CLOEXEC);
}

static int ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), n = strlen(end);

    return length >= n && strcmp(path + length - n, end) == 0 &&
           (length == n || path[length - n - 1] == '/');
}

static void count_kill(void)
{
    char text[80] = "";
    const char *kills =
        pread(count, text, sizeof text - 1, 0) > 0 ? strstr(text, "oom_kill ") : NULL;
    int length;

    if (!kills)
        return;
    length =
        snprintf(text, sizeof text, "oom_kill_disable 0\noom_kill %08d\n", atoi(kills + 9) + 1);
    if (pwrite(count, text, (size_t)length, 0) != length)
        abort();
}

static void die(void)
{
    const char *text = getenv("CRASH_SIGNAL"), *code = getenv("CRASH_CODE");
    int number = text ? atoi(text) : SIGSEGV;

    count_kill();
    if (number == 0)
        _exit(code ? atoi(code) : 3);
    signal(number, SIG_DFL);
    raise(number);
}

static void visit(const char *path, const char *on)
{
    struct stat status;

    if (!on || !ends_with(path, on))
        return;
    if (once >= 0 && (fstat(once, &status) != 0 || status.st_size || write(once, "x", 1) != 1))
        return;
    die();
}

static void visit_open(int fd, const char *on)
{
    char link[64], path[4096];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    visit(path, on);
}

/* Opening it is not enough: files are announced to the kernel ahead of their turn. */
ssize_t read(int fd, void *to, size_t n)
{
    visit_open(fd, getenv("CRASH_ON"));
    return syscall(SYS_read, fd, to, n);
}

void *mmap(void *at, size_t length, int access, int flags, int fd, off_t offset)
{
    if (fd >= 0)
        visit_open(fd, getenv("CRASH_MAP"));
    return (void *)syscall(SYS_mmap, at, length, access, flags, fd, offset);
}

ssize_t preadv2(int fd, const struct iovec *to, int n, off_t offset, int flags)
{
    visit_open(fd, getenv("CRASH_ON"));
    return syscall(SYS_preadv2, fd, to, n, offset, 0L, flags);
}

/* The function that read() becomes if the compiler may know the size of the buffer. */
ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
    return read(fd, to, n < room ? n : room);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    char link[64], path[4096];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", to_folder);
    length = readlink(link, path, sizeof path / 2);
    length = length < 0 ? 0 : length;
    snprintf(path + length, sizeof path - (size_t)length, "/%s", to);
    visit(path, getenv("CRASH_ON"));
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int mkdirat(int folder, const char *name, mode_t mode)
{
    const char *on = getenv("CRASH_FOLDER");
    int code = (int)syscall(SYS_mkdirat, folder, name, mode);

    if (on && strcmp(on, name) == 0)
        kill(0, SIGKILL);
    return code;
}
