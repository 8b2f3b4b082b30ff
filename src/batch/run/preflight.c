/* preflight: finds images that will fail, before the run starts. */
#include "batch/run/preflight.h"

#include "batch/dataset/resolve_names.h"
#include "batch/image/image_job.h"
#include "batch/process/sandbox.h"
#include "batch/run/preflight_skip.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MAX_KINDS = 24,
    EXAMPLES = 3,
    IMAGES_PER_PROCESS = 64 /* images that are worth one more process */
};

/* A kind of failure: same code, and same message apart from numbers. */
struct finding {
    char code[40];     /* identifies the kind, with the message */
    char message[480]; /* of the first image, without name and code */
    size_t n;
    size_t record[EXAMPLES]; /* the first images that failed so */
};

/* The findings of one process, in shared memory. */
struct findings {
    struct finding at[MAX_KINDS];
    size_t n;
    size_t n_images; /* images that fail */
};

/* --- in a process of its own --- */

/* Splits a reason of the form "name: message [code]". */
static void parse_reason(const char *why, const char *name, struct finding *to)
{
    const char *end = why + strlen(why), *open;
    size_t length = strlen(name);

    snprintf(to->code, sizeof to->code, "image-unread");
    if (strncmp(why, name, length) == 0 && strncmp(why + length, ": ", 2) == 0)
        why += length + 2;
    open = strrchr(why, '[');
    if (open > why && open[-1] == ' ' && end[-1] == ']') {
        snprintf(to->code, sizeof to->code, "%.*s", (int)(end - open - 2), open + 1);
        end = open - 1;
    }
    snprintf(to->message, sizeof to->message, "%.*s", (int)(end - why), why);
}

/* True if both texts are equal apart from numbers. */
static bool is_like(const char *a, const char *b)
{
    static const char digits[] = "0123456789";

    while (*a && *a == *b) {
        a++, b++;
        a += strspn(a, digits);
        b += strspn(b, digits);
    }
    return *a == *b;
}

/* Returns the finding of the same kind, or a new one. When all places are taken, the last one
 * collects all other kinds. */
static struct finding *find(struct findings *f, const struct finding *like)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->at[i].code, like->code) == 0 && is_like(f->at[i].message, like->message))
            return &f->at[i];
    if (f->n == MAX_KINDS)
        return &f->at[MAX_KINDS - 1];
    f->at[f->n] = *like;
    return &f->at[f->n++];
}

static void add(struct findings *f, const char *why, const char *name, size_t record)
{
    struct finding like = { .n = 0 }, *found;

    parse_reason(why, name, &like);
    found = find(f, &like);
    if (found->n < EXAMPLES)
        found->record[found->n] = record;
    found->n++;
    f->n_images++;
}

static void probe_images(const struct job *job, size_t from, size_t to, struct findings *f)
{
    struct scratch scratch = { .headers = true };
    struct report report = { 0 };

    for (size_t i = from; i < to; i++) {
        size_t r = preflight_record(job, i);
        struct work *w = record_begin(job, &scratch, r, true, &report);
        struct pending_output out;

        while (record_next(w, &out))
            ;
        record_end(w);
        if (report.outcome != OUTCOME_DONE)
            add(f, text_string(&report.why), job->dataset->records[r].name, r);
    }
    report_drop(&report);
    scratch_drop(&scratch);
}

static pid_t start_part(const struct job *job, size_t from, size_t to, struct findings *f)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        sandbox_enter(job->run.contained);
        probe_images(job, from, to, f);
        _exit(EXIT_SUCCESS);
    }
    return pid;
}

/* --- what all have found --- */

static void merge(struct findings *all, const struct findings *part)
{
    all->n_images += part->n_images;
    for (size_t i = 0; i < part->n; i++) {
        const struct finding *from = &part->at[i];
        struct finding none = *from, *to;

        none.n = 0;
        to = find(all, &none);
        for (size_t k = 0; k < from->n && k < EXAMPLES && to->n + k < EXAMPLES; k++)
            to->record[to->n + k] = from->record[k];
        to->n += from->n;
    }
}

static void add_fault(const struct job *job, const struct finding *f, struct faults *faults)
{
    const struct record *records = job->dataset->records;
    struct text message = { 0 };

    text_adds(&message, f->message);
    if (strcmp(f->code, "image-missing") == 0 || strcmp(f->code, "name-unsafe") == 0)
        resolve_hint(job, job_file(job, f->record[0]), &message);
    for (size_t i = 1; i < f->n && i < EXAMPLES; i++)
        text_addf(&message, "%s%s", i == 1 ? "; also " : ", ", records[f->record[i]].name);
    if (f->n > EXAMPLES)
        text_addf(&message, " and %zu more", f->n - EXAMPLES);
    fault_add(faults, 0, 0, records[f->record[0]].name,
              arena_copy(&faults->arena, f->code, strlen(f->code)), "%s", text_string(&message));
    text_drop(&message);
}

int preflight_exit(const struct faults *faults)
{
    for (size_t i = 0; i < faults->n; i++)
        if (strcmp(faults->list[i].code, "image-library") == 0)
            return outcome_exit(OUTCOME_LIBRARY);
    return EXIT_INPUT;
}

size_t preflight(const struct job *job, struct faults *faults)
{
    size_t n = preflight_count(job);
    size_t parts = n / IMAGES_PER_PROCESS < (size_t)job->run.jobs ? n / IMAGES_PER_PROCESS + 1
                                                                  : (size_t)job->run.jobs;
    struct findings *part, all = { .n = 0 };
    pid_t *pid = memory_take(parts * sizeof *pid);

    part =
        mmap(NULL, parts * sizeof *part, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (part == MAP_FAILED)
        memory_gone(parts * sizeof *part);
    for (size_t i = 0; i < parts; i++)
        pid[i] = start_part(job, n * i / parts, n * (i + 1) / parts, &part[i]);
    for (size_t i = 0; i < parts; i++) {
        int status;

        while (pid[i] > 0 && waitpid(pid[i], &status, 0) < 0 && errno == EINTR)
            ;
        merge(&all, &part[i]);
    }
    for (size_t i = 0; i < all.n; i++)
        add_fault(job, &all.at[i], faults);
    munmap(part, parts * sizeof *part);
    free(pid);
    return all.n_images;
}
