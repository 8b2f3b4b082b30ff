/* supervisor: hands records to workers, stores their reports in the journal, and ends the run. */
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
    GRACE_MS = 1500, /* after a signal, to let workers finish */
    SYNC_EVERY_MS = 3000,
    AHEAD_US = 30000,    /* us of work in the queue of a worker */
    LOOK_EVERY_MS = 200, /* ms: longest wait while --timeout is set */
    STOPPED_MS = 500,    /* ms: a wait that lasts this much too long was stopped, as by Ctrl-Z */
};

static int64_t now_ms(void)
{
    return clock_now() / 1000000;
}

/* --- handing out records --- */

/* Takes a record that must be repeated: its worker died. After the run was told to stop, only
 * records before the failed one are repeated. */
static bool next_retry(struct supervisor *s, size_t *record)
{
    for (size_t i = s->n_retries; i-- > 0;)
        if (!s->stopping || s->retry[i] < s->failed) {
            *record = s->retry[i];
            s->n_retries--;
            memmove(s->retry + i, s->retry + i + 1, (s->n_retries - i) * sizeof *s->retry);
            return true;
        }
    return false;
}

static bool next_record(struct supervisor *s, size_t *record)
{
    if (next_retry(s, record))
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

/* Returns the queue depth: deep for small images, so that reports are batched; shallow near the
 * end, so that no worker is left with a long queue. At least 2, so that a worker never waits for
 * its next record. */
static size_t queue_depth(const struct supervisor *s, const struct worker *w)
{
    size_t depth = w->pace ? (size_t)(AHEAD_US / w->pace) : 0;
    size_t share = (s->job->images.n_records - s->next) / (2 * (size_t)s->job->run.jobs);

    depth = depth < share ? depth : share;
    depth = depth < WORKER_QUEUE ? depth : WORKER_QUEUE;
    return depth > 2 ? depth : 2;
}

static void feed(struct supervisor *s, struct worker *w, int64_t now)
{
    size_t records[WORKER_QUEUE], n = 0, depth = queue_depth(s, w);

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
        w->pace += !w->pace; /* 0 would mean unknown */
        w->began = now;
    }
    if (!more && !s->exit)
        supervisor_replace_worker(s, w);
}

/* --- time --- */

/* Kills a worker that takes too long for its image; the image is not tried again. */
static void check_timeout(struct supervisor *s, struct worker *w, int64_t now)
{
    if (!w->n_queue || !s->job->run.timeout || now < w->began + s->job->run.timeout)
        return;
    s->tried[w->queue[0]] = true;
    w->late = true;
    supervisor_replace_worker(s, w);
}

/* Asks the syncer to sync, if it is time. Its answer covers the journal as it is now. Starts a new
 * syncer if the old one was killed. */
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
    collect_cut_unsynced(&s->collect);
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns the ms until the next deadline. */
static int64_t time_to_wait(const struct supervisor *s, int64_t now)
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

/* Time while all processes were stopped (SIGSTOP) does not count towards --timeout. Call it after a
 * wait of at most `waited` ms. */
static void extend_deadline(struct supervisor *s, int64_t waited)
{
    int64_t now = now_ms(), stopped = now - s->seen_at - waited;

    s->seen_at = now;
    for (int i = 0; i < s->job->run.jobs && stopped > STOPPED_MS; i++)
        s->workers[i].began += stopped;
}

/* Waits for a report, the syncer, a signal, or the next deadline. Returns true if there is
 * something to read. */
static bool wait_for(struct supervisor *s, struct pollfd *polls)
{
    size_t n = (size_t)s->job->run.jobs;
    int64_t ms = time_to_wait(s, now_ms());
    struct timespec wait = { ms / 1000, ms % 1000 * 1000000 };
    bool found;

    for (size_t i = 0; i < n; i++)
        polls[i] = (struct pollfd){ .fd = s->workers[i].n_queue ? s->workers[i].from : -1,
                                    .events = POLLIN };
    polls[n] = (struct pollfd){ .fd = s->syncer.busy ? s->syncer.from : -1, .events = POLLIN };
    extend_deadline(s, 0);
    found = ppoll(polls, n + 1, &wait, &s->awake) > 0;
    extend_deadline(s, ms);
    return found;
}

/* After a signal, no image is started, and workers get GRACE_MS to finish; a second signal ends the
 * run at once. */
static void check_signals(struct supervisor *s, int64_t now)
{
    if (signals_progress())
        progress_print(&s->progress);
    if (signals_end() && !s->end_at)
        s->end_at = now + GRACE_MS;
    if (signals_has_repeat())
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
        summary_print_error(&s->progress, s->failed_name, text_string(&s->failed_why));
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

/* Runs the supervisor under SCHED_BATCH, so that taking reports does not preempt workers and
 * reports are taken several at a time. Workers that are forked later inherit it, without effect:
 * they rarely block. */
static void use_batch_scheduling(void)
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
    supervisor_check_errors(s, OUTCOME_INPUT); /* failures of the stopped run count, too */
    allow_workers(s);
    for (int i = 0; good && i < s->job->run.jobs; i++)
        if (!worker_start(&s->workers[i], s->workers, (size_t)s->job->run.jobs, s->job,
                          &s->collect.objects)) {
            supervisor_fail_to_start(s);
            good = false;
        }
    use_batch_scheduling();
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

/* Writes the results, unless a signal arrives. Returns false if they are not complete. */
static bool complete(struct supervisor *s)
{
    struct text why = { 0 };
    bool good;

    signals_unblock(&s->awake);
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

/* Prints the error out-unfinished, with the commands that can follow. */
static void print_unfinished(const struct supervisor *s)
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
        print_unfinished(s);
    }
}

static int supervise(const struct job *job, struct part_run *part)
{
    struct supervisor s = { .job = job, .part = part };
    size_t n = (size_t)job->run.jobs;
    struct pollfd *polls = memory_take((n + 1) * sizeof *polls);

    s.workers = calloc(n, sizeof *s.workers);
    s.retry = calloc(n * WORKER_QUEUE, sizeof *s.retry);
    s.tried = calloc(job->dataset->n_records + 1, sizeof *s.tried);
    if (!s.workers || !s.retry || !s.tried)
        memory_gone(job->dataset->n_records + 1);
    signals_catch(&s.awake);
    if (part)
        s.progress = part->progress;
    else
        progress_start(&s.progress, job);
    if (start(&s))
        serve(&s, polls);
    /* The syncer goes first: it holds pipes of the workers, and later workers hold its pipes. */
    syncer_stop(&s.syncer);
    for (size_t i = 0; i < n; i++)
        worker_kill(&s.workers[i]);
    /* Workers must end before the scratch is removed, since they have open files in it: FUSE and
     * NFS rename such files instead of removing them. */
    for (size_t i = 0; i < n; i++)
        supervisor_stop_worker(job, &s.workers[i]);
    finish(&s);
    free(polls);
    free(s.workers);
    text_drop(&s.failed_why);
    free(s.retry);
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
