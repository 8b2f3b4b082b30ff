/* attempt: a library to preload. A worker that reads the file $ATTEMPT_ON (the end of its path)
 * tries actions that are forbidden to workers. It uses two folders: $ATTEMPT_OUTSIDE, with a file
 * "kept", and $ATTEMPT_OUT, with a file "a.jpg". It writes one line per action to $ATTEMPT_TOLD:
 * the name, and 0 or the error's number. Actions that would end the worker are tried on targets
 * that do not exist.
 *
 * With ATTEMPT_KILL=1 it also lets a pipe send SIGKILL to the supervisor.
 *
 * ATTEMPT_ABI=N: Landlock reports this version; 0: there is none.
 * ATTEMPT_NO_FILTER=1: the kernel has no seccomp filters. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

/* Returns `file`, closed if it is open. */
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
         connect(told, (const struct sockaddr *)&address, sizeof address) < 0 && errno != ENOTSOCK
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

/* --- system calls by their names --- */

/* Stand for the supervisor, for an open file, and for a path outside. */
enum { PARENT = 0x7f000001, FILE_OPEN = 0x7f000002, PATH = 0x7f000003 };
enum { NONE = -1 /* a descriptor */, NOBODY = 0x3fffffff /* a process */ };

/* The kernel does no harm for these arguments even if the call is let through. */
#define CALL(name, ...)                                                                            \
    {                                                                                              \
#name, SYS_##name,                                                                         \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define KIND(name, kind, ...)                                                                      \
    {                                                                                              \
#name "-" kind, SYS_##name,                                                                \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct {
    const char *name;
    long call;
    long argument[6];
} calls[] = {
    /* signals that the kernel sends for a file */
    KIND(fcntl, "F_SETOWN", FILE_OPEN, F_SETOWN, PARENT),
    KIND(fcntl, "F_SETOWN_EX", FILE_OPEN, F_SETOWN_EX, 0),
    KIND(fcntl, "F_GETOWN", FILE_OPEN, F_GETOWN),
    KIND(fcntl, "F_SETSIG", FILE_OPEN, F_SETSIG, SIGKILL),
    KIND(fcntl, "O_ASYNC", NONE, F_SETFL, O_ASYNC),
    KIND(fcntl, "O_ASYNC-and-more", NONE, F_SETFL, O_ASYNC | O_APPEND | O_NONBLOCK),
    KIND(fcntl, "F_NOTIFY", FILE_OPEN, F_NOTIFY, 0),
    KIND(fcntl, "F_SETLEASE", FILE_OPEN, F_SETLEASE, F_UNLCK),
    KIND(fcntl, "F_SETLK", FILE_OPEN, F_SETLK, 0),
    KIND(fcntl, "F_OFD_SETLK", FILE_OPEN, F_OFD_SETLK, 0),
    KIND(fcntl, "F_SETPIPE_SZ", FILE_OPEN, F_SETPIPE_SZ, 4096),
    KIND(fcntl, "F_ADD_SEALS", FILE_OPEN, F_ADD_SEALS, 0),
    KIND(ioctl, "FIOSETOWN", FILE_OPEN, 0x8901, 0),
    KIND(ioctl, "SIOCSPGRP", FILE_OPEN, 0x8902, 0),
    KIND(ioctl, "FIOASYNC", NONE, FIOASYNC, 0),
    KIND(ioctl, "TIOCSTI", NONE, TIOCSTI, 0),
    KIND(ioctl, "TIOCLINUX", NONE, 0x541c, 0),
    KIND(ioctl, "TIOCSCTTY", NONE, TIOCSCTTY, 0),
    KIND(ioctl, "TIOCNOTTY", NONE, TIOCNOTTY),
    KIND(ioctl, "TIOCSPGRP", NONE, TIOCSPGRP, 0),
    KIND(ioctl, "TIOCSWINSZ", NONE, TIOCSWINSZ, 0),
    KIND(ioctl, "TCSETS", NONE, TCSETS, 0),
    KIND(ioctl, "FIONREAD", FILE_OPEN, FIONREAD, 0),
    KIND(ioctl, "FICLONE", FILE_OPEN, 0x40049409, NONE),
    KIND(ioctl, "FS_IOC_SETFLAGS", FILE_OPEN, 0x40086602, 0),
    /* other processes */
    CALL(setpriority, PRIO_PROCESS, PARENT, 0),
    KIND(setpriority, "group", PRIO_PGRP, 0, 0),
    CALL(getpriority, PRIO_PROCESS, PARENT),
    CALL(sched_setaffinity, PARENT, 0, 0),
    CALL(sched_setscheduler, PARENT, SCHED_OTHER, 0),
    CALL(sched_setparam, PARENT, 0),
    CALL(sched_setattr, PARENT, 0, 0),
    CALL(sched_getattr, PARENT, 0, 0, 0),
    CALL(sched_getscheduler, PARENT),
    CALL(ioprio_set, 1, PARENT, 0),
    CALL(ioprio_get, 1, PARENT),
    KIND(kill, "parent", PARENT, 0),
    KIND(kill, "group", 0, 0),
    KIND(kill, "all", -1, 0),
    KIND(tgkill, "parent", PARENT, PARENT, 0),
    CALL(tkill, PARENT, 0),
    CALL(rt_sigqueueinfo, PARENT, 0, 0),
    CALL(rt_tgsigqueueinfo, PARENT, PARENT, 0, 0),
    CALL(pidfd_open, PARENT, 0),
    CALL(pidfd_send_signal, NONE, 0, 0, 0),
    CALL(pidfd_getfd, NONE, 0, 0),
    CALL(ptrace, PTRACE_SEIZE, NOBODY, 0, 0),
    CALL(process_vm_readv, PARENT, 0, 0, 0, 0, 0),
    CALL(process_vm_writev, PARENT, 0, 0, 0, 0, 0),
    CALL(process_madvise, NONE, 0, 0, 0, 0),
    CALL(kcmp, PARENT, PARENT, 0, 0, 0),
    CALL(migrate_pages, NOBODY, 0, 0, 0),
    CALL(move_pages, NOBODY, 0, 0, 0, 0, 0),
    CALL(get_robust_list, PARENT, 0, 0),
    KIND(prlimit64, "parent", PARENT, RLIMIT_CORE, 0, 0),
    CALL(setpgid, 0, NOBODY),
    CALL(getpgid, PARENT),
    CALL(getsid, PARENT),
    CALL(wait4, -1, 0, WNOHANG, 0),
    CALL(waitid, P_ALL, 0, 0, WNOHANG, 0),
    KIND(prctl, "PDEATHSIG", PR_SET_PDEATHSIG, 65),
    KIND(prctl, "DUMPABLE", PR_SET_DUMPABLE, 9),
    KIND(prctl, "PTRACER", PR_SET_PTRACER, NOBODY),
    KIND(prctl, "SUBREAPER", PR_SET_CHILD_SUBREAPER, 0),
    KIND(prctl, "SECCOMP", PR_SET_SECCOMP, 9),
    KIND(prctl, "MM", PR_SET_MM, 0, 0, 0, 0),
    KIND(prctl, "KEEPCAPS", PR_SET_KEEPCAPS, 0),
    KIND(prctl, "CAP_AMBIENT", PR_CAP_AMBIENT, 99),
    /* programs and processes */
    CALL(execve, 0, 0, 0),
    CALL(execveat, NONE, 0, 0, 0, 0),
    KIND(clone, "namespace", CLONE_NEWNS | CLONE_FS | SIGCHLD, 0, 0, 0, 0),
    CALL(clone3, 0, 0),
    CALL(unshare, 0),
    CALL(setns, NONE, 0),
    /* the network, and talking to processes */
    CALL(socket, NONE, 0, 0),
    CALL(socketpair, NONE, 0, 0, 0),
    CALL(connect, NONE, 0, 0),
    CALL(bind, NONE, 0, 0),
    CALL(listen, NONE, 0),
    CALL(accept, NONE, 0, 0),
    CALL(accept4, NONE, 0, 0, 0),
    CALL(sendto, NONE, 0, 0, 0, 0, 0),
    CALL(sendmsg, NONE, 0, 0),
    CALL(sendmmsg, NONE, 0, 0, 0),
    CALL(recvfrom, NONE, 0, 0, 0, 0, 0),
    CALL(recvmsg, NONE, 0, 0),
    CALL(recvmmsg, NONE, 0, 0, 0, 0),
    CALL(setsockopt, NONE, 0, 0, 0, 0),
    CALL(getsockname, NONE, 0, 0),
    CALL(shutdown, NONE, 0),
    CALL(io_uring_setup, 0, 0),
    CALL(io_uring_enter, NONE, 0, 0, 0, 0, 0),
    CALL(io_uring_register, NONE, 0, 0, 0),
    CALL(io_setup, 0, 0),
    CALL(msgget, 1, 0),
    CALL(semget, 1, 0, 0),
    CALL(shmget, 1, 0, 0),
    CALL(shmat, NONE, 0, 0),
    CALL(mq_open, 0, 0, 0, 0),
    CALL(mq_notify, NONE, 0),
    CALL(inotify_init1, -1),
    CALL(inotify_add_watch, NONE, PATH, 1),
    CALL(fanotify_init, -1, 0),
    CALL(fanotify_mark, NONE, 0, 0, NONE, 0),
    /* files */
    CALL(truncate, 0, 0),
    CALL(fchmod, NONE, 0777),
    CALL(fchmodat, NONE, PATH, 0777),
    CALL(fchown, NONE, 0, 0),
    CALL(fchownat, NONE, 0, 0, 0, 0),
    CALL(utimensat, NONE, 0, 0, 0),
    CALL(setxattr, PATH, 0, 0, 0, 0),
    CALL(lsetxattr, PATH, 0, 0, 0, 0),
    CALL(fsetxattr, NONE, 0, 0, 0, 0),
    CALL(getxattr, PATH, 0, 0, 0),
    CALL(listxattr, PATH, 0, 0),
    CALL(removexattr, PATH, 0),
    CALL(fremovexattr, NONE, 0),
    CALL(mknodat, NONE, 0, 0, 0),
    CALL(linkat, NONE, 0, NONE, 0, 0),
    CALL(symlinkat, 0, NONE, 0),
    CALL(name_to_handle_at, NONE, 0, 0, 0, 0),
    CALL(open_by_handle_at, NONE, 0, 0),
    CALL(chdir, PATH),
    CALL(fchdir, NONE),
    CALL(chroot, 0),
    CALL(flock, NONE, 0),
    CALL(sendfile, NONE, NONE, 0, 0),
    CALL(splice, NONE, 0, NONE, 0, 0, 0),
    CALL(tee, NONE, NONE, 0, 0),
    CALL(vmsplice, NONE, 0, 0, 0),
    CALL(memfd_create, 0, 0),
    CALL(quotactl, 0, 0, 0, 0),
    /* the system, for workers of root */
    CALL(mount, 0, 0, 0, 0, 0),
    CALL(umount2, 0, 0),
    CALL(pivot_root, 0, 0),
    CALL(open_tree, NONE, 0, 0),
    CALL(move_mount, NONE, 0, NONE, 0, 0),
    CALL(fsopen, 0, 0),
    CALL(fsmount, NONE, 0, 0),
    CALL(fsconfig, NONE, 0, 0, 0, 0),
    CALL(fspick, NONE, 0, 0),
    CALL(mount_setattr, NONE, 0, 0, 0, 0),
    CALL(init_module, 0, 0, 0),
    CALL(finit_module, NONE, 0, 0),
    CALL(delete_module, 0, 0),
    CALL(kexec_load, 0, -1, 0, 0),
    CALL(reboot, 0, 0, 0, 0),
    CALL(swapon, 0, 0),
    CALL(swapoff, 0),
    CALL(acct, -1),
    CALL(clock_settime, -1, 0),
    CALL(adjtimex, 0),
    CALL(clock_adjtime, -1, 0),
    CALL(sethostname, 0, -1),
    CALL(setdomainname, 0, -1),
    CALL(syslog, -1, 0, 0),
    CALL(personality, -1),
    CALL(setuid, -1),
    CALL(setgid, -1),
    CALL(setresuid, -1, -1, -1),
    CALL(setgroups, 65537, 0),
    CALL(capset, 0, 0),
    CALL(capget, 0, 0),
    KIND(madvise, "HWPOISON", 0, 0, 100),
    KIND(madvise, "SOFT_OFFLINE", 0, 0, 101),
    /* parts of the kernel with a history of faults */
    CALL(bpf, -1, 0, 0),
    CALL(perf_event_open, 0, NOBODY, -1, NONE, 0),
    CALL(userfaultfd, -1),
    CALL(keyctl, -1, 0, 0, 0, 0),
    CALL(add_key, 0, 0, 0, 0, 0),
    CALL(request_key, 0, 0, 0, 0),
    KIND(seccomp, "again", -1, 0, 0),
    CALL(landlock_create_ruleset, 0, 0, -1),
    CALL(timer_create, -1, 0, 0),
    CALL(setitimer, -1, 0, 0),
    CALL(timerfd_create, -1, 0),
    CALL(signalfd4, NONE, 0, 0, 0),
    CALL(epoll_create1, -1),
    CALL(mlockall, -1),
    CALL(mbind, 0, 0, 0, 0, 0, 0),
    CALL(pkey_alloc, -1, 0),
    CALL(remap_file_pages, 0, 0, 0, 0, 0),
    { "from-the-future", 1000, { 0 } },
#ifdef __x86_64__
    CALL(creat, 0, 0),
    CALL(link, 0, 0),
    CALL(symlink, 0, 0),
    CALL(rmdir, 0),
    CALL(mknod, 0, 0, 0),
    CALL(chmod, 0, 0),
    CALL(chown, 0, 0, 0),
    CALL(utime, 0, 0),
    CALL(utimes, 0, 0),
    CALL(getdents, NONE, 0, 0),
    CALL(epoll_create, -1),
    CALL(iopl, 9),
    CALL(ioperm, -1, 1, 1),
    CALL(modify_ldt, -1, 0, 0),
#endif
};

static long filled(long argument)
{
    switch (argument) {
    case PARENT:
        return getppid();
    case FILE_OPEN:
        return told;
    case PATH:
        return (long)OUTSIDE("kept");
    default:
        return argument;
    }
}

static void try_calls(void)
{
    char name[80];

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        const long *a = calls[i].argument;

        snprintf(name, sizeof name, "call-%s", calls[i].name);
        tell(name, syscall(calls[i].call, filled(a[0]), filled(a[1]), filled(a[2]), filled(a[3]),
                           filled(a[4]), filled(a[5])));
    }
}

/* --- paths --- */

static void try_paths(void)
{
    static const char *const read[] = {
        "/",
        "/etc",
        "/etc/passwd",
        "/etc/shadow",
        "/etc/hosts",
        "/root",
        "/home",
        "/tmp",
        "/run",
        "/var",
        "/var/log",
        "/boot",
        "/mnt",
        "/srv",
        "/proc",
        "/proc/self/mem",
        "/proc/self/maps",
        "/proc/self/root",
        "/proc/1/environ",
        "/proc/1/mem",
        "/proc/sys/kernel",
        "/proc/kcore",
        "/sys",
        "/sys/kernel",
        "/sys/fs/cgroup",
        "/dev",
        "/dev/mem",
        "/dev/kmsg",
        "/dev/tty",
        "/dev/ptmx",
        "/dev/shm",
        "/dev/zero",
        "/dev/vda",
        "/dev/sda",
        "/dev/fuse",
    };
    static const char *const written[] = {
        "/usr/lib",
        "/usr/bin",
        "/usr",
        "/lib",
        "/opt",
        "/etc/fonts",
        "/var/cache/fontconfig",
        "/sys/devices/system",
        "/dev/shm",
        "/tmp",
    };
    char name[80], path[80];

    for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
        snprintf(name, sizeof name, "path-read%s", read[i]);
        tell(name, opened(open(read[i], O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)));
    }
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        snprintf(name, sizeof name, "path-write%s", written[i]);
        snprintf(path, sizeof path, "%s/lockstep-attempt", written[i]);
        tell(name, opened(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600)));
        (void)unlink(path);
    }
    tell("path-write/dev/null", opened(open("/dev/null", O_WRONLY | O_CLOEXEC)));
    snprintf(path, sizeof path, "/proc/%ld/mem", (long)getppid());
    tell("path-read-supervisor", opened(open(path, O_RDONLY | O_CLOEXEC)));
    tell("path-write-supervisor", opened(open(path, O_WRONLY | O_CLOEXEC)));
}

/* In the worker's rights: these must go on working. */
static void try_allowed(void)
{
    int file = open(OUT("allowed"), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666), ends[2], copy;
    struct rlimit limit;
    char name[16];

    tell("allowed-create", file);
    tell("allowed-ftruncate", ftruncate(file, 100));
    tell("allowed-mkdir", mkdir(OUT("allowed.folder"), 0777));
    tell("allowed-rename", rename(OUT("allowed"), OUT("allowed.folder/a")));
    tell("allowed-unlink", unlink(OUT("allowed.folder/a")));
    tell("allowed-kill-self", kill(getpid(), 0));
    tell("allowed-tgkill-self", syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0));
    tell("allowed-limit", getrlimit(RLIMIT_CORE, &limit));
    tell("allowed-name", prctl(PR_GET_NAME, name));
    tell("allowed-pipe", pipe(ends));
    tell("allowed-flags", fcntl(ends[0], F_SETFL, O_NONBLOCK));
    copy = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
    tell("allowed-copy", copy);
    close(copy);
    close(ends[0]);
    close(ends[1]);
    close(file);
}

/* The pipe's end sends a signal to its owner when there is something to read. */
static void try_kill_by_pipe(void)
{
    int ends[2];

    if (!getenv("ATTEMPT_KILL") || pipe(ends) != 0)
        return;
    tell("kill-owner", fcntl(ends[0], F_SETOWN, getppid()));
    tell("kill-signal", fcntl(ends[0], F_SETSIG, SIGKILL));
    tell("kill-flag", fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK));
    tell("kill-write", write(ends[1], "x", 1) - 1);
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
    try_calls();
    try_paths();
    try_allowed();
    try_kill_by_pipe();
#ifdef __x86_64__
    tell("call-x32", syscall(0x40000000L | SYS_getpid));
#endif
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

/* The function that read() becomes if the compiler may know the size of the buffer. */
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
