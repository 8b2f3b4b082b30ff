/* target_format: the output format of annotations. */
#include "batch/dataset/target_format.h"

#include "batch/dataset/class_folders.h"
#include "batch/io/open.h"
#include "batch/process/limits.h"
#include "labels/shared/combination.h"
#include "labels/shared/written_classes.h"
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

/* Returns the size that annotations or the image's file state; { 0 } if it cannot be read. */
static struct frame frame_of(const struct job *job, size_t i)
{
    static const size_t max_pixels = MAX_PIXELS;
    const struct record *r = &job->dataset->records[i];
    struct picture_header header = { .frame = { 0 } };
    struct text why = { 0 };

    if (r->height && job->images.trust != TRUST_FILE)
        return (struct frame){ r->width, r->height };
    if (!input_probe(job_root(job, i), combination_own_record(job->dataset, i)->name, &max_pixels,
                     &header, &why))
        header.frame = (struct frame){ 0 };
    text_drop(&why);
    return header.frame;
}

/* True if OUT has class folders, for which a class without images is lost in their own format, too.
 */
static bool writes_class_folders(const struct dataset *d)
{
    const struct format *writer = d->writer ? d->writer : d->format;

    return writer && strcmp(writer->name, class_folders_format.name) == 0;
}

/* True if OUT has the format of the record's source, which keeps the values of images. */
static bool has_own_format(const struct dataset *d, size_t record)
{
    const struct dataset *own = d->combination ? &combination_part_of(d, record)->read : d;

    return !d->writer || d->writer == d->format ||
           (own->origin && strcmp(own->origin->name, d->writer->name) == 0);
}

struct counts {
    const struct job *job;
    struct omissions *omissions;
    size_t n_classes;
    bool *used; /* by part and written class: an object has it */
};

static void count_record_extra(void *context, const struct extra *e)
{
    const struct counts *c = context;
    const struct keys *drop = &c->job->plan->rules.drop_keys;
    struct text what = { 0 };

    if (e->usual)
        return;
    for (size_t i = 0; i < drop->n_of_images; i++)
        if (scan_equals(e->name, drop->of_images[i].name))
            return;
    text_addf(&what, "image value{s} of \"%.*s\"", (int)e->name.length, e->name.at);
    omissions_add(c->omissions, text_string(&what));
    text_drop(&what);
}

static size_t n_parts_of(const struct dataset *d)
{
    return d->combination ? d->combination->n : 1;
}

static void mark_used(const struct dataset *d, bool *used, const struct category *category)
{
    size_t place = category ? class_place(d, category) : CLASS_GONE;

    if (place != CLASS_GONE)
        used[place] = true;
}

static void mark_classes(struct counts *c, size_t record, const struct sample *sample)
{
    const struct dataset *d = c->job->dataset;
    size_t part =
        d->combination ? (size_t)(combination_part_of(d, record) - d->combination->at) : 0;
    bool *used = c->used + part * c->n_classes;

    for (size_t i = 0; i < sample->n_objects; i++)
        mark_used(d, used, sample->objects[i].category);
    for (size_t i = 0; i < sample->n_labels; i++)
        mark_used(d, used, sample->labels[i].category);
}

static void count_record(struct counts *c, size_t i, struct arena *arena)
{
    const struct job *job = c->job;
    const struct dataset *d = job->dataset;
    struct faults faults = dataset_faults(d);
    struct sample sample = { .arena = arena };

    arena_reset(arena);
    sample.frame = frame_of(job, i);
    if (d->format->load(d, i, &job->plan->rules, &sample, &faults) && d->writer)
        d->writer->count_omissions(d, i, &sample, &job->plan->rules, c->omissions);
    if (!has_own_format(d, i) && d->format->visit_record_extras)
        d->format->visit_record_extras(d, i, count_record_extra, c);
    mark_classes(c, i, &sample);
    faults_drop(&faults);
}

/* Counts the parts with images whose folders lack a class that another part has. */
static void count_lacking_parts(const struct counts *c, size_t class)
{
    const struct combination *parts = c->job->dataset->combination;

    for (size_t i = 0; parts && i < parts->n;) {
        size_t end = combination_next(parts, i), n_images = 0;
        bool used = false;

        for (; i < end; i++) {
            n_images += parts->at[i].n;
            used = used || c->used[i * c->n_classes + class];
        }
        if (n_images && !used)
            omissions_add(c->omissions, "name{s} of classes that a part lacks "
                                        "(readers number the classes of each part)");
    }
}

/* Counts the classes that a format without a list of classes does not state. Objects of images that
 * this run leaves out count, so that shards agree. */
static void count_unused(struct counts *c, struct arena *arena)
{
    const struct dataset *d = c->job->dataset;
    size_t n, n_parts = n_parts_of(d);
    const struct category *classes = classes_written(d, &n);

    if (c->job->images.n_records < d->n_records)
        for (size_t i = 0; i < d->n_records && memchr(c->used, false, n_parts * n); i++) {
            struct faults faults = dataset_faults(d);
            struct sample sample = { .arena = arena };

            arena_reset(arena);
            if (d->format->load(d, i, &c->job->plan->rules, &sample, &faults))
                mark_classes(c, i, &sample);
            faults_drop(&faults);
        }
    for (size_t i = 0; i < n; i++) {
        bool used = false;

        for (size_t k = 0; k < n_parts; k++)
            used = used || c->used[k * n + i];
        if (!used && *classes[i].name)
            omissions_add(c->omissions, "name{s} of classes without objects");
        else if (writes_class_folders(d))
            count_lacking_parts(c, i);
    }
}

/* True if the format of --to can lose something of the dataset's. */
static bool has_losses(const struct dataset *d)
{
    return d->writer && d->writer->count_omissions &&
           (d->writer != d->format || (d->writer->converted && d->writes >= d->writer->converted));
}

void target_omissions(const struct job *job, struct omissions *omissions)
{
    const struct dataset *d = job->dataset;
    struct arena arena = { 0 };
    struct counts c = { .job = job, .omissions = omissions };
    size_t n;

    classes_written(d, &c.n_classes);
    n = n_parts_of(d) * c.n_classes + 1;
    c.used = memory_take(n);
    memset(c.used, 0, n);
    if (writes_class_folders(d) || has_losses(d)) {
        for (size_t i = 0; i < job->images.n_records; i++)
            count_record(&c, job_record(job, i), &arena);
        if (writes_class_folders(d) || (d->writer->suffix && !d->writer->write_index))
            count_unused(&c, &arena);
    }
    free(c.used);
    arena_drop(&arena);
}
