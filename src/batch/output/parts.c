/* parts: keeps outputs in the same part of a dataset as their sources. */
#include "batch/output/parts.h"
#include "batch/output/output_names.h"

#include "labels/shared/parts.h"

#include <string.h>

/* --- parts that have images --- */

static void mark_record(const struct dataset *d, size_t record, size_t *n_outside)
{
    bool inside = false;

    for (size_t i = 0; i < d->parts->n; i++)
        for (size_t k = 0; k < d->parts->at[i].n; k++) {
            struct part_folder *f = &d->parts->at[i].folders[k];

            if (f->out && part_folder_has_record(d, f, record))
                inside = f->has_images = true;
        }
    *n_outside += !inside;
}

/* --- outputs stay in their part --- */

static bool check_output(const struct dataset *d, size_t record, const char *output,
                         struct faults *faults)
{
    for (size_t i = 0; i < d->parts->n; i++) {
        const struct dataset_part *p = &d->parts->at[i];
        bool was = part_has_record(d, p, record), is = part_has_output(p, output);

        if (was != is)
            return fault_add(faults, 0, 0, d->records[record].name, "yolo-parts",
                             "the image is %sin the part \"%s\", and its output %s is %sin a "
                             "folder of that part: keep {dir} in --name-template, and give the "
                             "folder above all parts as --images",
                             was ? "" : "not ", p->name, output, is ? "" : "not ");
    }
    return true;
}

/* Checks the first and the last copy only: copies of one image differ at most in the number that a
 * template puts into their names. */
static bool check_record(const struct job *job, size_t record, struct text *name,
                         struct faults *faults)
{
    const struct dataset *d = job->dataset;
    unsigned n = record_fan_out(job, record);

    for (unsigned k = 0; k<n; k += n> 1 && k + 1 < n ? n - 1 : 1) {
        output_name(job, record, k, name);
        if (!check_output(d, record, text_string(name), faults))
            return false;
    }
    return n || check_output(d, record, d->records[record].name, faults);
}

/* --- parts that the index lacks --- */

static void add_word(struct text *list, const char *word)
{
    text_addf(list, "%s%s", list->length ? ", " : "", word);
}

static bool has_part(const struct parts *parts, const char *name)
{
    for (size_t i = 0; i < parts->n; i++)
        if (strcmp(parts->at[i].name, name) == 0)
            return true;
    return false;
}

static void print_note(const struct dataset *d, size_t n_outside, struct text *note)
{
    struct text without = { 0 }, unstated = { 0 };

    for (size_t i = 0; i < d->parts->n; i++)
        if (!part_has_images(&d->parts->at[i]))
            add_word(&without, d->parts->at[i].name);
    if (!has_part(d->parts, "train"))
        add_word(&unstated, "train");
    if (!has_part(d->parts, "val") && !has_part(d->parts, "validation"))
        add_word(&unstated, "val");
    if (without.length)
        text_addf(note, "%s leaves out %s: the run has no images of %s", d->writer->index,
                  text_string(&without), strchr(text_string(&without), ',') ? "them" : "it");
    if (unstated.length)
        text_addf(note, "%s%s has no %s, which training tools require: the source states none",
                  note->length ? "; " : "", d->writer->index, text_string(&unstated));
    if (n_outside && !d->parts->stated)
        text_addf(note, "%s%zu image%s in no folder of a part", note->length ? "; " : "", n_outside,
                  n_outside == 1 ? " is" : "s are");
    text_drop(&without);
    text_drop(&unstated);
}

bool parts_find(const struct job *given, struct dataset *d, struct text *note,
                struct faults *faults)
{
    const struct job whole = job_whole(given), *job = &whole;
    size_t n_outside = 0;
    struct text name = { 0 };
    bool good = true;

    if (!d->writer || !d->writer->find_parts)
        return true;
    if (!d->writer->find_parts(d, faults))
        return false;
    for (size_t i = 0; i < job->images.n_records; i++)
        mark_record(d, job_record(job, i), &n_outside);
    for (size_t i = 0; good && i < job->images.n_records; i++)
        good = check_record(job, job_record(job, i), &name, faults);
    if (good)
        print_note(d, n_outside, note);
    text_drop(&name);
    return good;
}
