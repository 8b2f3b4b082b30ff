/* collector: keeps reports of images in the journal and writes the files of OUT from them. */
#include "batch/run/collector.h"

#include "batch/dataset/donor_table.h"
#include "batch/results/error_line.h"
#include "batch/io/mapped_file.h"
#include "batch/output/out_dir.h"
#include "batch/results/shard_result.h"
#include "batch/journal/run_key.h"
#include "batch/journal/session.h"
#include "batch/image/fingerprint.h"
#include "batch/process/signals.h"
#include "batch/output/replace_result.h"
#include "batch/journal/entry.h"
#include "batch/output/file_list.h"
#include "batch/output/out_files.h"
#include "batch/results/annotations_file.h"
#include "batch/results/sha256sums.h"
#include "batch/webdataset/pack.h"

#include "base/files.h"
#include "base/stderr_line.h"
#include "base/eintr.h"
#include "base/file_view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool say(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

/* --- taking reports --- */

bool collect_start(struct collect *c, const struct job *job, struct text *why)
{
    struct text key = { 0 };
    bool good;

    *c = (struct collect){ .job = job };
    c->entry = memory_take((job->dataset->n_records + 1) * sizeof *c->entry);
    memset(c->entry, 0, (job->dataset->n_records + 1) * sizeof *c->entry);
    run_key_print(job, &key);
    good = file_list_start(job->output.outdir) &&
           store_open(&c->objects, out_dir_create_scratch_file(job->output.outdir, "objects")) &&
           journal_start(&c->journal, out_dir_create_scratch_file(job->output.outdir, "journal")) &&
           journal_append(&c->journal, JOURNAL_KEY, (struct slice){ key.at, key.length }) &&
           session_begin(&c->journal, job);
    text_drop(&key);
    return good || say(why, job->output.path);
}

bool collect_take(struct collect *c, size_t record, struct slice packed, struct text *why)
{
    uint64_t at = c->journal.end;
    struct text entry = { 0 };
    struct report_view r;
    bool good;

    entry_print(record, c->job->dataset->records[record].name, packed, &entry);
    good = journal_append(&c->journal, JOURNAL_ENTRY, (struct slice){ entry.at, entry.length });
    text_drop(&entry);
    if (good && c->job->output.durability == DURABILITY_FILE)
        good = RETRY(fdatasync(c->journal.file - 1)) == 0;
    if (!good)
        return say(why, "journal");
    if (report_view(packed, &r))
        collect_count(c, record, &r, at);
    return true;
}

void collect_cut_unsynced(struct collect *c)
{
    struct slice bytes;

    if (!view_open(c->journal.file - 1, c->journal.end, &bytes))
        return;
    (void)RETRY(ftruncate(c->journal.file - 1, (off_t)session_marked(bytes)));
    view_close(bytes);
}

/* --- manifest and errors --- */

/* Writes the manifest lines of finished records, or with `errors` the lines of records that failed.
 */
static bool write_lines(const struct collect *c, struct slice journal, bool errors,
                        const char *name, struct text *why)
{
    FILE *file = collect_open(c->job->output.outdir, name, why);
    struct text line = { 0 };
    bool good = true;

    if (!file)
        return false;
    for (size_t n = 0; good && n < c->job->images.n_records && !signals_end(); n++) {
        size_t i = job_record(c->job, n);
        struct report_view r;

        if (!collect_report(c, journal, i, &r) || (r.outcome != OUTCOME_DONE) != errors)
            continue;
        if (errors) {
            error_line_print(c->job, i, &r, &line);
            r.manifest = (struct slice){ line.at, line.length };
        }
        good = fwrite(r.manifest.at, 1, r.manifest.length, file) == r.manifest.length;
    }
    text_drop(&line);
    return collect_close(file, good, name, why);
}

/* --- the end --- */

/* Lists the files of OUT itself in the order in which they are moved into place: the annotation
 * file last. */
static const char **list_files(const struct collect *c, size_t *n_files)
{
    const struct format *writer = c->job->dataset->writer;
    const struct combination *combination = c->job->dataset->combination;
    const char **names =
        memory_take((N_OUT_FILES + (combination ? 2 * combination->n : 0)) * sizeof *names);
    size_t n = 0;

    names[n++] = "manifest.jsonl";
    if (c->skipped)
        names[n++] = "errors.jsonl";
    names[n++] = "run.json";
    if (c->job->output.checksums)
        names[n++] = "SHA256SUMS";
    if (c->job->dataset->list)
        names[n++] = "images.json";
    for (size_t i = 0; combination && i < combination->n; i = combination_next(combination, i))
        if (combination->at[i].file)
            names[n++] = combination->at[i].file;
    for (size_t i = 0; combination && i < combination_n_mask_lists(combination); i++)
        names[n++] = combination->at[combination_mask_list(combination, i)].mask_list;
    if (writer && !writer->suffix && !combination)
        names[n++] = format_file(writer);
    if (writer && writer->index)
        names[n++] = writer->index;
    *n_files = n;
    return names;
}

/* Writes the index of the format. */
static bool write_index(const struct collect *c, struct text *why)
{
    const struct dataset *d = c->job->dataset;
    FILE *file = collect_open(c->job->output.outdir, d->writer->index, why);

    return file && collect_close(file, d->writer->write_index(d, file), d->writer->index, why);
}

/* Writes the annotation files or lists of images, and the index. */
static bool write_annotations(struct collect *c, struct slice journal, struct text *why)
{
    const struct format *writer = c->job->dataset->writer;

    if (dataset_has_lists(c->job->dataset) && !collect_write_annotations(c, journal, why))
        return false;
    return !writer || !writer->index || write_index(c, why);
}

/* Returns the first image that changed since the outputs of the record were made: the image itself
 * or a donor. NULL: none changed. */
static const char *changed_image(const struct job *job, size_t record, const struct report_view *v)
{
    struct source_key source;
    struct slice name;
    size_t at = 0, donor;

    if (!source_has_files(job, record, &v->source))
        return job->dataset->records[record].name;
    while (report_next_donor(v->donors, &at, &source, &name))
        if (!donor_table_find(job->donors, job->dataset, name.at, &donor) ||
            !source_has_files(job, donor, &source))
            return name.at;
    return NULL;
}

/* Fails if an input image changed after it was read, since the manifest would describe another
 * image. */
static bool check_sources(struct collect *c, struct slice journal, struct text *why)
{
    const char *first = NULL;
    size_t n = 0;

    for (size_t i = 0; i < c->job->images.n_records; i++) {
        size_t record = job_record(c->job, i);
        struct report_view r;
        const char *changed = collect_report(c, journal, record, &r) && r.outcome == OUTCOME_DONE
                                  ? changed_image(c->job, record, &r)
                                  : NULL;

        if (changed)
            first = n++ ? first : changed;
    }
    c->changed = n;
    if (n)
        text_addf(why,
                  "%s%s: %zu image%s changed or removed after the run had read %s; --resume does "
                  "%s again [image-changed]",
                  first, n > 1 ? ", and others" : "", n, n == 1 ? " was" : "s were",
                  n == 1 ? "it" : "them", n == 1 ? "it" : "them");
    return !n;
}

/* Lists the tars, and after them the files of list_files. The caller frees the list. */
static const char **list_all(const struct collect *c, size_t *n)
{
    size_t n_files;
    const char **names = list_files(c, &n_files);
    const char **all = tar_names_with(&c->packed, names, n_files, n);

    free(names);
    return all;
}

/* Writes run.json and SHA256SUMS, which describe all other files. */
static bool write_summary(const struct collect *c, struct slice journal, struct text *why)
{
    size_t n;
    const char **names = list_all(c, &n);
    bool good = collect_write_run(c, names, n, why) &&
                (!c->job->output.checksums || collect_write_sums(c, journal, names, n, why));

    free(names);
    return good;
}

static bool pack(struct collect *c, struct sink *sink, struct text *why)
{
    const struct job *job = c->job;
    struct tar_sink tars = sink_tars(job->output.outdir, &job->output.packing, &c->packed);
    const char **files;
    size_t n;
    bool good;

    if (!job->output.packing.max_samples)
        return true;
    files = list_files(c, &n);
    good = pack_outputs(job->output.outdir, sink ? sink : &tars.sink, files, n, why);
    free(files);
    return good;
}

static bool write_files(struct collect *c, struct sink *sink, struct text *why)
{
    struct slice journal;
    bool good;

    if (!view_open(c->journal.file - 1, c->journal.end, &journal))
        return say(why, "journal");
    good = write_annotations(c, journal, why) &&
           write_lines(c, journal, false, "manifest.jsonl", why) &&
           (!c->skipped || write_lines(c, journal, true, "errors.jsonl", why)) &&
           pack(c, sink, why) && write_summary(c, journal, why) && !signals_end() &&
           check_sources(c, journal, why);
    view_close(journal);
    return good;
}

/* Moves the files into place: all of them, or none. */
static bool publish(const struct collect *c, struct text *why)
{
    size_t n;
    const char **names = list_all(c, &n);
    bool good = true;

    for (size_t i = 0; i < n && good; i++)
        good = out_dir_publish(c->job->output.outdir, names[i]) || say(why, names[i]);
    good = good && out_dir_verify(c->job->output.outdir, why);
    if (!good)
        out_dir_remove_outputs(c->job->output.outdir, OUT_FILES_RECORD, 0);
    free(names);
    return good;
}

/* The outputs of a shard are in place already. The data for the merge goes to the scratch; it must
 * be on disk before the shard counts as done. */
bool collect_finish_shard(struct collect *c, struct text *why)
{
    struct out_dir *outdir = c->job->output.outdir;
    bool lasting = c->job->output.durability != DURABILITY_NONE, good = out_dir_verify(outdir, why);
    struct slice journal;

    if (!view_open(c->journal.file - 1, c->journal.end, &journal))
        return say(why, "journal");
    good = good && part_write(c, journal, why) && !signals_end() && check_sources(c, journal, why);
    view_close(journal);
    if (good)
        good = !(c->changed = !mapped_check(true, why));
    if (lasting && good && !out_dir_sync(outdir)) {
        good = say(why, "what was written did not reach the disk");
        collect_cut_unsynced(c);
    }
    if (good && (!part_publish(outdir) || (lasting && !out_dir_sync(outdir))))
        good = say(why, c->job->output.path);
    collect_drop(c);
    return good;
}

bool collect_finish(struct collect *c, struct sink *sink, struct text *why)
{
    struct out_dir *outdir = c->job->output.outdir;
    bool lasting = c->job->output.durability != DURABILITY_NONE;
    /* `publish` verifies all outputs; earlier, they must exist only if they are packed. */
    bool good = (!c->job->output.packing.max_samples || out_dir_verify(outdir, why)) &&
                write_files(c, sink, why);

    if (good) /* everything that is made from the annotations is written now */
        good = !(c->changed = !mapped_check(true, why));
    good = good && publish(c, why);
    if (good && lasting && !out_dir_sync(outdir)) {
        good = say(why, "what was written did not reach the disk");
        out_dir_remove_outputs(outdir, OUT_FILES_RECORD, 0);
        collect_cut_unsynced(c);
    }
    if (good && c->job->output.packing.max_samples)
        good = out_dir_remove_all_outputs(outdir) || say(why, c->job->output.path);
    collect_drop(c);
    if (good && outdir->apart)
        good = swap_start(outdir, lasting, why) && swap_end(outdir, lasting, why);
    if (good)
        collect_end_scratch(outdir, c->job->output.path);
    return good;
}

void collect_end_scratch(struct out_dir *outdir, const char *path)
{
    if (!out_dir_finish(outdir))
        message_print("lockstep: warning: %s is complete, but its folder %s cannot be removed: %s; "
                      "--resume removes it [out-scratch]",
                      path, OUT_SCRATCH, errno_text());
}

void collect_drop(struct collect *c)
{
    journal_close(&c->journal);
    store_close(&c->objects);
    tar_names_drop(&c->packed);
    free(c->entry);
    c->entry = NULL;
}
