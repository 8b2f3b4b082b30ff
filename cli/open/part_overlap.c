/* part_overlap: finds images that are in several parts of a dataset, before a run. */
#include "open/dataset.h"
#include "shared/say.h"

#include "batch/io/equal_files.h"

#include <stdlib.h>
#include <string.h>

/* Lists the images of all parts. */
static struct grouped_file *list_files(const struct job *job)
{
    const struct dataset *d = job->dataset;
    struct grouped_file *files = memory_take((d->n_records + 1) * sizeof *files);

    for (size_t i = 0; i < d->n_records; i++)
        files[i] = (struct grouped_file){
            .root = job_root(job, i),
            .name = job_file(job, i),
            .group = (uint32_t)(combination_part_of(d, i) - d->combination->at),
            .index = (uint32_t)i,
        };
    return files;
}

static void print_path(const struct dataset *d, const struct grouped_file *file, struct text *out)
{
    text_addf(out, "%s/%s of \"%s\"", file->root, file->name, d->combination->at[file->group].name);
}

/* Describes the images that are in two parts. Returns false if there are none. */
static bool describe(const struct dataset *d, const struct grouped_file *files, struct text *why)
{
    const struct grouped_file *first = NULL;
    size_t n = 0;

    for (size_t i = 0; i < d->n_records; i++)
        if (files[i].first != NO_FILE && !n++)
            first = &files[i];
    if (!n)
        return false;
    text_addf(why, "%zu image%s in two parts of the dataset; ", n, n == 1 ? " is" : "s are");
    text_adds(why, n == 1 ? "it, " : "the first, ");
    print_path(d, first, why);
    text_adds(why, first->linked ? ", is the file " : ", has the bytes of ");
    print_path(d, &files[first->first], why);
    return true;
}

int open_check_overlap(const struct job_options *o, const struct command_inputs *to)
{
    const struct dataset *d = &to->dataset;
    bool parts = d->combination && d->combination->n > 1;
    struct grouped_file *files;
    struct text why = { 0 };
    bool found;

    if (o->strict_parts && !parts) {
        text_adds(&why, "the dataset does not have several parts");
        return refuse_input("--strict-parts", &why, "option-unused", EXIT_USAGE);
    }
    if (!parts || (o->quiet && !o->strict_parts))
        return EXIT_DONE;
    files = list_files(&to->job);
    equal_files_find(files, d->n_records);
    found = describe(d, files, &why);
    free(files);
    if (found && o->strict_parts)
        return refuse_input("--strict-parts", &why, "part-overlap", EXIT_INPUT);
    if (found)
        message_print("lockstep: warning: %s; `lockstep check` lists them all [part-overlap]",
                      text_string(&why));
    text_drop(&why);
    return EXIT_DONE;
}
