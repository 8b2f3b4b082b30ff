/* check_annotations: all annotations taken apart once before work begins. */
#include "batch/run/check_annotations.h"

#include "plan/scores.h"
#include "batch/io/mapped_file.h"
#include "batch/run/preflight_skip.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Faults printed: more than anyone reads, for a file that is wrong throughout need not fill the
 * memory with them. And annotations that are worth a process. */
enum { MOST_FAULTS = 1000, WORTH = 2000 };
/* Records after which annotations that were read are not kept in memory. */
enum { REST_EVERY = 1 << 14 };

/* The records [from, to) of those that are to be looked at, up to so many faults. */
static void take_apart(const struct job *job, size_t from, size_t to, size_t most,
                       struct faults *faults)
{
    const struct dataset *d = job->dataset;
    const struct step *scored = scores_wanted(job->plan);
    struct arena arena = { 0 };

    for (size_t i = from; i < to && faults->n < most; i++) {
        size_t record = vouched_record(job, i);
        const struct record *r = &d->records[record];
        struct sample sample = { .arena = &arena };

        /* Of a file whose size is trusted, that is not known yet. */
        if (r->height && job->images.trust != TRUST_FILE)
            sample.frame = (struct frame){ r->width, r->height };
        arena_reset(&arena);
        if (i % REST_EVERY == 0)
            mapped_rest(d->text);
        if (d->format->load(d, record, &job->plan->rules, &sample, faults))
            scores_check(scored, scores_default, d, record, &sample, faults);
    }
    mapped_rest(d->text);
    arena_drop(&arena);
}

/* Is nothing wrong with part i of n? */
static bool part_is_good(const struct job *job, size_t i, size_t n)
{
    struct faults faults = dataset_faults(job->dataset);
    bool good;

    take_apart(job, vouched_left(job) * i / n, vouched_left(job) * (i + 1) / n, 1, &faults);
    good = faults.n == 0;
    faults_drop(&faults);
    return good;
}

static pid_t start_part(const struct job *job, size_t i, size_t n)
{
    pid_t pid = fork();

    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(part_is_good(job, i, n) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    return pid;
}

/* By n processes, of which this is one. A process that cannot be had, or that ends otherwise than
 * well, has found nothing to be good. */
static bool all_are_good(const struct job *job, size_t n)
{
    pid_t *part = memory_take(n * sizeof *part);
    bool good;

    for (size_t i = 1; i < n; i++)
        part[i] = start_part(job, i, n);
    good = part_is_good(job, 0, n);
    for (size_t i = 1; i < n; i++) {
        int status = -1;

        while (part[i] > 0 && waitpid(part[i], &status, 0) < 0 && errno == EINTR)
            ;
        good = good && status == 0;
    }
    free(part);
    return good;
}

void examine_annotations(const struct job *job, struct faults *faults)
{
    size_t left = vouched_left(job), jobs = (size_t)job->run.jobs;
    size_t n = left ? job->dataset->n_objects * left / job->images.n_records / WORTH : 0;

    if (n > jobs)
        n = jobs;
    /* What is wrong is reported by one process, in order. */
    if (n < 2 || !all_are_good(job, n))
        take_apart(job, 0, left, MOST_FAULTS, faults);
}
