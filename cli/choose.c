/* choose: the images of a dataset that a command line names. */
#include "open.h"

#include "../src/base/files.h"
#include "../src/base/rng.h"
#include "../src/batch/names.h"

#include <string.h>

/* A name as the dataset has it; the images' folder before it is what a shell completes. */
static const char *name_of(const struct job *job, const char *operand)
{
    size_t length = strlen(job->images);

    if (strncmp(operand, job->images, length) != 0)
        return operand;
    operand += length;
    return operand + strspn(operand, "/");
}

static bool find_record(const struct dataset *d, const char *name, size_t *record)
{
    for (*record = 0; *record < d->n_records; ++*record)
        if (strcmp(d->records[*record].name, name) == 0)
            return true;
    return false;
}

static void find_images(const struct job *job, const char *const *operand, size_t *records,
                        struct faults *faults)
{
    const struct dataset *d = job->dataset;

    for (size_t i = 0; operand[i]; i++) {
        struct nearest near = { .word = name_of(job, operand[i]) };

        if (find_record(d, operand[i], &records[i]) || find_record(d, near.word, &records[i]))
            continue;
        for (size_t r = 0; r < d->n_records; r++)
            nearest_try(&near, d->records[r].name);
        fault_add(faults, 0, 0, operand[i], "image-unknown", "no such image in the dataset%s",
                  nearest_hint(&near, &faults->arena));
    }
}

static void check_names(const struct job *job, size_t r, struct faults *faults)
{
    struct text why = { 0 };
    const char *code;

    if (!names_allowed(job, r, &why, &code))
        fault_add(faults, 0, 0, job->dataset->records[r].name, code, "%s", text_string(&why));
    text_drop(&why);
}

/* `n` of all records in the dataset's order: which ones only the seed decides. */
static void choose_any(uint64_t seed, size_t all, size_t n, size_t *record)
{
    struct rng rng = rng_start(seed, rng_stream("sample"), RNG_DRAW);
    size_t taken = 0;

    for (size_t i = 0; i < all && taken < n; i++)
        if (rng_unit(&rng) * (double)(all - i) < (double)(n - taken))
            record[taken++] = i;
}

int open_choice(const struct job_options *o, struct opened *opened, const char *const *operand,
                struct choice_of_images *chosen)
{
    const struct job *job = &opened->job;
    struct faults faults = { .name = "lockstep" };
    size_t n = 0, all = job->dataset->n_records;
    size_t limit = (size_t)(o->sample ? o->sample : o->limit);
    int code = EXIT_USAGE;

    while (operand[n])
        n++;
    if (!n)
        n = limit < all ? limit : all;
    chosen->n = n;
    chosen->record = ARENA_ARRAY(&opened->arena, size_t, n);
    for (size_t i = 0; i < n; i++)
        chosen->record[i] = i;
    if (o->sample && !operand[0])
        choose_any((uint64_t)opened->plan.seed, all, n, chosen->record);
    find_images(job, operand, chosen->record, &faults);
    if (!faults.n)
        code = EXIT_INPUT;
    for (size_t i = 0; code == EXIT_INPUT && i < n; i++)
        check_names(job, chosen->record[i], &faults);
    code = faults.n ? faults_exit(&faults, code) : EXIT_DONE;
    faults_drop(&faults);
    return code;
}
