/* supervisor: hands records to workers, takes their reports in input order, and ends well or early.
 */
#include "collect.h"
#include "mapped.h"
#include "outdir.h"
#include "progress.h"
#include "worker.h"

#include "../base/message.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LEAD = 64 }; /* records a worker may be ahead of the oldest unfinished one, per worker */

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

/* Reports that wait for an earlier one. */
struct waiting {
    bool there;
    struct report report;
};

struct supervisor {
    const struct job *job;
    struct worker *workers;
    struct collect collect;
    struct meter meter;
    struct waiting *window; /* a ring over the next `n_window` records */
    size_t n_window;
    size_t next_given, next_taken;
    size_t *again; /* records to be tried once more, alone ahead of others */
    size_t n_again;
    bool *tried;    /* records that have killed a worker once */
    int exit;       /* EXIT_DONE while all is well */
    sigset_t awake; /* the signals' mask while it waits */
};

static void complain(struct supervisor *s, const char *name, const char *why)
{
    struct text line = { 0 };

    meter_pause(&s->meter);
    text_adds(&line, "lockstep: error: ");
    if (strncmp(why, name, strlen(name)) != 0)
        text_addf(&line, "%s: ", name);
    text_adds(&line, why);
    message_print("%s", text_string(&line));
    text_drop(&line);
}

/* --- reports --- */

static int exit_of(enum outcome outcome)
{
    switch (outcome) {
    case OUTCOME_DONE:
        return EXIT_DONE;
    case OUTCOME_INPUT:
    case OUTCOME_CHANGED:
        return EXIT_INPUT;
    case OUTCOME_OUTPUT:
        return EXIT_OUTPUT;
    case OUTCOME_MEMORY:
        return EXIT_RESOURCES;
    default:
        return EXIT_INTERNAL;
    }
}

/* Give the collector all reports that are next in line. */
static void flush_window(struct supervisor *s)
{
    struct text why = { 0 };

    while (!s->exit && s->next_taken < s->job->n_records) {
        struct waiting *w = &s->window[s->next_taken % s->n_window];
        enum outcome outcome = w->report.outcome;

        if (!w->there)
            break;
        report_add_code(&w->report);
        if (outcome == OUTCOME_CHANGED)
            complain(s, "", text_string(&w->report.why));
        else if (outcome != OUTCOME_DONE)
            complain(s, s->job->dataset->records[s->next_taken].name, text_string(&w->report.why));
        if (outcome == OUTCOME_OUTPUT || outcome == OUTCOME_CHANGED ||
            (outcome != OUTCOME_DONE && s->job->on_error == ON_ERROR_FAIL)) {
            s->exit = exit_of(outcome);
            break;
        }
        if (!collect_take(&s->collect, s->next_taken, &w->report, &why)) {
            complain(s, s->job->out, text_string(&why));
            s->exit = EXIT_OUTPUT;
        }
        w->there = false;
        s->next_taken++;
        meter_step(&s->meter, outcome != OUTCOME_DONE);
    }
    text_drop(&why);
}

static void note_report(struct supervisor *s, size_t record, struct report *report)
{
    struct waiting *w = &s->window[record % s->n_window];
    struct report spare = w->report;

    w->report = *report;
    w->there = true;
    *report = spare;
    flush_window(s);
}

/* --- workers that die --- */

static void report_death(int status, struct report *report)
{
    struct text *why = &report->why;

    report_clear(report);
    report->outcome = OUTCOME_CRASHED;
    if (WIFSIGNALED(status)) {
        text_addf(why, "the worker that had it died of signal %d (%s)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == EXIT_RESOURCES) {
        report->outcome = OUTCOME_MEMORY;
        text_adds(why, "out of memory");
    } else {
        text_addf(why, "the worker that had it ended with code %d", WEXITSTATUS(status));
    }
}

/* Wait for it, with what it left half written removed. */
static int put_down(const struct job *job, struct worker *w, bool kill_it)
{
    pid_t pid = w->pid;
    int status = worker_stop(w, kill_it);

    if (pid)
        outdir_unpart(job->outdir, pid);
    return status;
}

/* A worker may have died of annotations that were changed: then the run ends. */
static void check_annotations(struct supervisor *s)
{
    struct text why = { 0 };

    if (!mapped_check(true, &why)) {
        complain(s, "", text_string(&why));
        s->exit = EXIT_INPUT;
    }
    text_drop(&why);
}

/* The first record of its queue has killed it: tried once more, then given up. The others had no
 * part in it. */
static void bury(struct supervisor *s, struct worker *w, struct report *report)
{
    size_t queue[WORKER_QUEUE], n = w->n_queue;
    int status;

    memcpy(queue, w->queue, sizeof queue);
    status = put_down(s->job, w, false);
    check_annotations(s);
    for (size_t i = 0; i < n; i++)
        outdir_unwrite(s->job->outdir, queue[i], 0);
    if (!s->exit && n && s->tried[queue[0]]) {
        report_death(status, report);
        note_report(s, queue[0], report);
        queue[0] = queue[1];
        n--;
    } else if (n) {
        s->tried[queue[0]] = true;
    }
    for (size_t i = 0; i < n; i++)
        s->again[s->n_again++] = queue[i];
    if (!s->exit &&
        !worker_start(w, s->workers, (size_t)s->job->jobs, s->job, &s->collect.objects)) {
        complain(s, "fork", errno_text());
        s->exit = EXIT_RESOURCES;
    }
}

/* --- the loop --- */

static bool next_record(struct supervisor *s, size_t *record)
{
    if (s->n_again) {
        *record = s->again[--s->n_again];
        return true;
    }
    if (s->next_given == s->job->n_records || s->next_given >= s->next_taken + s->n_window)
        return false;
    *record = s->next_given++;
    return true;
}

static void feed(struct supervisor *s, struct worker *w)
{
    size_t record;

    while (w->pid && w->n_queue < WORKER_QUEUE && next_record(s, &record))
        worker_give(w, record); /* a dead worker is noticed when its pipe ends */
}

static void receive(struct supervisor *s, struct worker *w, struct report *report)
{
    struct slice packed;
    size_t record;

    switch (worker_receive(w, &record, &packed)) {
    case RECEIVED_PART:
        break;
    case RECEIVED_END:
        bury(s, w, report);
        break;
    case RECEIVED_REPORT:
        if (report_unpack(packed, report)) {
            note_report(s, record, report);
        } else {
            complain(s, "", "a worker's report is damaged");
            s->exit = EXIT_INTERNAL;
        }
    }
}

static void serve(struct supervisor *s, struct pollfd *polls)
{
    struct report report = { 0 };
    size_t n = (size_t)s->job->jobs;

    while (!s->exit && !caught && s->next_taken < s->job->n_records) {
        for (size_t i = 0; i < n; i++) {
            feed(s, &s->workers[i]);
            polls[i] = (struct pollfd){ .fd = s->workers[i].n_queue ? s->workers[i].from : -1,
                                        .events = POLLIN };
        }
        if (ppoll(polls, n, NULL, &s->awake) < 0)
            continue; /* a signal: seen above */
        for (size_t i = 0; i < n && !s->exit; i++) {
            if (!(polls[i].revents & (POLLIN | POLLHUP | POLLERR)))
                continue;
            receive(s, &s->workers[i], &report);
        }
    }
    report_drop(&report);
}

/* Once for all images; nobody is spared it. */
static void tell_sizes(size_t resized)
{
    if (resized)
        message_print("lockstep: warning: of %zu image%s the annotations had another size than the "
                      "file, which is taken (--trust file) [size-differs]",
                      resized, resized == 1 ? "" : "s");
}

static void tell_count(const struct job *job, size_t n, size_t record, const char *what)
{
    if (n && job->verbosity >= 0)
        message_print("lockstep: warning: %zu image%s, %s%s: %s", n, n == 1 ? "" : "s",
                      n > 1 ? "first " : "", job->dataset->records[record].name, what);
}

static void tell_files(const struct job *job, const struct collect *c)
{
    tell_sizes(c->counts.resized);
    tell_count(job, c->counts.several, c->first_several,
               "of several frames or pages only the first is taken; --on-frames fail refuses them "
               "[frames-dropped]");
    tell_count(job, c->counts.misnamed, c->first_misnamed,
               "written in the format of its data, which is not the one its name says; --format "
               "sets one [format-misnamed]");
}

static void summarise(const struct supervisor *s)
{
    const struct collect *c = &s->collect;
    double seconds = meter_seconds(&s->meter);
    struct text line = { 0 };

    tell_files(s->job, c);
    if (s->job->verbosity < 0)
        return;
    text_addf(&line, "lockstep: %zu image%s from %zu", c->counts.outputs,
              c->counts.outputs == 1 ? "" : "s", c->done);
    if (s->job->dataset->format)
        text_addf(&line, ", %zu annotation%s from %zu", c->counts.objects_out,
                  c->counts.objects_out == 1 ? "" : "s", c->counts.objects_in);
    if (s->job->plan->rules.reject_image_if.given)
        text_addf(&line, "; %zu attempts rejected, %zu copies given up", c->counts.rejected,
                  c->counts.given_up);
    if (c->skipped)
        text_addf(&line, "; %zu skipped, see %s/errors.jsonl", c->skipped, s->job->out);
    message_print("%s; %.1f s, %.0f images/s; in %s", text_string(&line), seconds,
                  (double)c->counts.outputs / (seconds > 0.001 ? seconds : 0.001), s->job->out);
    text_drop(&line);
}

/* Signals come only while it waits for workers: none can come between a look at `caught` and the
 * wait. */
static void catch_signals(sigset_t *awake)
{
    sigset_t asleep;

    struct sigaction action = { .sa_handler = on_signal };
    const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction before[COUNTOF(numbers)];

    sigemptyset(&asleep);
    for (size_t i = 0; i < COUNTOF(numbers); i++)
        sigaddset(&asleep, numbers[i]);
    sigprocmask(SIG_BLOCK, &asleep, awake);
    for (size_t i = 0; i < COUNTOF(numbers); i++)
        sigaction(numbers[i], &action, &before[i]);
    if (before[2].sa_handler == SIG_IGN)
        signal(SIGHUP, SIG_IGN); /* nohup's wish */
    signal(SIGPIPE, SIG_IGN);    /* a worker's death shows at its pipe */
    signal(SIGXFSZ, SIG_IGN);    /* a file that grows past its limit is reported by write */
}

static bool start(struct supervisor *s)
{
    struct text why = { 0 };
    bool good = collect_start(&s->collect, s->job, &why);

    if (!good) {
        message_print("lockstep: error: %s [out-unwritable]", text_string(&why));
        s->exit = EXIT_OUTPUT;
    }
    text_drop(&why);
    for (int i = 0; good && i < s->job->jobs; i++)
        if (!worker_start(&s->workers[i], s->workers, (size_t)s->job->jobs, s->job,
                          &s->collect.objects)) {
            message_print("lockstep: error: cannot start a worker: %s [worker-start]",
                          errno_text());
            s->exit = EXIT_RESOURCES;
            good = false;
        }
    return good;
}

static void finish(struct supervisor *s)
{
    struct text why = { 0 };

    meter_pause(&s->meter);
    if (caught) {
        s->exit = EXIT_SIGNAL + caught;
        message_print("lockstep: error: interrupted by signal %d (%s) [interrupted]", (int)caught,
                      strsignal(caught));
    }
    if (s->exit) {
        collect_drop(&s->collect);
        if (s->next_given)
            message_print(
                "lockstep: error: %s is unfinished: %zu of %zu image%s were done and there is "
                "no manifest; run again with --overwrite [out-unfinished]",
                s->job->out, s->next_taken, s->job->n_records, s->job->n_records == 1 ? "" : "s");
    } else if (!collect_finish(&s->collect, &why)) {
        complain(s, s->collect.changed ? "" : s->job->out, text_string(&why));
        s->exit = s->collect.changed ? EXIT_INPUT : EXIT_OUTPUT;
    } else {
        summarise(s);
        s->exit = s->collect.skipped ? EXIT_PARTIAL : EXIT_DONE;
    }
    text_drop(&why);
}

int job_run(const struct job *job)
{
    struct supervisor s = { .job = job };
    size_t n = (size_t)job->jobs;
    struct pollfd *polls = memory_take(n * sizeof *polls);

    s.n_window = LEAD * n;
    s.workers = calloc(n, sizeof *s.workers);
    s.window = calloc(s.n_window, sizeof *s.window);
    s.again = calloc(n * WORKER_QUEUE, sizeof *s.again);
    s.tried = calloc(job->n_records + 1, sizeof *s.tried);
    if (!s.workers || !s.window || !s.again || !s.tried)
        memory_gone(s.n_window * sizeof *s.window);
    catch_signals(&s.awake);
    meter_start(&s.meter, job);
    if (start(&s))
        serve(&s, polls);
    for (size_t i = 0; i < n; i++)
        put_down(job, &s.workers[i], s.exit || caught);
    finish(&s);
    for (size_t i = 0; i < s.n_window; i++)
        report_drop(&s.window[i].report);
    free(polls);
    free(s.workers);
    free(s.window);
    free(s.again);
    free(s.tried);
    return s.exit;
}

/* Dry: in this process, for nothing is forked after it. */
int job_dry_run(const struct job *job)
{
    struct bench bench = { 0 };
    struct report report = { 0 };
    struct supervisor s = { .job = job, .meter = { .style = PROGRESS_NONE } };
    size_t failed = 0;

    for (size_t r = 0; r < job->n_records; r++) {
        record_run(job, &bench, r, true, &report);
        if (report.outcome == OUTCOME_DONE) {
            fputs(text_string(&report.manifest), stdout);
            collect_count(&s.collect, r, &report.counts);
            continue;
        }
        failed++;
        report_add_code(&report);
        complain(&s, job->dataset->records[r].name, text_string(&report.why));
        if (job->on_error == ON_ERROR_FAIL)
            break;
    }
    tell_files(job, &s.collect);
    report_drop(&report);
    bench_drop(&bench);
    check_annotations(&s);
    if (s.exit)
        return s.exit;
    if (failed)
        return job->on_error == ON_ERROR_FAIL ? EXIT_INPUT : EXIT_PARTIAL;
    return EXIT_DONE;
}
