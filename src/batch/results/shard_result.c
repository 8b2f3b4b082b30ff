/* shard_result: the files that a finished shard leaves in its scratch for a merge. */
#include "batch/results/shard_result.h"

#include "batch/results/error_line.h"
#include "batch/journal/run_key.h"
#include "batch/process/signals.h"
#include "batch/journal/spool.h"
#include "batch/output/file_list.h"
#include "batch/results/annotations_file.h"

#include "base/hash.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PART_HEAD = 1, PART_KEY, PART_WORDS };
enum { N_WORDS = 3 };
#define NEW PART ".new"

/* --- writing --- */

static bool write_spool(const struct collect *c, struct slice journal, bool errors,
                        const char *name, struct text *why)
{
    struct spool spool = { 0 };
    struct text line = { 0 };
    bool good = spool_start(&spool, out_dir_create_scratch_file(c->job->output.outdir, name),
                            spool_block(c->job->images.shard.count));

    for (size_t n = 0; good && n < c->job->images.n_records && !signals_end(); n++) {
        size_t i = job_record(c->job, n);
        struct report_view r;

        if (!collect_report(c, journal, i, &r) || (r.outcome != OUTCOME_DONE) != errors)
            continue;
        text_clear(&line);
        if (errors) {
            error_line_print(c->job, i, &r, &line);
            r.manifest = (struct slice){ line.at, line.length };
        }
        good = spool_add(&spool, i, r.manifest);
    }
    good = spool_end(&spool) && good;
    if (!good)
        text_addf(why, "%s: %s", name, errno_text());
    text_drop(&line);
    return good && !signals_end();
}

static struct slice slice_of(const struct text *t)
{
    return (struct slice){ t->at, t->length };
}

/* File of OUT that is being printed, and the positions of its lists. */
struct outline {
    FILE *file;
    const char *records, *objects; /* the spools of their elements */
    bool keeps_ids;                /* with dense ids: not of these objects */
    bool lines;                    /* its elements are lines */
    struct {
        long at;
        uint32_t piece;
        const char *spool;
    } mark[2];
    size_t n;
};

static bool mark(struct outline *o, uint32_t piece, const char *spool)
{
    fflush(o->file);
    if (o->n < COUNTOF(o->mark)) {
        o->mark[o->n].at = ftell(o->file);
        o->mark[o->n].spool = spool;
        o->mark[o->n++].piece = piece;
    }
    return false;
}

static bool mark_records(void *context, struct slice *out)
{
    struct outline *o = context;

    (void)out;
    return mark(o, o->lines ? PART_LINES : PART_RECORDS, o->records);
}

static bool mark_objects(void *context, struct slice *out)
{
    struct outline *o = context;

    (void)out;
    return mark(o, o->lines ? PART_LINES : o->keeps_ids ? PART_RECORDS : PART_OBJECTS, o->objects);
}

static bool append_pieces(struct journal *j, const char *bytes, size_t length,
                          const struct outline *o)
{
    size_t from = 0;
    bool good = true;

    for (size_t i = 0; good && i < o->n; i++) {
        size_t at = (size_t)o->mark[i].at;

        const char *spool = o->mark[i].spool;

        good = journal_append(j, PART_TEXT, (struct slice){ bytes + from, at - from }) &&
               journal_append(j, o->mark[i].piece, (struct slice){ spool, strlen(spool) });
        from = at;
    }
    return good && journal_append(j, PART_TEXT, (struct slice){ bytes + from, length - from });
}

/* Appends a file as its format writes it, without elements; without a spool of records, the index.
 */
static bool append_file(struct journal *j, const char *name, const struct dataset *d, bool objects,
                        struct outline o)
{
    const struct format *writer = d->writer ? d->writer : d->format;
    char *bytes = NULL;
    size_t length = 0;
    bool good;

    o.lines = writer->lines;
    o.file = open_memstream(&bytes, &length);
    if (!o.file)
        return false;
    good = !o.records ? writer->write_index(d, o.file)
                      : writer->write(d, o.file, mark_records, objects ? mark_objects : NULL, &o);
    good = fclose(o.file) == 0 && good;
    good = good && journal_append(j, PART_FILE, (struct slice){ name, strlen(name) }) &&
           append_pieces(j, bytes, length, &o);
    free(bytes);
    return good;
}

/* Appends the files in the order in which they are published. */
static bool append_files(struct journal *j, const struct job *job)
{
    const struct dataset *d = job->dataset;
    const struct format *writer = d->writer;
    const struct outline whole = { .records = SPOOL_RECORDS, .objects = SPOOL_OBJECTS };
    char name[2][SPOOL_NAME];
    bool good = !d->list || append_file(j, "images.json", d->list, false, whole);

    for (size_t i = 0; good && d->combination && dataset_has_lists(d) && i < d->combination->n; i++)
        if (d->combination->at[i].file)
            good =
                append_file(j, d->combination->at[i].file, &d->combination->at[i].written, true,
                            (struct outline){
                                .records = collect_spool_name(job, i, SPOOL_RECORDS, name[0]),
                                .objects = collect_spool_name(job, i, SPOOL_OBJECTS, name[1]),
                                .keeps_ids = d->combination->at[i].n &&
                                             record_is_passed(job, d->combination->at[i].first) });
    for (size_t i = 0; good && d->combination && dataset_has_lists(d) &&
                       i < combination_n_mask_lists(d->combination);
         i++) {
        const struct combination_part *p =
            &d->combination->at[combination_mask_list(d->combination, i)];
        size_t number = combination_n_files(d->combination) + i;

        good = append_file(
            j, p->mask_list, &p->written, true,
            (struct outline){ .records = collect_spool_name(job, number, SPOOL_RECORDS, name[0]),
                              .objects = collect_spool_name(job, number, SPOOL_OBJECTS, name[1]) });
    }
    return good &&
           (!writer || writer->suffix || d->combination ||
            append_file(j, format_file(writer), d, true, whole)) &&
           (!writer || !writer->index ||
            append_file(j, writer->index, d, false, (struct outline){ 0 })) &&
           journal_append(j, PART_END, (struct slice){ "", 0 });
}

static void words_of(struct run_words *w, struct text *texts[N_WORDS])
{
    texts[0] = &w->head;
    texts[1] = &w->loose_keys;
    texts[2] = &w->notes;
}

static bool append_words(struct journal *j, struct run_words *w)
{
    struct text *texts[N_WORDS];
    bool good = true;

    words_of(w, texts);
    for (size_t i = 0; good && i < N_WORDS; i++)
        good = journal_append(j, PART_WORDS, slice_of(texts[i]));
    return good;
}

static bool add_line(void *context, const struct listed_file *line)
{
    struct list_sum *sum = context;

    sum->lines++;
    sum->hash += hash_mix(hash_quick(line->name.at, line->name.length) ^ hash_mix(line->size) ^
                          hash_mix(line->record + 1));
    return true;
}

static bool sum_list(struct out_dir *o, struct list_sum *sum)
{
    *sum = (struct list_sum){ 0 };
    return file_list_walk(o, add_line, sum);
}

static bool append_all(const struct collect *c, struct journal *j)
{
    const struct job *job = c->job;
    struct run_words words;
    struct part_head head = { .index = job->images.shard.index,
                              .count = job->images.shard.count,
                              .done = c->done,
                              .skipped = c->skipped,
                              .counts = c->counts,
                              .max_errors =
                                  job->run.on_error == ON_ERROR_SKIP ? job->run.max_errors : -1,
                              .annotated = dataset_has_lists(job->dataset),
                              .checksums = job->output.checksums,
                              .packing = job->output.packing,
                              .dense = job_numbers_densely(job),
                              .borrows = job->donors != NULL };
    bool good;

    if (!sum_list(job->output.outdir, &head.list))
        return false;
    run_words_make(job, &words);
    head.rejects = words.rejects;
    head.varies = words.varies;
    head.trusts_file = words.trusts_file;
    good = journal_append(j, PART_HEAD, (struct slice){ (char *)&head, sizeof head }) &&
           journal_append(j, PART_KEY, slice_of(&words.key)) &&
           (job->images.shard.index || (append_words(j, &words) && append_files(j, job)));
    run_words_drop(&words);
    return good;
}

bool part_has_list(const struct shard_part *part, struct out_dir *o)
{
    struct list_sum sum;

    return sum_list(o, &sum) && sum.lines == part->head.list.lines &&
           sum.hash == part->head.list.hash;
}

/* Removes the files of an interrupted attempt, so that new ones can be created. */
static void remove_left(struct out_dir *outdir)
{
    static const char *const names[] = { NEW,           SPOOL_MANIFEST, SPOOL_ERRORS,
                                         SPOOL_RECORDS, SPOOL_OBJECTS,  SPOOL_SOURCES };

    for (size_t i = 0; i < COUNTOF(names); i++)
        (void)RETRY(unlinkat(outdir->scratch - 1, names[i], 0));
}

bool part_write(struct collect *c, struct slice journal, struct text *why)
{
    struct journal j = { 0 };
    bool good;

    remove_left(c->job->output.outdir);
    if (!write_spool(c, journal, false, SPOOL_MANIFEST, why) ||
        !write_spool(c, journal, true, SPOOL_ERRORS, why) ||
        (dataset_has_lists(c->job->dataset) && !collect_spool_annotations(c, journal, why)))
        return false;
    if (c->job->donors && !part_spool_sources(c, journal)) {
        text_addf(why, "%s: %s", SPOOL_SOURCES, errno_text());
        return false;
    }
    good = journal_start(&j, out_dir_create_scratch_file(c->job->output.outdir, NEW)) &&
           append_all(c, &j);
    if (!good)
        text_addf(why, "%s: %s", PART, errno_text());
    journal_close(&j);
    return good;
}

bool part_publish(struct out_dir *o)
{
    return RETRY(renameat(o->scratch - 1, NEW, o->scratch - 1, PART)) == 0;
}

bool part_withdraw(struct out_dir *o)
{
    return RETRY(unlinkat(o->scratch - 1, PART, 0)) == 0 || errno == ENOENT;
}

/* --- reading --- */

static bool read_one(int file, uint64_t *at, struct text *room, uint32_t kind, struct slice *bytes)
{
    struct journal_record r;

    errno = 0;
    if (!journal_read(file, at, room, &r) || r.kind != kind) {
        errno = errno ? errno : EBADMSG;
        return false;
    }
    *bytes = r.payload;
    return true;
}

static bool read_words(int file, uint64_t *at, struct text *room, struct shard_part *p)
{
    struct text *texts[N_WORDS];
    struct slice bytes;

    words_of(&p->words, texts);
    for (size_t i = 0; i < N_WORDS; i++) {
        if (!read_one(file, at, room, PART_WORDS, &bytes))
            return false;
        text_add(texts[i], bytes.at, bytes.length);
    }
    p->words.rejects = p->head.rejects;
    p->words.varies = p->head.varies;
    p->words.trusts_file = p->head.trusts_file;
    p->files_at = *at;
    return true;
}

static bool read_all(int file, struct text *room, struct shard_part *p)
{
    struct slice bytes;
    uint64_t at = 0;

    if (!read_one(file, &at, room, PART_HEAD, &bytes))
        return false;
    if (bytes.length != sizeof p->head) {
        errno = EBADMSG;
        return false;
    }
    memcpy(&p->head, bytes.at, sizeof p->head);
    if (!read_one(file, &at, room, PART_KEY, &bytes))
        return false;
    text_add(&p->key, bytes.at, bytes.length);
    return p->head.index || read_words(file, &at, room, p);
}

bool part_read(struct out_dir *o, struct shard_part *p)
{
    int file = open_regular_at(o->scratch - 1, PART, O_RDONLY), saved;
    struct text room = { 0 };
    bool good;

    *p = (struct shard_part){ .files_at = 0 };
    if (file < 0)
        return false;
    good = read_all(file, &room, p);
    saved = errno;
    close(file);
    text_drop(&room);
    if (!good)
        part_drop(p);
    errno = saved;
    return good;
}

void part_drop(struct shard_part *p)
{
    text_drop(&p->key);
    run_words_drop(&p->words);
}

bool part_next(int file, uint64_t *at, struct text *room, enum part_piece *piece,
               struct slice *bytes)
{
    struct journal_record r;

    errno = 0;
    if (!journal_read(file, at, room, &r)) {
        errno = errno ? errno : EBADMSG;
        return false;
    }
    *piece = (enum part_piece)r.kind;
    *bytes = r.payload;
    return true;
}
