/* syscall_filter: restricts a worker to the system calls that it needs, by seccomp. */
#include "batch/process/sandbox.h"

#include "batch/process/filter/self.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Made by filter/make_filter.c. */
static const struct sock_filter rows[] = {
#include "filter.inc"
};

bool sandbox_filter_calls(void)
{
    struct sock_filter own[COUNTOF(rows)];
    struct sock_fprog program = { COUNTOF(rows), own };

    for (size_t i = 0; i < COUNTOF(rows); i++) {
        own[i] = rows[i];
        if (own[i].k == FILTER_SELF)
            own[i].k = (uint32_t)getpid();
    }
    /* Without this flag, kernels before 5.16 slow down a filtered process to prevent side-channel
     * attacks. */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                   &program) == 0;
}

bool sandbox_can_filter(void)
{
    const uint32_t action = SECCOMP_RET_ERRNO;

    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}
