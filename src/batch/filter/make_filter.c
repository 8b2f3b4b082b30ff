/* make_filter: prints the seccomp filter of workers as the rows of a BPF program, when lockstep is
 * built: the library takes longer to make it than a small image takes.
 *
 * The filter lets calls pass but for those of which a worker that decodes has no use. */
#include "self.h"

#include <errno.h>
#include <linux/filter.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Later than the headers of the library that is built with; the same numbers everywhere. */
enum { CALL_FCHMODAT2 = 452, CALL_SETXATTRAT = 463, CALL_REMOVEXATTRAT = 466 };
/* Of linux/tiocl.h, which is not everywhere. */
enum { IOCTL_TIOCLINUX = 0x541c };

/* Calls that the machine does not have are negative numbers, and ignored by the library. */
static const int refused[] = {
    /* the network, and talking to other processes */
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(socketcall), SCMP_SYS(connect), SCMP_SYS(bind),
    SCMP_SYS(listen), SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto), SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg), SCMP_SYS(io_uring_setup), SCMP_SYS(msgget), SCMP_SYS(shmget),
    SCMP_SYS(semget), SCMP_SYS(mq_open),
    /* programs and processes; a thread is made by clone */
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(unshare),
    SCMP_SYS(setns), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_send_signal), SCMP_SYS(pidfd_getfd), SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(process_madvise),
    SCMP_SYS(kcmp), SCMP_SYS(setsid), SCMP_SYS(setpgid),
    /* files: what rules of Landlock do not cover */
    SCMP_SYS(truncate), SCMP_SYS(truncate64), SCMP_SYS(chmod), SCMP_SYS(fchmod), SCMP_SYS(fchmodat),
    CALL_FCHMODAT2, SCMP_SYS(chown), SCMP_SYS(fchown), SCMP_SYS(lchown), SCMP_SYS(fchownat),
    SCMP_SYS(chown32), SCMP_SYS(fchown32), SCMP_SYS(lchown32), SCMP_SYS(utime), SCMP_SYS(utimes),
    SCMP_SYS(futimesat), SCMP_SYS(utimensat), SCMP_SYS(utimensat_time64), SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr), SCMP_SYS(fsetxattr), CALL_SETXATTRAT, SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr), CALL_REMOVEXATTRAT, SCMP_SYS(mknod),
    SCMP_SYS(mknodat), SCMP_SYS(open_by_handle_at),
    /* the system, for workers of root */
    SCMP_SYS(mount), SCMP_SYS(umount), SCMP_SYS(umount2), SCMP_SYS(pivot_root), SCMP_SYS(chroot),
    SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen), SCMP_SYS(init_module),
    SCMP_SYS(finit_module), SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
    SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon), SCMP_SYS(swapoff),
    SCMP_SYS(acct), SCMP_SYS(quotactl), SCMP_SYS(settimeofday), SCMP_SYS(clock_settime),
    SCMP_SYS(adjtimex), SCMP_SYS(clock_adjtime), SCMP_SYS(sethostname), SCMP_SYS(setdomainname),
    SCMP_SYS(ioperm), SCMP_SYS(iopl), SCMP_SYS(syslog),
    /* parts of the kernel with a history of faults */
    SCMP_SYS(bpf), SCMP_SYS(perf_event_open), SCMP_SYS(userfaultfd), SCMP_SYS(keyctl),
    SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(fanotify_init)
};

/* Calls that are refused with some arguments only. */
static const struct {
    int call;
    struct scmp_arg_cmp when; /* which argument, how it compares */
} refused_with[] = {
    { SCMP_SYS(clone), { 0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0 } },
    /* to itself is allowed: abort() does */
    { SCMP_SYS(kill), { 0, SCMP_CMP_NE, FILTER_SELF, 0 } },
    { SCMP_SYS(tgkill), { 0, SCMP_CMP_NE, FILTER_SELF, 0 } },
    { SCMP_SYS(prlimit64), { 0, SCMP_CMP_NE, 0, 0 } },
    /* it ends with the supervisor */
    { SCMP_SYS(prctl), { 0, SCMP_CMP_EQ, PR_SET_PDEATHSIG, 0 } },
    /* what is typed at the terminal */
    { SCMP_SYS(ioctl), { 1, SCMP_CMP_MASKED_EQ, UINT32_MAX, TIOCSTI } },
    { SCMP_SYS(ioctl), { 1, SCMP_CMP_MASKED_EQ, UINT32_MAX, IOCTL_TIOCLINUX } },
};

static bool refuse_calls(scmp_filter_ctx filter)
{
    const uint32_t no = SCMP_ACT_ERRNO(EPERM);
    bool good = true;

    for (size_t i = 0; good && i < sizeof refused / sizeof *refused; i++)
        good = !seccomp_rule_add(filter, no, refused[i], 0);
    for (size_t i = 0; good && i < sizeof refused_with / sizeof *refused_with; i++)
        good = !seccomp_rule_add_array(filter, no, refused_with[i].call, 1, &refused_with[i].when);
    /* glibc makes threads by clone where there is no clone3, whose flags a filter cannot see. */
    return good && !seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
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
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    FILE *program = tmpfile();
    bool good = filter && program;

    /* Searched by halves: the kernel tries all calls when it takes a filter. */
    good = good && refuse_calls(filter) && !seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2) &&
           !seccomp_export_bpf(filter, fileno(program)) && print_rows(program);
    if (!good)
        fputs("make_filter: the filter of system calls cannot be made\n", stderr);
    if (program)
        fclose(program);
    seccomp_release(filter);
    return good ? 0 : 1;
}
