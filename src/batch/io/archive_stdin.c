/* archive_stdin: reads an archive from a pipe. */
#include "batch/io/archive_index.h"

#include "base/files.h"
#include "base/eintr.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Copies stdin to the file `to`. Returns 0, or the error number. */
static int copy_all(int to)
{
    enum { STEP = 1 << 18 };
    char *bytes = memory_take(STEP);
    ssize_t got;
    int error = 0;

    while (!error && (got = TEMP_FAILURE_RETRY(read(STDIN_FILENO, bytes, STEP))) != 0)
        if (got < 0 || !file_write_all(to, bytes, (size_t)got))
            error = errno;
    free(bytes);
    return error;
}

int archive_copy_stdin(struct stat *status, struct text *why)
{
    int to, error;

    if (isatty(STDIN_FILENO)) {
        text_adds(why, "it is a terminal; an archive is read from a pipe or a file");
        return -1;
    }
    to = file_open_unnamed("archive");
    error = to < 0 ? errno : copy_all(to);
    if (!error && fstat(to, status) == 0)
        return to;
    errno = error ? error : errno;
    text_addf(why,
              "it cannot be copied to a temporary file: %s; set TMPDIR to a folder that has room, "
              "or write the archive to a file",
              errno_text());
    if (to >= 0)
        close(to);
    return -1;
}
