/* select_images: chooses images of a dataset by options and operands. */
#include "open/dataset.h"
#include "shared/say.h"

#include "base/files.h"
#include "base/rng.h"
#include "batch/dataset/select_images.h"
#include "batch/io/folder.h"
#include "batch/output/output_names.h"

#include <string.h>

/* --- images to process --- */

/* Adds a fault if stdin is given for two options. */
static bool check_stdin(const struct job_options *o, struct faults *faults)
{
    const char *others[] = { o->pipeline, job_annotations(o), o->image_list, o->classes };

    for (size_t i = 0; i < COUNTOF(others) && strcmp(o->images_from, "-") == 0; i++)
        if (others[i] && strcmp(others[i], "-") == 0)
            return fault_add(faults, 0, 0, "--images-from", "option-value",
                             "stdin can be read for one option only");
    return true;
}

static int read_list(const struct job_options *o, struct image_selection *choice,
                     struct arena *arena, struct faults *faults)
{
    enum { MAX_LIST = 1 << 30 };
    struct text text = { 0 }, why = { 0 };
    int code = EXIT_DONE;

    if (!*o->images_from)
        return code;
    if (!check_stdin(o, faults)) {
        code = EXIT_USAGE;
    } else if (!input_read_named(o->images_from, MAX_LIST, &text, &why)) {
        fault_add(faults, 0, 0, o->images_from, "images-unread", "%s", text_string(&why));
        code = EXIT_INPUT;
    }
    choice->list_name = input_name(o->images_from);
    choice->list = (struct slice){ arena_copy(arena, text.at, text.length), text.length };
    text_drop(&text);
    text_drop(&why);
    return code;
}

int open_choice(const struct job_options *o, struct command_inputs *opened,
                const char *const *operand)
{
    struct image_selection *choice = ARENA_NEW(&opened->arena, struct image_selection);
    struct faults faults = { .name = "lockstep" };
    int code;

    *choice = (struct image_selection){
        .include = o->include, .exclude = o->exclude, .categories = o->categories, .names = operand
    };
    code = read_list(o, choice, &opened->arena, &faults);
    if (!code && !choice_make(choice, &opened->job, &faults))
        code = opened->job.images.n_records ? EXIT_USAGE : EXIT_INPUT;
    if (code)
        faults_exit(&faults, code);
    faults_drop(&faults);
    return code;
}

/* --- images to show --- */

static bool find_record(const struct job *job, const char *name, size_t *record)
{
    for (size_t i = 0; i < job->images.n_records; i++) {
        *record = job_record(job, i);
        if (strcmp(job->dataset->records[*record].name, name) == 0)
            return true;
    }
    return false;
}

static void check_names(const struct job *job, size_t r, struct faults *faults)
{
    struct text why = { 0 };
    const char *code;

    if (!check_record_names(job, r, &why, &code))
        fault_add(faults, 0, 0, job->dataset->records[r].name, code, "%s", text_string(&why));
    text_drop(&why);
}

/* Chooses `n` images, in the dataset's order. The choice depends on the seed only. */
static void choose_any(const struct command_inputs *opened, size_t n, struct shown_images *shown)
{
    struct rng rng = rng_start((uint64_t)opened->plan.seed, rng_stream("sample"), RNG_DRAW);
    size_t all = opened->job.images.n_records;

    for (size_t i = 0; i < all && shown->n < n; i++)
        if (rng_unit(&rng) * (double)(all - i) < (double)(n - shown->n))
            shown->record[shown->n++] = job_record(&opened->job, i);
}

int open_shown(const struct job_options *o, struct command_inputs *opened,
               const char *const *operand, struct shown_images *shown)
{
    const struct job *job = &opened->job;
    struct faults faults = { .name = "lockstep" };
    size_t n = 0, most = (size_t)(o->sample ? o->sample : o->limit);
    int code;

    while (operand[n])
        n++;
    *shown =
        (struct shown_images){ ARENA_ARRAY(&opened->arena, size_t, n + job->images.n_records), 0 };
    for (size_t i = 0; i < n; i++)
        shown->n += find_record(job, operand[i], &shown->record[shown->n]) ||
                    find_record(job, choice_name(job, operand[i]), &shown->record[shown->n]);
    if (!n && o->sample)
        choose_any(opened, most, shown);
    else if (!n)
        while (shown->n < most && shown->n < job->images.n_records) {
            shown->record[shown->n] = job_record(job, shown->n);
            shown->n++;
        }
    for (size_t i = 0; i < shown->n; i++)
        check_names(job, shown->record[i], &faults);
    code = faults.n ? faults_exit(&faults, EXIT_INPUT) : EXIT_DONE;
    faults_drop(&faults);
    return code;
}
