/* attempt: a library to be preloaded. A worker that reads the file $ATTEMPT_ON (the end of its
 * path) tries what a worker must not do, in $ATTEMPT_OUTSIDE (a folder with a file "kept") and in
 * $ATTEMPT_OUT (one with a file "a.jpg"), and writes to $ATTEMPT_TOLD a line for each: its name,
 * and 0 or the error's number. What would end the worker is tried with something that is not there.
 *
 * ATTEMPT_ABI=N: Landlock says that it is of this version; 0: there is none.
 * ATTEMPT_NO_FILTER=1: the kernel has no seccomp filters. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static pid_t first;
static int told = -1;

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("ATTEMPT_TOLD");

    first = getpid();
    if (path)
        told = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void tell(const char *what, long result)
{
    char line[80];
    int length = snprintf(line, sizeof line, "%s %d\n", what, result < 0 ? errno : 0);

    if (write(told, line, (size_t)length) != length)
        abort();
}

/* What comes to be is open no longer. */
static long opened(int file)
{
    if (file >= 0)
        close(file);
    return file;
}

static const char *in(const char *variable, const char *name)
{
    static char paths[4][4096];
    static unsigned next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", getenv(variable), name);
    return path;
}
#define OUTSIDE(name) in("ATTEMPT_OUTSIDE", name)
#define OUT(name) in("ATTEMPT_OUT", name)

static void try_network(void)
{
    const struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = "/dev/log" };
    char parameters[256] = { 0 };
    int pair[2];

    tell("socket", opened(socket(AF_INET, SOCK_STREAM, 0)));
    tell("socket-udp", opened(socket(AF_INET6, SOCK_DGRAM, 0)));
    tell("socket-unix", opened(socket(AF_UNIX, SOCK_STREAM, 0)));
    tell("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    tell("connect",
         connect(told, (const struct sockaddr *)&address, sizeof address) < 0 && errno == EPERM
             ? -1
             : 0);
    tell("io_uring", syscall(SYS_io_uring_setup, 1, parameters));
}

static void try_processes(void)
{
    char none[] = "/nothing", *const words[] = { none, NULL };
    struct rlimit limit;
    long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

    if (child == 0)
        _exit(0);
    tell("fork", child);
    tell("execve", execve(none, words, words + 1));
    tell("execveat", syscall(SYS_execveat, AT_FDCWD, none, words, words + 1, 0));
    tell("kill", kill(getppid(), 0));
    tell("tgkill", syscall(SYS_tgkill, getppid(), getppid(), 0));
    tell("ptrace", ptrace(PTRACE_SEIZE, 0x3fffffff, NULL, NULL));
    tell("prlimit", syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, NULL, &limit));
    tell("outlive", prctl(PR_SET_PDEATHSIG, 0));
}

static void try_files(void)
{
    const struct timespec times[2] = { { 1, 0 }, { 1, 0 } };

    tell("read", opened(open(OUTSIDE("kept"), O_RDONLY)));
    tell("list", opened(open(OUTSIDE("."), O_RDONLY | O_DIRECTORY)));
    tell("write", opened(open(OUTSIDE("kept"), O_WRONLY)));
    tell("create", opened(open(OUTSIDE("new"), O_WRONLY | O_CREAT, 0666)));
    tell("mkdir", mkdir(OUTSIDE("folder"), 0777));
    tell("unlink", unlink(OUTSIDE("kept")));
    tell("rename-away", rename(OUT("a.jpg"), OUTSIDE("moved")));
    tell("rename-here", rename(OUTSIDE("kept"), OUT("moved")));
    tell("link", link(OUTSIDE("kept"), OUT("linked")));
    tell("symlink", symlink(OUTSIDE("kept"), OUT("symlink")));
    tell("fifo", mkfifo(OUT("fifo"), 0666));
    tell("truncate", truncate(OUTSIDE("kept"), 0));
    tell("truncate-out", truncate(OUT("a.jpg"), 0));
    tell("chmod", chmod(OUTSIDE("kept"), 0777));
    tell("fchmodat", syscall(SYS_fchmodat, AT_FDCWD, OUT("a.jpg"), 04777));
    tell("fchmodat2", syscall(452, AT_FDCWD, OUT("a.jpg"), 04777, 0));
    tell("chown", chown(OUTSIDE("kept"), 1, 1));
    tell("lchown", lchown(OUTSIDE("kept"), 1, 1));
    tell("utimensat", utimensat(AT_FDCWD, OUTSIDE("kept"), times, 0));
    tell("setxattr", setxattr(OUTSIDE("kept"), "user.x", "x", 1, 0));
}

/* In the worker's rights: these must go on working. */
static void try_allowed(void)
{
    int file = open(OUT("allowed"), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    tell("allowed-create", file);
    tell("allowed-ftruncate", ftruncate(file, 100));
    tell("allowed-mkdir", mkdir(OUT("allowed.folder"), 0777));
    tell("allowed-rename", rename(OUT("allowed"), OUT("allowed.folder/a")));
    tell("allowed-unlink", unlink(OUT("allowed.folder/a")));
    tell("allowed-kill-self", kill(getpid(), 0));
    close(file);
}

static void visit(int fd)
{
    const char *on = getenv("ATTEMPT_ON");
    char link[64], path[4096];
    ssize_t length;

    if (!on || getpid() == first || told < 0)
        return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    if (length < (ssize_t)strlen(on) || strcmp(path + length - strlen(on), on) != 0)
        return;
    try_network();
    try_processes();
    try_files();
    try_allowed();
}

ssize_t __read_chk(int fd, void *to, size_t n, size_t room);

ssize_t read(int fd, void *to, size_t n)
{
    visit(fd);
    return syscall(SYS_read, fd, to, n);
}

ssize_t preadv2(int fd, const struct iovec *to, int n, off_t offset, int flags)
{
    visit(fd);
    return syscall(SYS_preadv2, fd, to, n, offset, 0L, flags);
}

/* What read is called where the compiler may know how much room there is. */
ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
    return read(fd, to, n < room ? n : room);
}

/* --- another kernel --- */

long syscall(long which, ...)
{
    static long (*real)(long, ...);
    const char *abi = getenv("ATTEMPT_ABI");
    long a[6];
    va_list rest;

    va_start(rest, which);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(rest, long);
    va_end(rest);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "syscall");
    if (which == SYS_landlock_create_ruleset && a[2] == LANDLOCK_CREATE_RULESET_VERSION && abi) {
        errno = ENOSYS;
        return atoi(abi) ? atoi(abi) : -1;
    }
    if (which == SYS_seccomp && getenv("ATTEMPT_NO_FILTER")) {
        errno = ENOSYS;
        return -1;
    }
    return real(which, a[0], a[1], a[2], a[3], a[4], a[5]);
}
