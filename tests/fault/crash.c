/* crash: a library to be preloaded. A process that opens the file $CRASH_ON (the end of its path),
 * or renames one to it, dies of signal $CRASH_SIGNAL, SIGSEGV if that is not set; of 0, by exit(3).
 * With $CRASH_ONCE it does so only as long as that file does not exist, and makes it. */
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int open64(const char *path, int flags, ...);
int openat64(int folder, const char *path, int flags, ...);

static int open_really(int folder, const char *path, int flags, mode_t mode)
{
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static int ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), n = strlen(end);

    return length >= n && strcmp(path + length - n, end) == 0 &&
           (length == n || path[length - n - 1] == '/');
}

static void die(void)
{
    const char *text = getenv("CRASH_SIGNAL");
    int number = text ? atoi(text) : SIGSEGV;

    if (number == 0)
        _exit(3);
    signal(number, SIG_DFL);
    raise(number);
}

static void visit(const char *path)
{
    const char *on = getenv("CRASH_ON"), *once = getenv("CRASH_ONCE");

    if (!on || !ends_with(path, on))
        return;
    if (once && open_really(AT_FDCWD, once, O_WRONLY | O_CREAT | O_EXCL, 0666) < 0)
        return;
    die();
}

#define MODE_OF(flags)                                                                             \
    mode_t mode = 0;                                                                               \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                         \
        va_list args;                                                                              \
        va_start(args, flags);                                                                     \
        mode = va_arg(args, mode_t);                                                               \
        va_end(args);                                                                              \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags)
    visit(path);
    return open_really(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags)
    visit(path);
    return open_really(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    visit(path);
    return open_really(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags)
    visit(path);
    return open_really(folder, path, flags, mode);
}

int rename(const char *from, const char *to)
{
    visit(to);
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
