/* supervisor: hands records to workers, keeps their reports in the journal, ends well or early. */
#include "batch/run/supervisor.h"

#include "batch/run/collector.h"
#include "batch/run/resume.h"
#include "batch/process/sandbox.h"
#include "batch/journal/session.h"
#include "batch/process/signals.h"
#include "batch/run/summary.h"

#include "base/clock.h"
#include "base/stderr_line.h"

#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GRACE_MS = 1500, /* after a signal, for what workers have started */
    SYNC_EVERY_MS = 3000,
    AHEAD_US = 30000,    /* the work that a worker is given before it has reported any of it */
    LOOK_EVERY_MS = 200, /* at the clock, while an image has only so much time */
    STOPPED_MS = 500,    /* later than it meant to look at it: it was stopped, as by Ctrl-Z */
};

static int64_t now_ms(void)
{
    return clock_now() / 1000000;
}

/* --- handing out records --- */

/* One that a worker died of, or had behind such a one. When the run ends, those are tried that
 * stand before what it ends with. */
static bool next_again(struct supervisor *s, size_t *record)
{
    for (size_t i = s->n_again; i-- > 0;)
        if (!s->stopping || s->again[i] < s->failed) {
            *record = s->again[i];
            s->n_again--;
            memmove(s->again + i, s->again + i + 1, (s->n_again - i) * sizeof *s->again);
            return true;
        }
    return false;
}

static bool next_record(struct supervisor *s, size_t *record)
{
    if (next_again(s, record))
        return true;
    if (s->stopping)
        return false;
    while (s->next < s->job->images.n_records && s->collect.entry[job_record(s->job, s->next)])
        s->next++;
    if (s->next == s->job->images.n_records)
        return false;
    *record = job_record(s->job, s->next++);
    return true;
}

/* How many records its queue is to hold: several of small images, so that several are reported at
 * once, and fewer to the end, so that no worker is left alone with many. It always has two, and
 * never waits for the next one. */
static size_t depth_of(const struct supervisor *s, const struct worker *w)
{
    size_t depth = w->pace ? (size_t)(AHEAD_US / w->pace) : 0;
    size_t share = (s->job->images.n_records - s->next) / (2 * (size_t)s->job->run.jobs);

    depth = depth < share ? depth : share;
    depth = depth < WORKER_QUEUE ? depth : WORKER_QUEUE;
    return depth > 2 ? depth : 2;
}

static void feed(struct supervisor *s, struct worker *w, int64_t now)
{
    size_t records[WORKER_QUEUE], n = 0, depth = depth_of(s, w);

    if (!w->n_queue)
        w->began = now;
    while (w->pid && w->n_queue + n < depth && next_record(s, &records[n]))
        n++;
    s->given += n;
    if (n && !worker_give(w, records, n))
        supervisor_fail_to_start(s);
}

static void receive(struct supervisor *s, struct worker *w)
{
    size_t record, done = w->done;
    int64_t now = now_ms();
    struct slice packed;
    bool more = worker_receive(w);

    while (!s->exit && worker_next_report(w, &record, &packed)) {
        s->given--;
        supervisor_take(s, record, packed);
    }
    if (w->done > done) {
        int64_t pace = 1000 * (now - w->began) / (int64_t)(w->done - done);

        w->pace = w->pace ? (3 * w->pace + pace) / 4 : pace;
        w->pace += !w->pace; /* less than this clock tells */
        w->began = now;
    }
    if (!more && !s->exit)
        supervisor_replace_worker(s, w);
}

/* --- time --- */

/* A worker that takes too long for its image is killed; the image is not tried once more. */
static void check_timeout(struct supervisor *s, struct worker *w, int64_t now)
{
    if (!w->n_queue || !s->job->run.timeout || now < w->began + s->job->run.timeout)
        return;
    s->tried[w->queue[0]] = true;
    w->late = true;
    supervisor_replace_worker(s, w);
}

/* What is in the journal when the disk is asked is what its answer vouches for. A syncer that
 * somebody killed is replaced. */
static void check_sync(struct supervisor *s, int64_t now)
{
    if (s->job->output.durability != DURABILITY_BATCH || s->syncer.busy || now < s->sync_at ||
        s->sync_end == s->collect.journal.end)
        return;
    if (!s->syncer.pid && !syncer_start(&s->syncer, s->job->output.outdir)) {
        supervisor_fail_to_start(s);
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
        syncer_stop(&s->syncer);
        s->sync_end = 0;
        return;
    case SYNCER_FAILED:
        break;
    }
    text_addf(&why, "what was written did not reach the disk: %s", errno_text());
    supervisor_fail(s, OUTCOME_OUTPUT, s->job->output.path, text_string(&why));
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
    int64_t until = now + (s->job->run.timeout ? LOOK_EVERY_MS : 60000);

    if (s->end_at)
        until = sooner(until, s->end_at);
    if (s->job->output.durability == DURABILITY_BATCH && !s->syncer.busy &&
        s->sync_end != s->collect.journal.end)
        until = sooner(until, s->sync_at);
    for (int i = 0; i < s->job->run.jobs && s->job->run.timeout; i++)
        if (s->workers[i].n_queue)
            until = sooner(until, s->workers[i].began + s->job->run.timeout);
    return until > now ? until - now : 0;
}

/* Time during which all of them were stopped is none that an image takes. Call it when it has
 * waited for at most so long. */
static void forgive_stop(struct supervisor *s, int64_t waited)
{
    int64_t now = now_ms(), stopped = now - s->seen_at - waited;

    s->seen_at = now;
    for (int i = 0; i < s->job->run.jobs && stopped > STOPPED_MS; i++)
        s->workers[i].began += stopped;
}

/* Wait for workers, the disk, a signal, or what is due. */
static bool wait_for(struct supervisor *s, struct pollfd *polls)
{
    size_t n = (size_t)s->job->run.jobs;
    int64_t ms = wait_of(s, now_ms());
    struct timespec wait = { ms / 1000, ms % 1000 * 1000000 };
    bool found;

    for (size_t i = 0; i < n; i++)
        polls[i] = (struct pollfd){ .fd = s->workers[i].n_queue ? s->workers[i].from : -1,
                                    .events = POLLIN };
    polls[n] = (struct pollfd){ .fd = s->syncer.busy ? s->syncer.from : -1, .events = POLLIN };
    forgive_stop(s, 0);
    found = ppoll(polls, n + 1, &wait, &s->awake) > 0;
    forgive_stop(s, ms);
    return found;
}

/* A signal: no image is started any more, and those that are started have a moment to end. */
static void check_signals(struct supervisor *s, int64_t now)
{
    if (signals_progress())
        progress_print(&s->progress);
    if (signals_end() && !s->end_at)
        s->end_at = now + GRACE_MS;
    if (signals_again())
        s->end_at = now;
}

/* --- the loop --- */

static void serve(struct supervisor *s, struct pollfd *polls)
{
    const short ready = POLLIN | POLLHUP | POLLERR;
    size_t n = (size_t)s->job->run.jobs;

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
        summary_complain(&s->progress, s->failed_name, text_string(&s->failed_why));
        s->exit = s->failed_exit;
    }
}

static void allow_workers(const struct supervisor *s)
{
    struct text how = { 0 };

    if (!s->job->run.contained)
        return;
    sandbox_allow_writing(s->job->run.contained, s->job->output.outdir->folder - 1);
    sandbox_describe(s->job->run.contained, &how);
    if (s->job->run.verbosity > 0)
        message_print("lockstep: workers are %s", text_string(&how));
    text_drop(&how);
}

/* Workers are not interrupted for what is of no haste: reports are taken when processors have time
 * for it, and several at once. Workers that are forked later inherit it, to which it is no matter:
 * they seldom wait. */
static void give_way(void)
{
    const struct sched_param none = { 0 };

    if (sched_getscheduler(0) == SCHED_OTHER)
        (void)sched_setscheduler(0, SCHED_BATCH, &none);
}

static bool start(struct supervisor *s)
{
    struct text why = { 0 };
    bool good = s->job->run.resume ? resume_collect(&s->collect, s->job, &why)
                                   : collect_start(&s->collect, s->job, &why);

    if (!good)
        supervisor_fail(s, OUTCOME_OUTPUT, "", text_string(&why));
    text_drop(&why);
    s->seen_at = now_ms();
    s->sync_at = s->seen_at + SYNC_EVERY_MS;
    progress_skip(&s->progress, s->collect.done + s->collect.skipped);
    supervisor_check_errors(s, OUTCOME_INPUT); /* what is kept of a run that was stopped */
    allow_workers(s);
    for (int i = 0; good && i < s->job->run.jobs; i++)
        if (!worker_start(&s->workers[i], s->workers, (size_t)s->job->run.jobs, s->job,
                          &s->collect.objects)) {
            supervisor_fail_to_start(s);
            good = false;
        }
    give_way();
    return good;
}

static int add_part(struct part_run *to, const struct supervisor *s)
{
    const struct collect *part = &s->collect;
    struct collect *t = &to->total;

    for (size_t i = 0; i < N_REMARKS; i++)
        if (part->counts.remarked[i] && !t->counts.remarked[i])
            t->first[i] = part->first[i];
    counts_add(&t->counts, &part->counts);
    t->done += part->done;
    t->skipped += part->skipped;
    to->progress = s->progress;
    return part->skipped ? EXIT_PARTIAL : EXIT_DONE;
}

/* Put the results together, unless a signal comes. False when they are not. */
static bool complete(struct supervisor *s)
{
    struct text why = { 0 };
    bool good;

    signals_let(&s->awake);
    good = s->job->images.shard.count
               ? collect_finish_shard(&s->collect, &why)
               : collect_finish(&s->collect, s->part ? s->part->sink : NULL, &why);
    if (good && s->part) {
        s->exit = add_part(s->part, s);
    } else if (good) {
        summary_print(s->job, &s->collect, &s->progress, true);
        s->exit = collect_exit(&s->collect);
    } else if (s->part && s->part->sink->is_left && s->part->sink->is_left(s->part->sink)) {
        s->exit = EXIT_SIGNAL + SIGPIPE;
    } else if (!signals_end()) {
        supervisor_fail(s, s->collect.changed ? OUTCOME_CHANGED : OUTCOME_OUTPUT,
                        s->collect.changed || s->part ? "" : s->job->output.path,
                        text_string(&why));
    } else {
        s->exit = EXIT_SIGNAL;
    }
    text_drop(&why);
    return good;
}

/* The run has ended before its end: what can go on with it? */
static void tell_unfinished(const struct supervisor *s)
{
    struct text failed = { 0 };

    if (s->collect.skipped)
        text_addf(&failed, " and %zu failed", s->collect.skipped);
    if (!s->part && (s->next || s->job->run.resume))
        message_print("lockstep: error: %s is unfinished, with %zu of %zu image%s done%s; go on "
                      "with --resume, or start over with --overwrite%s [out-unfinished]",
                      s->job->output.path, s->collect.done, s->job->images.n_records,
                      s->job->images.n_records == 1 ? "" : "s", text_string(&failed),
                      s->job->output.outdir->apart ? "; the former result is as it was" : "");
    text_drop(&failed);
}

static void finish(struct supervisor *s)
{
    bool early = s->exit || signals_end();

    progress_pause(&s->progress);
    if (early || !complete(s)) {
        if (signals_end()) {
            s->exit = EXIT_SIGNAL + signals_end();
            message_print("lockstep: error: interrupted by signal %d (%s) [interrupted]",
                          signals_end(), strsignal(signals_end()));
        }
        collect_drop(&s->collect);
        tell_unfinished(s);
    }
}

static int supervise(const struct job *job, struct part_run *part)
{
    struct supervisor s = { .job = job, .part = part };
    size_t n = (size_t)job->run.jobs;
    struct pollfd *polls = memory_take((n + 1) * sizeof *polls);

    s.workers = calloc(n, sizeof *s.workers);
    s.again = calloc(n * WORKER_QUEUE, sizeof *s.again);
    s.tried = calloc(job->dataset->n_records + 1, sizeof *s.tried);
    if (!s.workers || !s.again || !s.tried)
        memory_gone(job->dataset->n_records + 1);
    signals_catch(&s.awake);
    if (part)
        s.progress = part->progress;
    else
        progress_start(&s.progress, job);
    if (start(&s))
        serve(&s, polls);
    /* First, and at once: it holds the workers' pipes, and workers that came later hold its own. */
    syncer_stop(&s.syncer);
    for (size_t i = 0; i < n; i++)
        worker_kill(&s.workers[i]);
    /* Before the scratch is removed, of which they hold files: FUSE and NFS keep those under other
     * names until then. */
    for (size_t i = 0; i < n; i++)
        supervisor_stop_worker(job, &s.workers[i]);
    finish(&s);
    free(polls);
    free(s.workers);
    text_drop(&s.failed_why);
    free(s.again);
    free(s.tried);
    return s.exit;
}

int job_run(const struct job *job)
{
    return supervise(job, NULL);
}

int job_run_part(const struct job *job, struct part_run *part)
{
    return supervise(job, part);
}
