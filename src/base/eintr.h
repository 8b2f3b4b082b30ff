/* eintr: repeats a system call that a signal interrupted.
 *
 * Handlers are set with SA_RESTART, and the supervisor accepts signals only while it waits. But
 * calls on files of FUSE or NFS fail with EINTR even so, for instance when a process is stopped and
 * continued. close(2) is not repeated: Linux has closed the file, and EINTR is not a failure. */
#pragma once

#include <errno.h>
#include <unistd.h>

/* Returns the value of the call, an int. */
#define RETRY(call) ((int)TEMP_FAILURE_RETRY(call))
