/* profile: runs images repeatedly and measures where the time goes. */
#include "batch/profile/profile.h"

#include "batch/process/sandbox.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The times of one lap in all rounds. */
struct series {
    enum stage stage;
    struct profile_row *pass; /* or NULL */
    int64_t *ns;              /* time per round */
};

/* The laps of a record in one mode, in order. */
struct schedule {
    struct series *series;
    size_t n;
};

/* A row of the table of passes. A list, since the addresses of rows must not change. */
struct pass_node {
    struct pass_node *next;
    struct profile_row row;
};

/* The state of one mode. Each mode has its own, so that it does not warm the buffers of the other.
 */
struct side {
    struct plan plan; /* plan of the job, with the mode changed */
    struct job job;
    struct scratch scratch;
    struct clock clock;
    struct schedule *schedule; /* one per record */
    struct pass_node *names;   /* rows of passes, newest first */
    int64_t *round_ns;
    struct profile_row ***pass; /* rows of the passes of the current record, per copy */
};

struct profile_state {
    const struct job *job;
    struct profile *profile;
    struct text *why;
    size_t n;
    struct side side[MODES];
    struct report report;
};

/* --- names --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the names of the ops of a pass that have an effect. Ops of one step are sorted by name.
 * Otherwise a step that samples their order would have several names for the same work. */
static const char *pass_name(const struct resolved_ops *resolved_ops, const struct pass *pass,
                             struct arena *arena)
{
    const char **name = ARENA_ARRAY(arena, const char *, pass->last - pass->first + 1);
    const struct step *step = NULL;
    size_t n = 0, begin = 0;
    const char *all = "";

    for (size_t i = pass->first; i <= pass->last; i++) {
        const struct resolved_op *d = &resolved_ops->at[i];

        if (resolved_op_family(d) == FAMILY_NOTHING)
            continue;
        if (d->step != step)
            begin = n;
        step = d->step;
        name[n++] = d->op->name;
        qsort(name + begin, n - begin, sizeof *name, by_name);
    }
    for (size_t i = 0; i < n; i++)
        all = arena_printf(arena, "%s%s%s", all, i ? " + " : "", name[i]);
    return all;
}

static struct profile_row *row_named(struct side *side, const char *name, struct arena *arena)
{
    struct pass_node *node;

    for (node = side->names; node; node = node->next)
        if (strcmp(node->row.name, name) == 0)
            return &node->row;
    node = ARENA_NEW(arena, struct pass_node);
    node->row.name = arena_copy(arena, name, strlen(name));
    node->next = side->names;
    side->names = node;
    return &node->row;
}

/* Names the passes of a copy. Compiles them once more for that, outside the measured time. */
static void name_passes(struct side *side, const struct pending_output *out, struct arena *arena)
{
    struct arena *scratch = out->sample->arena;
    struct passes passes =
        passes_of(out->resolved_ops, (enum optimize)side->plan.optimize, scratch, NULL);
    struct profile_row **row = ARENA_ARRAY(arena, struct profile_row *, passes.n + 1);

    for (size_t i = 0; i < passes.n; i++)
        row[i] = row_named(side, pass_name(out->resolved_ops, &passes.at[i], scratch), arena);
    side->pass[out->k] = row;
}

/* --- rounds --- */

static int fail(struct profile_state *m)
{
    report_complete(&m->report);
    text_adds(m->why, text_string(&m->report.why));
    return outcome_exit(m->report.outcome);
}

/* Makes the schedule that every round repeats. */
static struct schedule make_schedule(struct side *side, int rounds, struct arena *arena)
{
    const struct clock *clock = &side->clock;
    struct schedule schedule = { ARENA_ARRAY(arena, struct series, clock->n), clock->n };
    size_t copies = 0; /* sampled so far */

    for (size_t i = 0; i < clock->n; i++) {
        const struct lap *lap = &clock->lap[i];
        struct series *s = &schedule.series[i];

        copies += lap->stage == STAGE_DRAW;
        s->stage = lap->stage;
        s->ns = ARENA_ARRAY(arena, int64_t, (size_t)rounds);
        if (lap->stage == STAGE_RENDER && lap->part)
            s->pass = side->pass[copies - 1][lap->part - 1];
    }
    return schedule;
}

/* Runs a record untimed, so that libraries are started, buffers are allocated and files are cached.
 */
static int warm_up(struct profile_state *m, size_t record, size_t i, int mode)
{
    struct side *side = &m->side[mode];
    struct arena *arena = &m->profile->arena;
    struct work *work;
    struct pending_output out;

    side->scratch.clock = NULL;
    work = record_begin(&side->job, &side->scratch, record, true, &m->report);
    while (record_next(work, &out))
        name_passes(side, &out, arena);
    record_end(work);
    if (m->report.outcome != OUTCOME_DONE)
        return fail(m);
    side->scratch.clock = &side->clock;
    record_run(&side->job, &side->scratch, record, false, &m->report);
    if (m->report.outcome != OUTCOME_DONE)
        return fail(m);
    side->schedule[i] = make_schedule(side, m->profile->rounds, arena);
    return EXIT_DONE;
}

static long faults_so_far(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

static int run_once(struct profile_state *m, size_t record, size_t i, int mode, int round)
{
    struct side *side = &m->side[mode];
    struct schedule *schedule = &side->schedule[i];
    long faults = faults_so_far();

    record_run(&side->job, &side->scratch, record, false, &m->report);
    m->profile->mode[mode].faults += faults_so_far() - faults;
    if (m->report.outcome != OUTCOME_DONE)
        return fail(m);
    if (side->clock.n != schedule->n) {
        text_addf(m->why, "%s: it did not take the same steps each time",
                  m->job->dataset->records[record].name);
        return EXIT_INTERNAL;
    }
    for (size_t k = 0; k < schedule->n; k++) {
        schedule->series[k].ns[round] = side->clock.lap[k].ns;
        side->round_ns[round] += side->clock.lap[k].ns;
    }
    return EXIT_DONE;
}

static int run_rounds(struct profile_state *m, const size_t *record, int rounds)
{
    int code = EXIT_DONE;

    for (size_t i = 0; !code && i < m->n; i++)
        for (int mode = 0; !code && mode < MODES; mode++)
            code = warm_up(m, record[i], i, mode);
    for (int round = 0; !code && round < rounds; round++)
        for (size_t i = 0; !code && i < m->n; i++) {
            int first = (round + (int)(i % 2)) % MODES;

            code = run_once(m, record[i], i, first, round);
            if (!code)
                code = run_once(m, record[i], i, !first, round);
        }
    return code;
}

/* --- sums --- */

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Returns the quantile `at` of sorted numbers, with linear interpolation; 0.5 is the median. */
static double quantile(const int64_t *ns, int n, double at)
{
    double place = at * (n - 1);
    int below = (int)place;
    double rest = place - below;

    return below + 1 < n ? (1 - rest) * (double)ns[below] + rest * (double)ns[below + 1]
                         : (double)ns[below];
}

static void add_series(struct profile_mode *mode, const struct series *s, struct profile_row *rest,
                       int rounds)
{
    struct profile_row *part = s->pass ? s->pass : rest;
    double us;

    qsort(s->ns, (size_t)rounds, sizeof *s->ns, by_size);
    us = quantile(s->ns, rounds, 0.5) / 1000;
    mode->us += us;
    mode->stage[s->stage].us += us;
    mode->stage[s->stage].calls += !s->pass;
    if (s->stage == STAGE_RENDER) {
        part->us += us;
        part->calls++;
    }
}

static int by_cost(const void *a, const void *b)
{
    const struct profile_row *x = a, *y = b;

    return (x->us < y->us) - (x->us > y->us);
}

static void add_up(struct profile_state *m, int which)
{
    struct profile *p = m->profile;
    struct profile_mode *mode = &p->mode[which];
    struct side *side = &m->side[which];
    struct profile_row rest = { .name = "(beside passes)" };
    size_t n = 0;

    for (int i = 0; i < N_STAGES; i++)
        mode->stage[i].name = stage_name((enum stage)i);
    for (size_t i = 0; i < m->n; i++)
        for (size_t k = 0; k < side->schedule[i].n; k++)
            add_series(mode, &side->schedule[i].series[k], &rest, p->rounds);
    for (const struct pass_node *node = side->names; node; node = node->next)
        n++;
    mode->pass = ARENA_ARRAY(&p->arena, struct profile_row, n + 1);
    for (const struct pass_node *node = side->names; node; node = node->next)
        if (node->row.calls)
            mode->pass[mode->n_passes++] = node->row;
    qsort(mode->pass, mode->n_passes, sizeof *mode->pass, by_cost);
    mode->pass[mode->n_passes++] = rest;
    qsort(side->round_ns, (size_t)p->rounds, sizeof *side->round_ns, by_size);
    mode->spread =
        (quantile(side->round_ns, p->rounds, 0.75) - quantile(side->round_ns, p->rounds, 0.25)) /
        quantile(side->round_ns, p->rounds, 0.5);
}

/* Returns the anonymous memory in kB, or -1. Keeps the file open after the first call, since a
 * contained process cannot open it. */
static long anonymous_memory(void)
{
    static FILE *file;
    char line[256], *end;
    long kb = -1;

    if (file)
        rewind(file);
    else
        file = fopen("/proc/self/status", "re");
    while (file && kb < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "RssAnon:", 8) == 0) {
            kb = strtol(line + 8, &end, 10);
            kb = end == line + 8 ? -1 : kb;
        }
    return kb;
}

/* --- all of it --- */

static void open_side(struct profile_state *m, int which)
{
    struct profile *p = m->profile;
    struct side *side = &m->side[which];

    side->plan = *m->job->plan;
    if (which == EAGER)
        side->plan.optimize = OPTIMIZE_NONE;
    side->job = *m->job;
    side->job.plan = &side->plan;
    side->schedule = ARENA_ARRAY(&p->arena, struct schedule, m->n);
    side->pass = ARENA_ARRAY(&p->arena, struct profile_row **, job_fan_out(m->job));
    side->round_ns = ARENA_ARRAY(&p->arena, int64_t, (size_t)p->rounds);
    p->mode[which].optimize = (enum optimize)side->plan.optimize;
}

int profile_measure(const struct job *job, const size_t *records, size_t n, int rounds,
                    struct profile *p, struct text *why)
{
    struct profile_state m = { .job = job, .profile = p, .why = why, .n = n };
    int code;

    *p = (struct profile){
        .images = n, .results = n * job_fan_out(job), .rounds = rounds, .masks = job_has_masks(job)
    };
    (void)anonymous_memory();
    sandbox_enter(job->run.contained);
    for (int mode = 0; mode < MODES; mode++)
        open_side(&m, mode);
    code = run_rounds(&m, records, rounds);
    p->anonymous = anonymous_memory();
    for (int mode = 0; mode < MODES; mode++) {
        if (!code)
            add_up(&m, mode);
        scratch_drop(&m.side[mode].scratch);
        clock_drop(&m.side[mode].clock);
    }
    report_drop(&m.report);
    return code;
}

void profile_drop(struct profile *p)
{
    arena_drop(&p->arena);
}
