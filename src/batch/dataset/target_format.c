/* target_format: the output format of annotations. */
#include "batch/dataset/target_format.h"

#include "batch/dataset/class_folders.h"
#include "steps/registry.h"

#include <stdlib.h>
#include <string.h>

enum { TARGET_SAME, MAX_TARGETS = 16 };

/* Words of all formats, in the order of their names; filled in before main. */
struct choice target_choices[1 + MAX_TARGETS + 1] = { { "same", TARGET_SAME,
                                                        "as they were read" } };

/* The format and the target of each choice. */
static struct {
    const struct format *format;
    const struct target *target;
} targets[1 + MAX_TARGETS];

static int add_choices(const struct format *format, int n)
{
    for (const struct target *t = format->targets; t && t->word && n < MAX_TARGETS; t++) {
        n++;
        targets[n].format = format;
        targets[n].target = t;
        target_choices[n] = (struct choice){ t->word, n, t->help };
    }
    return n;
}

__attribute__((constructor)) static void fill_choices(void)
{
    int n = TARGET_SAME;

    for (EACH(format, format, registry_formats))
        n = add_choices(format, n);
    add_choices(&class_folders_format, n);
}

bool target_choose(struct dataset *d, int choice, struct text *why)
{
    const struct format *to = targets[choice].format;

    d->writer = d->format;
    if (to)
        d->writes = targets[choice].target->writes;
    if (to && to == d->format)
        d->writes += to->converted;
    if (!to || to == d->format)
        return true;
    if (d->format->listed || d->format->paint ||
        (d->format->ending && to != &class_folders_format)) {
        text_addf(why, "%s can only be written in its own format", d->format->name);
        return false;
    }
    d->writer = to->foreign ? to->foreign : to;
    return true;
}

bool target_is_other(int choice)
{
    return choice != TARGET_SAME;
}

bool target_is_format(int choice, const struct format *format)
{
    return targets[choice].format && strcmp(targets[choice].format->name, format->name) == 0;
}

const char *target_word(int choice)
{
    return target_choices[choice].word;
}

int target_of_word(const char *word)
{
    int i = TARGET_SAME;

    while (target_choices[i].word && strcmp(target_choices[i].word, word) != 0)
        i++;
    return target_choices[i].word ? i : TARGET_SAME;
}

int target_of_key(const char *word, const char *format)
{
    for (int i = TARGET_SAME + 1; target_choices[i].word; i++) {
        const struct format *to = targets[i].format;
        size_t length = strlen(to->name);
        int added = strcmp(format, to->name) == 0 ? to->converted : 0;

        if (strncmp(word, to->name, length) == 0 && word[length] == ' ' &&
            atoi(word + length) == targets[i].target->writes + added)
            return i;
    }
    return TARGET_SAME;
}

static void count_record(const struct job *job, size_t i, struct arena *arena,
                         struct omissions *omissions)
{
    const struct dataset *d = job->dataset;
    struct faults faults = dataset_faults(d);
    struct sample sample = { .arena = arena };
    const struct record *r = &d->records[i];

    if (r->height && job->images.trust != TRUST_FILE)
        sample.frame = (struct frame){ r->width, r->height };
    arena_reset(arena);
    if (d->format->load(d, i, &job->plan->rules, &sample, &faults))
        d->writer->count_omissions(d, i, &sample, &job->plan->rules, omissions);
    faults_drop(&faults);
}

void target_omissions(const struct job *job, struct omissions *omissions)
{
    const struct dataset *d = job->dataset;
    struct arena arena = { 0 };

    if (d->writer && d->writer->count_omissions &&
        (d->writer != d->format || (d->writer->converted && d->writes >= d->writer->converted)))
        for (size_t i = 0; i < job->images.n_records; i++)
            count_record(job, job_record(job, i), &arena, omissions);
    arena_drop(&arena);
}
