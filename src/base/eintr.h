/* eintr: a system call that a signal has interrupted is made again.
 *
 * Handlers are set with SA_RESTART, and the supervisor lets signals come only while it waits; but
 * calls about files on FUSE or NFS fail with EINTR even so, for instance when a process is stopped
 * and continued. close(2) is not made again: Linux has closed the file, and EINTR is no failure. */
#pragma once

#include <errno.h>
#include <unistd.h>

/* The value of the call, an int. */
#define RETRY(call) ((int)TEMP_FAILURE_RETRY(call))
