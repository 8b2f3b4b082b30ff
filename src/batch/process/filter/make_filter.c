/* make_filter: prints the seccomp filter of workers as a BPF program when lockstep is built. At run
 * time, libseccomp would take longer than a small image.
 *
 * The filter is a list of allowed calls. Any other call fails with ENOSYS, as in an older kernel. C
 * libraries then fall back to an older call, which they do not do for EPERM.
 *
 * The list has the calls that contained processes made during the tests.
 * tests/tools/contained_calls.sh prints these calls. The list also has their names on other
 * architectures and in other versions of glibc, and calls of the sanitizers. */
#include "batch/process/filter/self.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Constants that are missing in older kernel headers. */
#define VMA_NAMES 0x53564d41U  /* PR_SET_VMA */
#define TCGETS_NEW 0x802c542aU /* TCGETS2 */
/* From this advice on, madvise damages pages of the machine (MADV_HWPOISON, MADV_SOFT_OFFLINE). */
enum { ADVICE_HARMFUL = 100 };

/* Calls that the architecture lacks are negative numbers, which libseccomp ignores. */
static const int allowed[] = {
    /* open files; Landlock decides which files can be opened */
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(openat2), SCMP_SYS(close), SCMP_SYS(read),
    SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(preadv2), SCMP_SYS(write),
    SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(pwritev2), SCMP_SYS(lseek),
    SCMP_SYS(_llseek), SCMP_SYS(ftruncate), SCMP_SYS(ftruncate64), SCMP_SYS(fallocate),
    SCMP_SYS(fsync), SCMP_SYS(fdatasync), SCMP_SYS(syncfs), SCMP_SYS(copy_file_range),
    SCMP_SYS(fadvise64), SCMP_SYS(fadvise64_64), SCMP_SYS(arm_fadvise64_64), SCMP_SYS(dup),
    SCMP_SYS(dup2), SCMP_SYS(dup3), SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(eventfd2),
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(ppoll_time64),
    /* names of files */
    SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(lstat), SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(stat64), SCMP_SYS(fstat64), SCMP_SYS(lstat64), SCMP_SYS(fstatat64), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs), SCMP_SYS(statfs64), SCMP_SYS(fstatfs64), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
    SCMP_SYS(getdents64), SCMP_SYS(getcwd), SCMP_SYS(mkdir), SCMP_SYS(mkdirat), SCMP_SYS(unlink),
    SCMP_SYS(unlinkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2),
    /* memory of the process itself */
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(mprotect), SCMP_SYS(mincore), SCMP_SYS(msync), SCMP_SYS(get_mempolicy),
    SCMP_SYS(set_mempolicy), SCMP_SYS(membarrier),
    /* threads, and signals that the process handles */
    SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address),
    SCMP_SYS(rseq), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_yield), SCMP_SYS(getcpu),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn),
    SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group),
    SCMP_SYS(arch_prctl), SCMP_SYS(set_tls), SCMP_SYS(set_thread_area), SCMP_SYS(cacheflush),
    SCMP_SYS(riscv_flush_icache),
    /* facts about the process and the machine, and time */
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getuid32), SCMP_SYS(geteuid32),
    SCMP_SYS(getgid32), SCMP_SYS(getegid32), SCMP_SYS(getrlimit), SCMP_SYS(ugetrlimit),
    SCMP_SYS(setrlimit), SCMP_SYS(getrusage), SCMP_SYS(sysinfo), SCMP_SYS(uname),
    SCMP_SYS(getrandom), SCMP_SYS(time), SCMP_SYS(gettimeofday), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64), SCMP_SYS(clock_getres), SCMP_SYS(clock_getres_time64),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64)
};

#define COMMAND(n, value)                                                                          \
    {                                                                                              \
        n, SCMP_CMP_MASKED_EQ, UINT32_MAX, value                                                   \
    }

/* Calls that are allowed only with some arguments. All comparisons of a row must hold; a row has
 * one or two. Commands are compared as 32 bits, since the upper half of the register is ignored. */
static const struct {
    int call;
    unsigned n;
    struct scmp_arg_cmp when[2];
} allowed_with[] = {
    { SCMP_SYS(clone), 1, { { 0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD } } },
    /* abort() signals its own process */
    { SCMP_SYS(kill), 1, { COMMAND(0, FILTER_SELF) } },
    { SCMP_SYS(tgkill), 1, { COMMAND(0, FILTER_SELF) } },
    { SCMP_SYS(prlimit64), 1, { COMMAND(0, 0) } },
    { SCMP_SYS(madvise), 1, { { 2, SCMP_CMP_LT, ADVICE_HARMFUL, 0 } } },
    { SCMP_SYS(prctl), 1, { COMMAND(0, PR_SET_NAME) } },
    { SCMP_SYS(prctl), 1, { COMMAND(0, PR_GET_NAME) } },
    { SCMP_SYS(prctl), 1, { COMMAND(0, VMA_NAMES) } },
    /* isatty() */
    { SCMP_SYS(ioctl), 1, { COMMAND(1, TCGETS) } },
    { SCMP_SYS(ioctl), 1, { COMMAND(1, TCGETS_NEW) } },
/* F_SETOWN, F_SETSIG and O_ASYNC are missing, since they make the kernel send signals to other
 * processes; a terminal with O_ASYNC does so without an owner */
#define FCNTL(call)                                                                                \
    { SCMP_SYS(call), 1, { COMMAND(1, F_DUPFD) } },                                                \
        { SCMP_SYS(call), 1, { COMMAND(1, F_DUPFD_CLOEXEC) } },                                    \
        { SCMP_SYS(call), 1, { COMMAND(1, F_GETFD) } },                                            \
        { SCMP_SYS(call), 1, { COMMAND(1, F_SETFD) } },                                            \
        { SCMP_SYS(call), 1, { COMMAND(1, F_GETFL) } },                                            \
    {                                                                                              \
        SCMP_SYS(call), 2,                                                                         \
        {                                                                                          \
            COMMAND(1, F_SETFL),                                                                   \
            {                                                                                      \
                2, SCMP_CMP_MASKED_EQ, O_ASYNC, 0                                                  \
            }                                                                                      \
        }                                                                                          \
    }
    FCNTL(fcntl),
    FCNTL(fcntl64),
};

static bool allow_calls(scmp_filter_ctx filter)
{
    bool good = true;

    for (size_t i = 0; good && i < sizeof allowed / sizeof *allowed; i++)
        good = !seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0);
    for (size_t i = 0; good && i < sizeof allowed_with / sizeof *allowed_with; i++)
        good = !seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, allowed_with[i].call,
                                       allowed_with[i].n, allowed_with[i].when);
    return good;
}

static bool print_rows(FILE *program)
{
    struct sock_filter row;
    bool any = false;

    rewind(program);
    for (; fread(&row, sizeof row, 1, program) == 1; any = true)
        printf("{ %#x, %u, %u, %#x },\n", row.code, row.jt, row.jf, row.k);
    return any && fflush(stdout) == 0;
}

int main(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    FILE *program = tmpfile();
    bool good = filter && program;

    /* Calls of another architecture fail as well, instead of killing the thread. */
    good = good && !seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    /* Use a binary search: the kernel runs the filter for every call number when it installs it. */
    good = good && allow_calls(filter) && !seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) &&
           !seccomp_export_bpf(filter, fileno(program)) && print_rows(program);
    if (!good)
        fputs("make_filter: the filter of system calls cannot be made\n", stderr);
    if (program)
        fclose(program);
    seccomp_release(filter);
    return good ? 0 : 1;
}
