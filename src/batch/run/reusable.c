/* reusable: results of a stopped run that are still valid. */
#include "batch/run/reusable.h"

#include "batch/dataset/donor_table.h"
#include "batch/journal/entry.h"
#include "batch/output/file_list.h"
#include "batch/output/out_files.h"
#include "batch/image/fingerprint.h"
#include "batch/run/preflight_skip.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/file_view.h"

#include <stdlib.h>
#include <string.h>

enum {
    RELEASE_EVERY = 1 << 14
}; /* records after which the pages of the object spool that were read are released */

static bool has_name(const struct record *r, struct slice name)
{
    return strncmp(r->name, name.at, name.length) == 0 && !r->name[name.length];
}

/* Finds the image of an entry. Returns false if it is no longer in the dataset. */
static bool find_record(struct reusable *k, const struct entry *e, size_t *record)
{
    const struct record *records = k->job->dataset->records;

    *record = (size_t)e->record;
    if (job_has_record(k->job, *record) && has_name(&records[*record], e->name))
        return true;
    return name_index_find(&k->names, k->job->dataset, e->name, record) &&
           job_has_record(k->job, *record);
}

/* True if the dataset has one annotation file, which is unchanged, and the same image names: then
 * no annotation has changed. */
static bool has_same_records(const struct reusable *k)
{
    const struct format *format = k->job->dataset->format;

    return format && !format->suffix && k->same_annotations && k->same_names;
}

/* True if the files of a record are those of a source key. Bytes are read once for all outputs that
 * borrow the image: `compared` caches the hash of the key, with the result in its lowest bit. */
static bool has_files_of(struct reusable *k, size_t record, const struct source_key *source)
{
    const struct file_key files[] = { source->image, source->mask };
    uint64_t key = (hash_quick(files, sizeof files) | 2) & ~UINT64_C(1);
    enum source_state state;

    if (k->compared && (k->compared[record] & ~UINT64_C(1)) == key)
        return k->compared[record] & 1;
    state = source_compare(k->job, record, source);
    if (state == SOURCE_SAME || state == SOURCE_CHANGED)
        return state == SOURCE_SAME;
    if (!k->compared) {
        size_t size = k->job->dataset->n_records * sizeof *k->compared;

        k->compared = memset(memory_take(size), 0, size);
    }
    k->n_compared += !k->compared[record];
    k->n_changed += state == SOURCE_OTHER_BYTES;
    k->compared[record] = key | (state == SOURCE_SAME_BYTES);
    return state == SOURCE_SAME_BYTES;
}

/* True if every input except borrowed images is unchanged. */
static bool has_own_sources(struct reusable *k, size_t record, const struct source_key *source)
{
    return preflight_skip_has_source(k->job->run.preflight_skip, record, source) ||
           (has_files_of(k, record, source) &&
            (has_same_records(k) ||
             source_annotations(k->job->dataset, record) == source->annotations));
}

/* Candidates count as well as borrowed images: from other candidates, other images could be
 * borrowed. */
bool reusable_has_same_sources(struct reusable *k, size_t record, const struct report_view *v)
{
    const struct job *job = k->job;
    struct source_key source;
    struct slice name;
    size_t at = 0, donor;

    if (!has_own_sources(k, record, &v->source) ||
        v->source.donors != (job->donors ? job->donors->hash : 0))
        return false;
    while (report_next_donor(v->donors, &at, &source, &name))
        if (!donor_table_find(job->donors, job->dataset, name.at, &donor) ||
            !has_own_sources(k, donor, &source))
            return false;
    return true;
}

static bool has_objects(const struct reusable *k, const struct report_view *v)
{
    return v->objects_at <= k->objects.length &&
           v->objects_length <= k->objects.length - v->objects_at &&
           hash_quick(k->objects.at + v->objects_at, v->objects_length) == v->objects_hash;
}

static bool has_file(const struct reusable *k, const struct written_file *f)
{
    struct text name = { 0 };
    bool there;

    text_add(&name, f->name.at, f->name.length);
    there = file_list_name_is_safe(text_string(&name)) &&
            out_dir_has_file(k->job->output.outdir, text_string(&name), f->size,
                             k->job->run.verify_resume ? &f->hash : NULL);
    text_drop(&name);
    return there;
}

static bool has_files(const struct reusable *k, const struct report_view *v)
{
    struct written_file f;
    size_t at = 0;

    while (report_next_file(v->files, &at, &f))
        if (!has_file(k, &f))
            return false;
    return true;
}

/* True if an image failed because of its content and would fail again. With --on-error fail it is
 * tried again, so that it ends this run, too. Excluded are reasons that may no longer hold: a
 * position in changed annotations, a limit that this run lacks, a borrowed image that was repaired.
 */
static bool is_lasting_failure(const struct reusable *k, const struct report_view *v)
{
    bool same = k->same_annotations || !k->job->dataset->format;
    struct slice code = report_code(v->why);

    return v->outcome == OUTCOME_INPUT && same && k->job->run.on_error != ON_ERROR_FAIL &&
           !scan_equals(code, "image-large") && !scan_equals(code, "donor-failed");
}

bool reusable_has_same_outcome(struct reusable *k, size_t record, const struct report_view *v)
{
    return (v->outcome == OUTCOME_DONE || is_lasting_failure(k, v)) &&
           reusable_has_same_sources(k, record, v);
}

static bool is_good(struct reusable *k, size_t record, const struct report_view *v)
{
    return reusable_has_same_outcome(k, record, v) && has_objects(k, v) && has_files(k, v);
}

static int by_hash(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static void keep_files(struct reusable *k, size_t record, const struct report_view *v)
{
    struct written_file f;
    size_t at = 0;

    while (report_next_file(v->files, &at, &f)) {
        if (k->n_files == k->room_files) {
            k->room_files = 2 * k->room_files + 1024;
            k->files = memory_grow(k->files, k->room_files * sizeof *k->files);
        }
        k->files[k->n_files++] = hash_quick(f.name.at, f.name.length);
        text_addf(&k->list, "%zu %llu ", record, (unsigned long long)f.size);
        text_add(&k->list, f.name.at, f.name.length);
        text_addc(&k->list, '\n');
    }
}

void reusable_read(struct reusable *k, uint64_t at)
{
    struct journal_record found;
    struct entry entry;
    size_t record;

    while (at < k->end && journal_next(k->journal, &at, &found))
        if ((found.kind == JOURNAL_ENTRY || found.kind == JOURNAL_VOID) &&
            entry_read(found.payload, &entry) && find_record(k, &entry, &record))
            k->collect->entry[record] = found.kind == JOURNAL_ENTRY ? found.at : 0;
}

bool reusable_drop_stale(struct reusable *k)
{
    struct collect *c = k->collect;
    struct text entry = { 0 };
    bool good = true;

    for (size_t n = 0; good && n < k->job->images.n_records; n++) {
        size_t i = job_record(k->job, n);
        uint64_t at = c->entry[i];
        struct report_view v;

        if (!at)
            continue;
        if (n % RELEASE_EVERY == 0)
            file_view_release(k->objects, k->objects);
        if (collect_report(c, k->journal, i, &v) && is_good(k, i, &v)) {
            collect_count(c, i, &v, at);
            keep_files(k, i, &v);
            continue;
        }
        c->entry[i] = 0;
        text_clear(&entry);
        entry_print(i, k->job->dataset->records[i].name, (struct slice){ "", 0 }, &entry);
        good = journal_append(&c->journal, JOURNAL_VOID, (struct slice){ entry.at, entry.length });
    }
    text_drop(&entry);
    if (k->n_files)
        qsort(k->files, k->n_files, sizeof *k->files, by_hash);
    return good;
}

bool reusable_has_file(const struct reusable *k, const char *name)
{
    uint64_t hash = hash_quick(name, strlen(name));

    return k->n_files && bsearch(&hash, k->files, k->n_files, sizeof hash, by_hash);
}

void reusable_drop(struct reusable *k)
{
    name_index_drop(&k->names);
    free(k->files);
    free(k->compared);
    text_drop(&k->list);
}
