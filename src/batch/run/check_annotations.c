/* check_annotations: reads all annotations once before the run starts. */
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

/* MAX_FAULTS limits the faults that are collected, so that a file with a fault in each object does
 * not fill the memory. OBJECTS_PER_PROCESS is the number of annotations that is worth one more
 * process. */
enum { MAX_FAULTS = 1000, OBJECTS_PER_PROCESS = 2000 };
/* Number of records after which the pages of the annotation file that were read are released. */
enum { RELEASE_EVERY = 1 << 14 };

/* Releases the pages of all annotation files. */
static void release(const struct dataset *d)
{
    for (size_t i = 0; i < dataset_n_texts(d); i++)
        mapped_file_release(dataset_text(d, i));
}

/* Checks the annotations of the i-th records that the preflight examines, for i in [from, to).
 * Stops at `max` faults. */
static void check_records(const struct job *job, size_t from, size_t to, size_t max,
                          struct faults *faults)
{
    const struct dataset *d = job->dataset;
    const struct step *scored = scores_wanted(job->plan);
    struct arena arena = { 0 };

    for (size_t i = from; i < to && faults->n < max; i++) {
        size_t record = preflight_record(job, i);
        const struct record *r = &d->records[record];
        struct sample sample = { .arena = &arena };

        /* With --trust file, the image size is not known yet. */
        if (r->height && job->images.trust != TRUST_FILE)
            sample.frame = (struct frame){ r->width, r->height };
        arena_reset(&arena);
        if (i % RELEASE_EVERY == 0)
            release(d);
        if (d->format->load(d, record, &job->plan->rules, &sample, faults))
            scores_check(scored, scores_default, d, record, &sample, faults);
    }
    release(d);
    arena_drop(&arena);
}

/* True if part i of n has no fault. */
static bool part_is_good(const struct job *job, size_t i, size_t n)
{
    struct faults faults = dataset_faults(job->dataset);
    bool good;

    check_records(job, preflight_count(job) * i / n, preflight_count(job) * (i + 1) / n, 1,
                  &faults);
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

/* True if no part has a fault. Forks n - 1 processes and does part 0 here. A process that cannot be
 * started, or that does not exit with 0, counts as a fault. */
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

void check_all_annotations(const struct job *job, struct faults *faults)
{
    size_t left = preflight_count(job), jobs = (size_t)job->run.jobs;
    size_t n =
        left ? job->dataset->n_objects * left / job->images.n_records / OBJECTS_PER_PROCESS : 0;

    if (n > jobs)
        n = jobs;
    /* The parts only find out whether there is a fault; this process then reads everything again to
     * report faults in order. */
    if (n < 2 || !all_are_good(job, n))
        check_records(job, 0, left, MAX_FAULTS, faults);
}
