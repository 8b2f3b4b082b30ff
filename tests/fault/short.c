/* short: the write that SHORT_CALL counts, of a process, writes half of its data. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t n);
ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at);
ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at);

static size_t cut(size_t n)
{
    static long calls;
    const char *which = getenv("SHORT_CALL");

    return which && ++calls == atol(which) && n > 1 ? n / 2 : n;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
    return syscall(SYS_write, fd, bytes, cut(n));
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at)
{
    return syscall(SYS_pwrite64, fd, bytes, cut(n), at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
    return pwrite(fd, bytes, n, at);
}
