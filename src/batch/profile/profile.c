/* profile: images done again and again, to see where their time goes. */
#include "batch/profile/profile.h"

#include "batch/process/sandbox.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* The times of a lap that each round repeats. */
struct series {
    enum stage stage;
    struct profile_row *pass; /* or NULL */
    int64_t *ns;              /* of each round */
};

/* The laps of a record in one mode, in their order. */
struct schedule {
    struct series *series;
    size_t n;
};

/* A pass of a copy. A list, for rows must stay where they are. */
struct named {
    struct named *next;
    struct profile_row row;
};

/* All that is one mode's own, so that neither warms the other's buffers. */
struct side {
    struct plan plan; /* the job's, but for its mode */
    struct job job;
    struct scratch scratch;
    struct clock clock;
    struct schedule *schedule; /* one a record */
    struct named *names;       /* of passes, newest first */
    int64_t *round_ns;
    struct profile_row ***pass; /* of the record in work, copy by copy */
};

struct measuring {
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

/* The ops of a pass that do something. Those that one step emits are in the order of their names:
 * steps that draw an order would else have many names for one thing. */
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
    struct named *named;

    for (named = side->names; named; named = named->next)
        if (strcmp(named->row.name, name) == 0)
            return &named->row;
    named = ARENA_NEW(arena, struct named);
    named->row.name = arena_copy(arena, name, strlen(name));
    named->next = side->names;
    side->names = named;
    return &named->row;
}

/* Passes are compiled once more to be named: the clock does not see it. */
static void name_passes(struct side *side, const struct rendering *out, struct arena *arena)
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

static int fail(struct measuring *m)
{
    report_complete(&m->report);
    text_adds(m->why, text_string(&m->report.why));
    return outcome_exit(m->report.outcome);
}

/* What every round will repeat. */
static struct schedule make_schedule(struct side *side, int rounds, struct arena *arena)
{
    const struct clock *clock = &side->clock;
    struct schedule schedule = { ARENA_ARRAY(arena, struct series, clock->n), clock->n };
    size_t copies = 0; /* drawn so far */

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

/* With libraries started, buffers made and files in memory. */
static int warm_up(struct measuring *m, size_t record, size_t i, int mode)
{
    struct side *side = &m->side[mode];
    struct arena *arena = &m->profile->arena;
    struct work *work;
    struct rendering out;

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

static int run_once(struct measuring *m, size_t record, size_t i, int mode, int round)
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

static int run_rounds(struct measuring *m, const size_t *record, int rounds)
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

/* Of sorted numbers, as far along as `at` says: 0.5 is the median. */
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

static void add_up(struct measuring *m, int which)
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
    for (const struct named *named = side->names; named; named = named->next)
        n++;
    mode->pass = ARENA_ARRAY(&p->arena, struct profile_row, n + 1);
    for (const struct named *named = side->names; named; named = named->next)
        if (named->row.calls)
            mode->pass[mode->n_passes++] = named->row;
    qsort(mode->pass, mode->n_passes, sizeof *mode->pass, by_cost);
    mode->pass[mode->n_passes++] = rest;
    qsort(side->round_ns, (size_t)p->rounds, sizeof *side->round_ns, by_size);
    mode->spread =
        (quantile(side->round_ns, p->rounds, 0.75) - quantile(side->round_ns, p->rounds, 0.25)) /
        quantile(side->round_ns, p->rounds, 0.5);
}

/* Opened at the first call, since a process that is contained cannot. */
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

static void open_side(struct measuring *m, int which)
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
    struct measuring m = { .job = job, .profile = p, .why = why, .n = n };
    int code;

    *p = (struct profile){
        .images = n, .results = n * job_fan_out(job), .rounds = rounds, .masks = job->images.masks
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
