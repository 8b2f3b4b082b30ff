/* collect: reports of records, in input order, become manifest, annotation file and run.json. */
#include "collect.h"

#include "../base/files.h"
#include "mapped.h"
#include "outdir.h"
#include "version.h"

#include "../base/ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Fewer and larger writes than a FILE does by itself: annotations come to hundreds of megabytes. */
enum { SPOOL_BUFFER = 1 << 18 };

/* Where an element is in its spool or the dataset's text, and where it belongs. */
struct indexed {
    uint64_t order;
    uint64_t offset : 63, stands : 1; /* in the dataset's text */
    uint32_t copy, length;
};

static bool say(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

static FILE *spool(const struct job *job, const char *name, struct text *why)
{
    int fd = outdir_scratch(job->outdir, name);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");

    if (file)
        setvbuf(file, NULL, _IOFBF, SPOOL_BUFFER);
    else
        say(why, name);
    if (fd >= 0 && !file)
        close(fd);
    return file;
}

bool collect_start(struct collect *c, const struct job *job, struct text *why)
{
    *c = (struct collect){ .job = job };
    if (!outdir_start(job->outdir))
        return say(why, job->out);
    if (!(c->manifest = spool(job, "manifest.jsonl", why)) ||
        !(c->errors = spool(job, "errors.jsonl", why)) ||
        !(c->records = spool(job, "records", why)))
        return false;
    return store_open(&c->objects, outdir_scratch(job->outdir, "objects")) || say(why, "objects");
}

/* The printed pieces stand one behind the other from `offset` on. */
static void add_index(struct indexed **index, size_t *n, size_t *room, const struct text *pieces,
                      uint64_t offset)
{
    for (size_t at = 0; at < pieces->length; at += sizeof(struct piece)) {
        struct piece piece;
        bool stands;

        memcpy(&piece, pieces->at + at, sizeof piece);
        if (*n == *room) {
            *room = 2 * *room + 1024;
            *index = memory_grow(*index, *room * sizeof **index);
        }
        stands = piece.source != PIECE_PRINTED;
        (*index)[(*n)++] =
            (struct indexed){ piece.order, (stands ? piece.source : offset) & INT64_MAX, stands,
                              piece.copy, piece.length };
        offset += stands ? 0 : piece.length;
    }
}

static bool put(FILE *file, const struct text *t)
{
    return !t->length || fwrite(t->at, 1, t->length, file) == t->length;
}

/* The name; of one that JSON cannot hold, its bytes. */
static void print_source(struct text *out, const char *name)
{
    if (text_is_utf8(name)) {
        text_adds(out, "{\"source\": ");
        text_add_json(out, name, strlen(name));
        return;
    }
    text_adds(out, "{\"source\": null, \"source_hex\": \"");
    for (const char *c = name; *c; c++)
        text_addf(out, "%02x", (unsigned char)*c);
    text_addc(out, '"');
}

static bool take_failure(struct collect *c, size_t record, const struct report *r)
{
    const char *name = c->job->dataset->records[record].name;
    struct text line = { 0 }, message = { 0 };
    struct slice code = report_code(r);
    bool good;

    c->skipped++;
    print_source(&line, name);
    if (c->job->dataset->format)
        text_addf(&line, ", \"image_id\": %lld", (long long)c->job->dataset->records[record].id);
    text_addf(&line, ", \"outcome\": \"%s\", \"code\": \"%.*s\", \"message\": ",
              r->outcome == OUTCOME_CRASHED || r->outcome == OUTCOME_MEMORY ? "crashed" : "failed",
              (int)code.length, code.at);
    text_add_visible(&message, text_string(&r->why), r->why.length);
    text_add_json(&line, text_string(&message), message.length);
    text_drop(&message);
    text_adds(&line, "}\n");
    good = put(c->errors, &line);
    text_drop(&line);
    return good;
}

void collect_count(struct collect *c, size_t record, const struct counts *counts)
{
    if (counts->several && !c->counts.several)
        c->first_several = record;
    if (counts->misnamed && !c->counts.misnamed)
        c->first_misnamed = record;
    counts_add(&c->counts, counts);
}

bool collect_take(struct collect *c, size_t record, const struct report *r, struct text *why)
{
    bool good;

    if (r->outcome != OUTCOME_DONE)
        return take_failure(c, record, r) || say(why, "errors.jsonl");
    c->done++;
    collect_count(c, record, &r->counts);
    add_index(&c->record_index, &c->n_records, &c->room_records, &r->record_pieces,
              c->records_size);
    c->records_size += r->records.length;
    add_index(&c->object_index, &c->n_objects, &c->room_objects, &r->object_pieces, r->objects_at);
    good = put(c->manifest, &r->manifest) && put(c->records, &r->records);
    return good || say(why, "manifest and annotations");
}

/* --- the annotation file --- */

/* The elements in their order: a copy's behind the one before it. */
static struct id *sort_index(const struct job *job, const struct indexed *index, size_t n)
{
    struct id *sorted = memory_take((n + 1) * sizeof *sorted);
    uint64_t fan = job_fan(job);

    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct id){ (int64_t)(index[i].order * fan + index[i].copy), (uint32_t)i };
    ids_sort(sorted, n);
    return sorted;
}

struct feed {
    const struct indexed *index;
    struct id *sorted; /* which comes when */
    size_t n, at;
    const char *bytes, *source; /* of the spool and the dataset */
};

struct feeds {
    struct feed records, objects;
};

/* Entries of the index are in any order of elements, and memory is slow: so much earlier. */
enum { FETCH_AHEAD = 16 };

static bool next(struct feed *f, struct slice *out)
{
    const struct indexed *i;

    if (f->at == f->n)
        return false;
    if (f->n - f->at > FETCH_AHEAD)
        __builtin_prefetch(&f->index[f->sorted[f->at + FETCH_AHEAD].index]);
    i = &f->index[f->sorted[f->at].index];
    *out = (struct slice){ (i->stands ? f->source : f->bytes) + i->offset, i->length };
    f->at++;
    return true;
}

static bool next_record(void *context, struct slice *out)
{
    return next(&((struct feeds *)context)->records, out);
}

static bool next_object(void *context, struct slice *out)
{
    return next(&((struct feeds *)context)->objects, out);
}

static bool map_spool(FILE *file, uint64_t size, const char **bytes)
{
    void *at;

    *bytes = "";
    if (fflush(file) != 0)
        return false;
    if (!size)
        return true;
    at = mmap(NULL, size, PROT_READ, MAP_SHARED, fileno(file), 0);
    *bytes = at;
    return at != MAP_FAILED;
}

static bool close_up(FILE **file)
{
    bool good = fflush(*file) == 0 && !ferror(*file);

    if (fclose(*file) != 0)
        good = false;
    *file = NULL;
    return good;
}

static bool map_spools(struct collect *c, struct feeds *feeds)
{
    const char *source = c->job->dataset->text.at;

    *feeds = (struct feeds){
        .records = { .index = c->record_index, .n = c->n_records, .source = source },
        .objects = { .index = c->object_index, .n = c->n_objects, .source = source }
    };
    feeds->records.sorted = sort_index(c->job, c->record_index, c->n_records);
    feeds->objects.sorted = sort_index(c->job, c->object_index, c->n_objects);
    mapped_rest(c->job->dataset->text); /* spools may be as large */
    return map_spool(c->records, c->records_size, &feeds->records.bytes) &&
           store_map(&c->objects, &feeds->objects.bytes);
}

/* Files that are mapped cannot be removed for good over a network. */
static void unmap_spools(const struct collect *c, const struct feeds *feeds)
{
    if (c->records_size)
        munmap((void *)feeds->records.bytes, c->records_size);
    store_unmap(&c->objects, feeds->objects.bytes);
}

static bool write_file(const struct collect *c, const char *name, const struct dataset *dataset,
                       bool (*next_of_objects)(void *, struct slice *), struct feeds *feeds,
                       struct text *why)
{
    FILE *file = spool(c->job, name, why);
    bool good;

    if (!file)
        return false;
    good = dataset->format->write(dataset, file, next_record, next_of_objects, feeds);
    if (!close_up(&file) || !good)
        return say(why, name);
    return true;
}

/* The images of results go to a file of their own, as they came. */
static bool write_annotations(struct collect *c, struct text *why)
{
    const struct dataset *dataset = c->job->dataset;
    struct feeds feeds;
    bool mapped = map_spools(c, &feeds), good = mapped || say(why, "annotations.json");

    good = good && write_file(c, "annotations.json", dataset, next_object, &feeds, why) &&
           (!dataset->list || write_file(c, "images.json", dataset->list, NULL, &feeds, why));
    if (mapped)
        unmap_spools(c, &feeds);
    free(feeds.records.sorted);
    free(feeds.objects.sorted);
    return good;
}

/* --- run.json --- */

/* The files of OUT itself, in the order in which they are put there: the annotation file last. */
static size_t list_files(const struct collect *c, const char *names[N_OUT_FILES])
{
    size_t n = 0;

    names[n++] = "manifest.jsonl";
    if (c->skipped)
        names[n++] = "errors.jsonl";
    names[n++] = "run.json";
    if (c->job->dataset->list)
        names[n++] = "images.json";
    if (c->job->dataset->format)
        names[n++] = "annotations.json";
    return n;
}

/* What --overwrite may remove, beside what the manifest lists. */
static void print_files(const struct collect *c, struct text *out)
{
    const char *names[N_OUT_FILES];
    size_t n = list_files(c, names);

    text_adds(out, ",\n \"files\": [");
    for (size_t i = 0; i < n; i++)
        text_addf(out, "%s\"%s\"", i ? ", " : "", names[i]);
    text_adds(out, "]");
}

/* How a file deviated, each way once; `comma` is set behind the first. What the file is called is
 * no matter of the result. */
static void print_notes(const struct dataset *d, const char *what, bool *comma, struct text *out)
{
    for (size_t i = 0; i < d->n_notes; i++) {
        const struct note *note = &d->notes[i];

        text_addf(out, "%s\n  {\"in\": \"%s\", \"code\": \"%s\", \"path\": ", *comma ? "," : "",
                  what, note->code);
        text_add_json(out, note->path, strlen(note->path));
        text_addf(out, ", \"times\": %zu}", note->times);
        *comma = true;
    }
}

static void print_run(const struct collect *c, struct text *out)
{
    const struct job *job = c->job;
    bool comma = false;

    text_addf(out, "{\"lockstep\": \"%s\",\n \"pipeline\": ", LOCKSTEP_VERSION);
    plan_print(job->plan, out);
    text_addf(out, ",\n \"copies\": %u, \"include_original\": %s, \"masks\": %s, ", job->copies,
              job->include_original ? "true" : "false", job->masks ? "true" : "false");
    text_addf(out, "\"format\": %s%s%s,\n", job->dataset->format ? "\"" : "",
              job->dataset->format ? job->dataset->format->name : "null",
              job->dataset->format ? "\"" : "");
    text_addf(out, " \"images\": {\"read\": %zu, \"written\": %zu, \"skipped\": %zu},\n", c->done,
              c->counts.outputs, c->skipped);
    text_addf(out, " \"annotations\": {\"read\": %zu, \"written\": %zu}", c->counts.objects_in,
              c->counts.objects_out);
    if (job->dataset->n_loose_keys) {
        text_adds(out, ",\n \"unmoved_keys\": [");
        for (size_t i = 0; i < job->dataset->n_loose_keys; i++) {
            text_adds(out, i ? ", " : "");
            text_add_json(out, job->dataset->loose_keys[i], strlen(job->dataset->loose_keys[i]));
        }
        text_addc(out, ']');
    }
    if (job->plan->rules.reject_image_if.given)
        text_addf(out, ",\n \"attempts\": {\"rejected\": %zu, \"given_up\": %zu}",
                  c->counts.rejected, c->counts.given_up);
    if (job->trust == TRUST_FILE)
        text_addf(out, ",\n \"sizes\": {\"trusted\": \"file\", \"corrected\": %zu}",
                  c->counts.resized);
    print_files(c, out);
    if (c->counts.several)
        text_addf(out, ",\n \"frames\": {\"taken\": \"first\", \"of\": %zu}", c->counts.several);
    if (c->counts.misnamed)
        text_addf(out, ",\n \"names\": {\"misleading\": %zu}", c->counts.misnamed);
    text_adds(out, ",\n \"notes\": [");
    print_notes(job->dataset, "annotations", &comma, out);
    if (job->dataset->list)
        print_notes(job->dataset->list, "image_list", &comma, out);
    text_adds(out, "]}\n");
}

static bool write_run(const struct collect *c, struct text *why)
{
    struct text run = { 0 };
    FILE *file = spool(c->job, "run.json", why);
    bool good;

    if (!file)
        return false;
    print_run(c, &run);
    good = put(file, &run);
    text_drop(&run);
    if (!close_up(&file) || !good)
        return say(why, "run.json");
    return true;
}

/* All or none. */
static bool publish(const struct collect *c, struct text *why)
{
    const char *names[N_OUT_FILES];
    size_t n = list_files(c, names);
    bool good = true;

    for (size_t i = 0; i < n && good; i++)
        good = outdir_publish(c->job->outdir, names[i]) || say(why, names[i]);
    good = good && outdir_verify(c->job->outdir, why);
    if (!good)
        outdir_unwrite(c->job->outdir, OUT_FILES_RECORD, 0);
    return good;
}

bool collect_finish(struct collect *c, struct text *why)
{
    struct outdir *outdir = c->job->outdir;
    bool good = outdir_verify(outdir, why) &&
                (!c->job->dataset->format || write_annotations(c, why)) && write_run(c, why);

    if (good && (!close_up(&c->manifest) || !close_up(&c->errors)))
        good = say(why, "manifest.jsonl");
    if (good) /* all that is made of the annotations is written now */
        good = !(c->changed = !mapped_check(true, why));
    good = good && publish(c, why);
    collect_drop(c);
    if (good)
        outdir_finish(outdir);
    return good;
}

void collect_drop(struct collect *c)
{
    FILE **files[] = { &c->manifest, &c->errors, &c->records };

    for (size_t i = 0; i < COUNTOF(files); i++)
        if (*files[i]) {
            fclose(*files[i]);
            *files[i] = NULL;
        }
    store_close(&c->objects);
    free(c->record_index);
    free(c->object_index);
    c->record_index = c->object_index = NULL;
}
