/* progress: shows the progress of a run on stderr. */
#include "batch/run/progress.h"

#include "base/clock.h"
#include "base/environment.h"
#include "base/stderr_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Returns a monotonic time in seconds. */
static double now(void)
{
    return (double)clock_now() / 1e9;
}

static bool is_terminal(void)
{
    const char *term = environment_get("TERM");

    return isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

void progress_start(struct progress_report *m, const struct job *job)
{
    *m = (struct progress_report){ .style = job->run.progress, .total = job->images.n_records };
    if (m->style == PROGRESS_AUTO)
        m->style = job->run.verbosity < 0 ? PROGRESS_NONE
                   : message_is_json()    ? PROGRESS_PLAIN
                   : is_terminal()        ? PROGRESS_BAR
                                          : PROGRESS_PLAIN;
    m->began = m->shown = now();
}

double progress_seconds(const struct progress_report *m)
{
    return now() - m->began;
}

static int columns(void)
{
    struct winsize size;
    const char *given = environment_get("COLUMNS");

    if (given && atoi(given) > 0)
        return atoi(given);
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

static void print_time(double seconds, char *out, size_t room)
{
    long s = (long)(seconds + 0.5);

    if (s < 3600)
        snprintf(out, room, "%ld:%02ld", s / 60, s % 60);
    else
        snprintf(out, room, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

static void print_bar(const struct progress_report *m)
{
    double seconds = progress_seconds(m),
           rate = seconds > 0 ? (double)(m->done - m->before) / seconds : 0;
    char left[32], tail[160];
    int max = columns() - 2, width, full; /* a line that fills the width may wrap */

    print_time(rate > 0 ? (double)(m->total - m->done) / rate : 0, left, sizeof left);
    snprintf(tail, sizeof tail, "%zu/%zu  %.0f images/s  %s left", m->done, m->total, rate, left);
    if (m->failed)
        snprintf(tail + strlen(tail), sizeof tail - strlen(tail), "  %zu failed", m->failed);
    width = max - (int)strlen(tail) - (int)strlen("[] ");
    full = m->total ? (int)((double)width * (double)m->done / (double)m->total) : 0;
    fputs(width > 0 ? "\r[" : "\r", stderr);
    for (int i = 0; i < width; i++)
        fputc(i < full ? '#' : '.', stderr);
    fprintf(stderr, "%s%.*s\033[K", width > 0 ? "] " : "", max > 0 ? max : 0, tail);
    fflush(stderr);
}

static void print_line(const struct progress_report *m)
{
    double seconds = progress_seconds(m);
    struct text line = { 0 };

    text_addf(&line, "lockstep: %zu of %zu images", m->done, m->total);
    if (seconds > 0.05)
        text_addf(&line, ", %.0f images/s", (double)(m->done - m->before) / seconds);
    if (m->failed)
        text_addf(&line, ", %zu failed", m->failed);
    message_print("%s", text_string(&line));
    text_drop(&line);
}

void progress_skip(struct progress_report *m, size_t n)
{
    m->done += n;
    m->before += n;
}

void progress_print(const struct progress_report *m)
{
    progress_pause(m);
    print_line(m);
}

void progress_step(struct progress_report *m, bool failed)
{
    double t = now();

    m->done++;
    m->failed += failed;
    if (m->style == PROGRESS_BAR && (t - m->shown > 0.1 || m->done == m->total)) {
        print_bar(m);
        m->shown = t;
    }
    if (m->style == PROGRESS_PLAIN && m->total >= 10) {
        unsigned tenths = (unsigned)(10 * m->done / m->total);

        if ((tenths > m->tenths && t - m->shown > 2) || t - m->shown > 30) {
            print_line(m);
            m->tenths = tenths;
            m->shown = t;
        }
    }
}

void progress_pause(const struct progress_report *m)
{
    if (m->style == PROGRESS_BAR)
        fprintf(stderr, "\r\033[K");
}
