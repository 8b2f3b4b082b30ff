/* bench_records: measures each step that is done per record before the first image is decoded.
 *
 * Usage: bench_records PIPELINE IMAGES JOBS. For each step: processor seconds, nanoseconds per
 * record, and the anonymous memory that the process holds after it. Records have two outputs. */
#include "batch/output/name_collisions.h"
#include "batch/dataset/list_images.h"
#include "batch/run/check_job.h"
#include "batch/run/preflight.h"
#include "batch/image/job_sandbox.h"
#include "batch/io/folder.h"

#include "used.h"

#include <string.h>

static double seconds_of(int whose)
{
    struct rusage usage;

    getrusage(whose, &usage);
    return used_seconds(usage.ru_utime) + used_seconds(usage.ru_stime);
}

/* Returns processor time, of this process and its ended children: other load does not count. */
static double now(void)
{
    return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

static void die(const char *what, const struct text *why)
{
    fprintf(stderr, "bench_records: %s: %s\n", what, text_string(why));
    exit(1);
}

static void die_of(struct faults *faults)
{
    struct text text = { 0 };

    faults_print(faults, 5, &text);
    die("faults", &text);
}

static double anonymous_mb(void)
{
    FILE *status = fopen("/proc/self/status", "r");
    char line[200];
    long kb = 0;

    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "RssAnon: %ld", &kb) == 1)
            break;
    if (status)
        fclose(status);
    return (double)kb / 1024;
}

/* A step ends: its row. */
static void lap(const char *title, const struct job *job, double *began)
{
    double seconds = now() - *began;

    printf("%-44s %9.3f %9.0f %9.1f\n", title, seconds,
           seconds * 1e9 / (double)job->images.n_records, anonymous_mb());
    *began = now();
}

/* Fisher and Yates' shuffle, by numbers that are the same on every run. */
static void shuffle(struct dataset *d)
{
    uint64_t state = 1;

    for (size_t i = d->n_records; i > 1; i--) {
        struct record *a = &d->records[i - 1], *b, held = *a;

        state = state * 6364136223846793005 + 1442695040888963407;
        b = &d->records[(state >> 33) % i];
        *a = *b;
        *b = held;
    }
}

static void read_plan(const char *path, struct plan *plan)
{
    struct faults faults = { .name = path };
    struct text text = { 0 }, why = { 0 };

    if (!input_read_named(path, UINT64_MAX, &text, &why))
        die(path, &why);
    faults.text = (struct slice){ text.at, text.length };
    if (!plan_read(&faults, plan))
        die_of(&faults);
    text_drop(&text);
}

static void no_link(void *context, const char *path, int file)
{
    (void)context;
    (void)path;
    (void)file;
}

static void measure(struct job *job, struct dataset *d)
{
    const char *failed = job->images.roots.at[0];
    struct faults faults = { .name = failed };
    struct skipped_files passed = { 0 };
    struct out_dir none = { 0 };
    struct text why = { 0 };
    double began = now();

    if (!listing_read(job, d, &passed, &failed, &why))
        die(failed, &why);
    job->images.passed = &passed;
    job->images.n_records = d->n_records;
    lap("listed, and sorted by name", job, &began);
    listing_compare(job);
    lap("compared with the folder, as with -a", job, &began);
    shuffle(d);
    began = now();
    listing_sort(d);
    lap("sorted, from a random order", job, &began);
    job_find_links(job, no_link, NULL);
    lap("looked at for links", job, &began);
    if (!job_check(job, &faults))
        die_of(&faults);
    lap("names and collisions checked", job, &began);
    if (name_collisions_check_folded(job, &none, &faults))
        die_of(&faults);
    lap("collisions that the file system makes", job, &began);
    if (preflight(job, &faults))
        die_of(&faults);
    lap("headers read, steps drawn", job, &began);
}

int main(int argc, char **argv)
{
    struct arena arena = { 0 };
    struct dataset dataset = { .arena = &arena };
    struct plan plan = { 0 };
    struct job job = {
        .plan = &plan, .dataset = &dataset, .naming.copies = 2, .images.max_pixels = 1 << 26
    };

    if (argc != 4) {
        fputs("usage: bench_records PIPELINE IMAGES JOBS\n", stderr);
        return 2;
    }
    read_plan(argv[1], &plan);
    job.images.roots = (struct roots){ .at = (const char *const *)&argv[2], .n = 1 };
    job.run.jobs = atoi(argv[3]);
    measure(&job, &dataset);
    return 0;
}
