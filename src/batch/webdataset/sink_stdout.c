/* sink_stdout: writes samples as one tar to stdout. */
#include "batch/webdataset/sink.h"

#include "batch/process/signals.h"
#include "batch/io/tar_write.h"

#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, LOOK_EVERY_MS = 100, AFTER_SIGNAL_MS = 1000 };

/* Makes room for the mark of a cut tar in a pipe that is full. */
static void widen_pipe(void)
{
    int size = fcntl(STDOUT_FILENO, F_GETPIPE_SZ);

    if (size > 0)
        (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 2 * size);
}

/* Waits until stdout can be written. A pipe that polls as writable takes PIPE_BUF bytes at once, so
 * write never blocks, where a signal would have to wait, too. After a signal, one second remains
 * for what must still be written. */
static bool wait_for_room(struct stdout_sink *s)
{
    struct pollfd poll_fd = { .fd = STDOUT_FILENO, .events = POLLOUT };
    int ready = 0;

    while (!ready) {
        if (signals_end() && !s->is_ending)
            widen_pipe();
        s->is_ending = signals_end() != 0;
        if (s->is_ending && (s->waited_ms >= AFTER_SIGNAL_MS || signals_has_repeat())) {
            errno = EINTR;
            return false;
        }
        ready = RETRY(poll(&poll_fd, 1, LOOK_EVERY_MS));
        s->waited_ms += s->is_ending && !ready ? LOOK_EVERY_MS : 0;
    }
    return ready > 0;
}

static ssize_t write_pieces(void *cookie, const char *bytes, size_t length)
{
    struct stdout_sink *s = cookie;
    size_t done = 0;

    while (done < length && !s->error) {
        size_t piece = length - done < PIPE_BUF ? length - done : PIPE_BUF;
        ssize_t n = wait_for_room(s) ? write(STDOUT_FILENO, bytes + done, piece) : -1;

        if (n >= 0)
            done += (size_t)n;
        else if (errno != EAGAIN && (errno != EINTR || s->is_ending))
            s->error = errno;
    }
    return done == length ? (ssize_t)length : 0;
}

/* Reports the first error, since the FILE does not keep its errno. */
static bool is_well(struct stdout_sink *s, struct text *why)
{
    if (!ferror(s->file))
        return true;
    errno = s->error;
    text_addf(why, "stdout: %s [stdout-unwritable]", errno_text());
    return false;
}

static bool put(struct sink *sink, const struct sink_member *members, size_t n, struct text *why)
{
    struct stdout_sink *s = (struct stdout_sink *)sink;

    for (size_t i = 0; i < n; i++)
        tar_add(s->file, members[i].name, members[i].bytes, s->time);
    return is_well(s, why);
}

static bool end(struct sink *sink, bool good, struct text *why)
{
    struct stdout_sink *s = (struct stdout_sink *)sink;

    if (!good)
        return false;
    (void)fflush(s->file);
    return is_well(s, why);
}

static bool is_left(const struct sink *sink)
{
    return ((const struct stdout_sink *)sink)->error == EPIPE;
}

bool sink_stdout(struct stdout_sink *s)
{
    static const cookie_io_functions_t calls = { .write = write_pieces };

    *s = (struct stdout_sink){ .sink = { NULL, NULL, put, end, is_left }, .time = tar_time() };
    s->file = fopencookie(s, "w", calls);
    if (s->file)
        setvbuf(s->file, NULL, _IOFBF, BUFFER);
    return s->file;
}

/* Writes the end of the tar in one piece: all of it is written, or nothing. In the latter case the
 * mark of a cut tar can follow. */
static bool write_end(struct stdout_sink *s)
{
    (void)fflush(s->file);
    if (signals_end() || ferror(s->file))
        return false;
    s->waited_ms = AFTER_SIGNAL_MS; /* a signal that comes while it waits cuts the tar short */
    tar_end(s->file);
    (void)fflush(s->file);
    if (s->error != EINTR)
        return true;
    __fpurge(s->file);
    clearerr(s->file);
    s->error = 0;
    s->waited_ms = 0;
    return false;
}

bool sink_stdout_close(struct stdout_sink *s, bool good, struct text *why)
{
    bool ended = good && write_end(s);

    if (!ended)
        tar_cut(s->file);
    (void)fflush(s->file);
    good = good && (signals_end() && !ended ? false : is_well(s, why));
    (void)fclose(s->file);
    s->file = NULL;
    return good;
}
