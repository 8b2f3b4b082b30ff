/* supervisor: hands records to workers, keeps their reports in the journal, ends well or early. */
#include "collect.h"
#include "mapped.h"
#include "outdir.h"
#include "progress.h"
#include "resume.h"
#include "session.h"
#include "signals.h"
#include "summary.h"
#include "syncer.h"
#include "worker.h"

#include "../base/message.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    GRACE_MS = 1500, /* after a signal, for what workers have started */
    SYNC_EVERY_MS = 3000,
};

struct supervisor {
    const struct job *job;
    struct worker *workers;
    struct collect collect;
    struct meter meter;
    struct syncer syncer;
    int64_t sync_at;   /* ms: when to synchronise next */
    uint64_t sync_end; /* of the journal, when the syncer was asked */
    int64_t end_at;    /* ms: when a signal ends the run at the latest; 0: none came */
    size_t next;       /* record that nobody was given yet */
    size_t given;      /* records that are with workers */
    bool stopping;     /* nobody is given any more */
    size_t *again;     /* records to be tried once more, alone ahead of others */
    size_t n_again;
    bool *tried;   /* records that have killed a worker once */
    size_t failed; /* with --on-error fail: the first image that did */
    int failed_exit;
    const char *failed_name;
    struct text failed_why;
    int exit;       /* EXIT_DONE while all is well */
    sigset_t awake; /* the signals' mask while it waits */
};

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The run ends. */
static void fail(struct supervisor *s, enum outcome outcome, const char *name, const char *why)
{
    struct text line = { 0 };

    text_adds(&line, why);
    outcome_add_code(outcome, &line);
    summary_complain(&s->meter, name, text_string(&line));
    text_drop(&line);
    s->exit = outcome_exit(outcome);
}

static void fail_to_start(struct supervisor *s)
{
    struct text why = { 0 };

    text_addf(&why, "cannot start a process: %s [worker-start]", errno_text());
    fail(s, OUTCOME_MEMORY, "", text_string(&why));
    text_drop(&why);
}

/* --- reports --- */

/* The run ends when the records that are with workers are done: those before `record` are among
 * them, so that whichever image ends a run is the same one for any number of workers. */
static void stop_at(struct supervisor *s, size_t record, const struct report_view *r)
{
    if (s->stopping && record > s->failed)
        return;
    s->stopping = true;
    s->failed = record;
    s->failed_name = s->job->dataset->records[record].name;
    s->failed_exit = outcome_exit(r->outcome);
    text_clear(&s->failed_why);
    text_add(&s->failed_why, r->why.at, r->why.length);
}

/* With --on-error skip: are these more failures than the user allows? */
static void check_errors(struct supervisor *s, enum outcome outcome)
{
    if (s->job->on_error != ON_ERROR_SKIP || s->job->max_errors < 0 || s->stopping ||
        s->collect.skipped <= (uint64_t)s->job->max_errors)
        return;
    s->stopping = true;
    s->failed = 0; /* and nothing before it is waited for */
    s->failed_name = s->job->out;
    s->failed_exit = outcome_exit(outcome);
    text_addf(&s->failed_why, "more than %lld images failed (--max-errors) [errors-most]",
              (long long)s->job->max_errors);
}

static void take_report(struct supervisor *s, size_t record, struct slice packed)
{
    const char *name = s->job->dataset->records[record].name;
    struct text why = { 0 };
    struct report_view r;

    if (!report_view(packed, &r)) {
        fail(s, OUTCOME_CRASHED, "", "a worker's report is damaged");
        return;
    }
    text_add(&why, r.why.at, r.why.length);
    if (r.outcome == OUTCOME_OUTPUT || r.outcome == OUTCOME_CHANGED) {
        fail(s, r.outcome, r.outcome == OUTCOME_CHANGED ? "" : name, text_string(&why));
    } else {
        if (r.outcome != OUTCOME_DONE && s->job->on_error == ON_ERROR_FAIL)
            stop_at(s, record, &r);
        else if (r.outcome != OUTCOME_DONE)
            summary_complain(&s->meter, name, text_string(&why));
        text_clear(&why);
        if (!collect_take(&s->collect, record, packed, &why))
            fail(s, OUTCOME_OUTPUT, s->job->out, text_string(&why));
        if (r.outcome != OUTCOME_DONE)
            check_errors(s, r.outcome);
        meter_step(&s->meter, r.outcome != OUTCOME_DONE);
    }
    text_drop(&why);
}

/* --- workers that die --- */

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

    if (!mapped_check(true, &why))
        fail(s, OUTCOME_CHANGED, "", text_string(&why));
    text_drop(&why);
}

/* The first record of its queue has killed it: tried once more, then given up. The others had no
 * part in it. */
static void bury(struct supervisor *s, struct worker *w)
{
    size_t queue[WORKER_QUEUE], n = w->n_queue;
    struct report report = { 0 };
    struct text packed = { 0 };
    bool late = w->late;
    int status;

    memcpy(queue, w->queue, sizeof queue);
    status = put_down(s->job, w, late);
    check_annotations(s);
    for (size_t i = 0; i < n; i++)
        outdir_unwrite(s->job->outdir, queue[i], 0);
    if (!s->exit && n && s->tried[queue[0]]) {
        worker_report_death(s->job, status, late, &report);
        outcome_add_code(report.outcome, &report.why);
        report_pack(&report, &packed);
        s->given--;
        take_report(s, queue[0], (struct slice){ packed.at, packed.length });
        queue[0] = queue[1];
        n--;
    } else if (n) {
        s->tried[queue[0]] = true;
    }
    for (size_t i = 0; i < n; i++)
        s->again[s->n_again++] = queue[i];
    s->given -= n;
    report_drop(&report);
    text_drop(&packed);
    if (!s->exit && !s->end_at &&
        !worker_start(w, s->workers, (size_t)s->job->jobs, s->job, &s->collect.objects))
        fail_to_start(s);
}

/* --- handing out records --- */

/* A record that is with a worker is tried once more even if the run ends with one behind it. */
static bool next_record(struct supervisor *s, size_t *record)
{
    if (s->n_again && (!s->stopping || s->again[s->n_again - 1] < s->failed)) {
        *record = s->again[--s->n_again];
        return true;
    }
    if (s->stopping)
        return false;
    while (s->next < s->job->n_records && s->collect.entry[s->next])
        s->next++;
    if (s->next == s->job->n_records)
        return false;
    *record = s->next++;
    return true;
}

static void feed(struct supervisor *s, struct worker *w, int64_t now)
{
    size_t record;

    if (!w->n_queue)
        w->began = now;
    while (w->pid && w->n_queue < WORKER_QUEUE && next_record(s, &record)) {
        worker_give(w, record); /* a dead worker is noticed when its pipe ends */
        s->given++;
    }
}

static void receive(struct supervisor *s, struct worker *w)
{
    struct slice packed;
    size_t record;

    switch (worker_receive(w, &record, &packed)) {
    case RECEIVED_PART:
        break;
    case RECEIVED_END:
        bury(s, w);
        break;
    case RECEIVED_REPORT:
        w->began = now_ms();
        s->given--;
        take_report(s, record, packed);
    }
}

/* --- time --- */

/* A worker that takes too long for its image is killed; the image is not tried once more. */
static void check_timeout(struct supervisor *s, struct worker *w, int64_t now)
{
    if (!w->n_queue || !s->job->timeout || now < w->began + s->job->timeout)
        return;
    s->tried[w->queue[0]] = true;
    w->late = true;
    bury(s, w);
}

/* What is in the journal when the disk is asked is what its answer vouches for. A syncer that
 * somebody killed is replaced. */
static void check_sync(struct supervisor *s, int64_t now)
{
    if (s->job->durability != DURABILITY_BATCH || s->syncer.busy || now < s->sync_at ||
        s->sync_end == s->collect.journal.end)
        return;
    if (!s->syncer.pid && !syncer_start(&s->syncer, s->job->outdir)) {
        fail_to_start(s);
        return;
    }
    s->sync_end = s->collect.journal.end;
    syncer_ask(&s->syncer);
}

static void take_sync(struct supervisor *s)
{
    struct text why = { 0 };

    s->sync_at = now_ms() + SYNC_EVERY_MS;
    switch (syncer_answer(&s->syncer)) {
    case SYNCER_DONE:
        if (session_mark(&s->collect.journal, s->sync_end))
            return;
        break;
    case SYNCER_GONE:
        syncer_stop(&s->syncer, true);
        s->sync_end = 0;
        return;
    case SYNCER_FAILED:
        break;
    }
    text_addf(&why, "what was written did not reach the disk: %s", errno_text());
    fail(s, OUTCOME_OUTPUT, s->job->out, text_string(&why));
    text_drop(&why);
    collect_distrust(&s->collect);
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ms until something is due. */
static int64_t wait_of(const struct supervisor *s, int64_t now)
{
    int64_t until = now + 60000;

    if (s->end_at)
        until = sooner(until, s->end_at);
    if (s->job->durability == DURABILITY_BATCH && !s->syncer.busy &&
        s->sync_end != s->collect.journal.end)
        until = sooner(until, s->sync_at);
    for (int i = 0; i < s->job->jobs && s->job->timeout; i++)
        if (s->workers[i].n_queue)
            until = sooner(until, s->workers[i].began + s->job->timeout);
    return until > now ? until - now : 0;
}

/* Wait for workers, the disk, a signal, or what is due. */
static bool wait_for(struct supervisor *s, struct pollfd *polls)
{
    size_t n = (size_t)s->job->jobs;
    int64_t ms = wait_of(s, now_ms());
    struct timespec wait = { ms / 1000, ms % 1000 * 1000000 };

    for (size_t i = 0; i < n; i++)
        polls[i] = (struct pollfd){ .fd = s->workers[i].n_queue ? s->workers[i].from : -1,
                                    .events = POLLIN };
    polls[n] = (struct pollfd){ .fd = s->syncer.busy ? s->syncer.from : -1, .events = POLLIN };
    return ppoll(polls, n + 1, &wait, &s->awake) > 0;
}

/* A signal: no image is started any more, and those that are started have a moment to end. */
static void check_signals(struct supervisor *s, int64_t now)
{
    if (signals_progress())
        meter_tell(&s->meter);
    if (signals_end() && !s->end_at)
        s->end_at = now + GRACE_MS;
    if (signals_again())
        s->end_at = now;
}

/* --- the loop --- */

static void serve(struct supervisor *s, struct pollfd *polls)
{
    const short ready = POLLIN | POLLHUP | POLLERR;
    size_t n = (size_t)s->job->jobs;

    while (!s->exit) {
        int64_t now = now_ms();

        check_signals(s, now);
        for (size_t i = 0; i < n && !s->end_at; i++)
            feed(s, &s->workers[i], now);
        if (!s->given || (s->end_at && now >= s->end_at))
            break;
        check_sync(s, now);
        if (wait_for(s, polls)) {
            for (size_t i = 0; i < n && !s->exit; i++)
                if (polls[i].revents & ready)
                    receive(s, &s->workers[i]);
            if (!s->exit && (polls[n].revents & ready))
                take_sync(s);
        }
        for (size_t i = 0; i < n && !s->exit; i++)
            check_timeout(s, &s->workers[i], now_ms());
    }
    if (!s->exit && !signals_end() && s->stopping) {
        summary_complain(&s->meter, s->failed_name, text_string(&s->failed_why));
        s->exit = s->failed_exit;
    }
}

static bool start(struct supervisor *s)
{
    struct text why = { 0 };
    bool good = s->job->resume ? resume_collect(&s->collect, s->job, &why)
                               : collect_start(&s->collect, s->job, &why);

    if (!good)
        fail(s, OUTCOME_OUTPUT, "", text_string(&why));
    text_drop(&why);
    s->sync_at = now_ms() + SYNC_EVERY_MS;
    meter_skip(&s->meter, s->collect.done + s->collect.skipped);
    check_errors(s, OUTCOME_INPUT); /* what is kept of a run that was stopped */
    for (int i = 0; good && i < s->job->jobs; i++)
        if (!worker_start(&s->workers[i], s->workers, (size_t)s->job->jobs, s->job,
                          &s->collect.objects)) {
            fail_to_start(s);
            good = false;
        }
    return good;
}

static void finish(struct supervisor *s)
{
    struct text why = { 0 };
    size_t done = s->collect.done + s->collect.skipped;

    meter_pause(&s->meter);
    if (signals_end()) {
        s->exit = EXIT_SIGNAL + signals_end();
        message_print("lockstep: error: interrupted by signal %d (%s) [interrupted]", signals_end(),
                      strsignal(signals_end()));
    }
    if (s->exit) {
        collect_drop(&s->collect);
        if (s->next || s->job->resume)
            message_print("lockstep: error: %s is unfinished, with %zu of %zu image%s done; go on "
                          "with --resume, or start over with --overwrite [out-unfinished]",
                          s->job->out, done, s->job->n_records, s->job->n_records == 1 ? "" : "s");
    } else if (!collect_finish(&s->collect, &why)) {
        fail(s, s->collect.changed ? OUTCOME_CHANGED : OUTCOME_OUTPUT,
             s->collect.changed ? "" : s->job->out, text_string(&why));
    } else {
        summary_print(s->job, &s->collect, &s->meter);
        s->exit = collect_exit(&s->collect);
    }
    text_drop(&why);
}

int job_run(const struct job *job)
{
    struct supervisor s = { .job = job };
    size_t n = (size_t)job->jobs;
    struct pollfd *polls = memory_take((n + 1) * sizeof *polls);

    s.workers = calloc(n, sizeof *s.workers);
    s.again = calloc(n * WORKER_QUEUE, sizeof *s.again);
    s.tried = calloc(job->n_records + 1, sizeof *s.tried);
    if (!s.workers || !s.again || !s.tried)
        memory_gone(job->n_records + 1);
    signals_catch(&s.awake);
    meter_start(&s.meter, job);
    if (start(&s))
        serve(&s, polls);
    /* First, and at once: it holds the workers' pipes, and workers that came later hold its own. */
    syncer_stop(&s.syncer, true);
    for (size_t i = 0; i < n; i++)
        put_down(job, &s.workers[i], s.exit || signals_end());
    finish(&s);
    free(polls);
    free(s.workers);
    text_drop(&s.failed_why);
    free(s.again);
    free(s.tried);
    return s.exit;
}
