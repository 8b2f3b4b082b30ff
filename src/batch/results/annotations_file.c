/* annotations_file: combines the JSON fragments of all records into the annotation file. */
#include "batch/results/annotations_file.h"

#include "batch/io/mapped_file.h"
#include "batch/results/shard_result.h"
#include "batch/process/signals.h"
#include "batch/journal/spool.h"

#include "base/read_ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Location of an element; all zero: none. */
struct location {
    uint64_t offset : 63, in_source : 1; /* in the dataset's text instead of the spool */
    uint32_t length;
} __attribute__((packed));

/* Annotation file of the result: the file of a dataset, or of one of its parts. */
struct out_section {
    const struct dataset *source;  /* the dataset that its elements are copied from */
    const struct dataset *finder;  /* the whole dataset, which finds them */
    const struct dataset *written; /* the dataset whose format writes the file */
    const char *name;              /* of the file in OUT */
    bool placeless;                /* the elements of objects have no place in the source */
    bool dense;                    /* objects are numbered 1, 2, ... */
    bool masked;                   /* only images that have masks are listed */
    size_t first, n;               /* its records */
    size_t number;
};

/* Lists of images that have masks follow the files of the parts. */
static size_t count_out_sections(const struct job *job)
{
    const struct combination *c = job->dataset->combination;

    return c ? combination_n_files(c) + combination_n_mask_lists(c) : 1;
}

static struct out_section out_section_at(const struct job *job, size_t number)
{
    const struct dataset *d = job->dataset;
    const struct combination *c = d->combination;
    struct out_section s = { d, d, d, format_file(d->writer), .n = d->n_records, .number = number };
    size_t part = 0, next;

    if (c) {
        const struct combination_part *p, *last;

        s.masked = number >= combination_n_files(c);
        part = s.masked ? combination_mask_list(c, number - combination_n_files(c))
                        : combination_file(c, number);
        next = combination_next(c, part);
        p = &c->at[part];
        last = &c->at[next - 1];
        s = (struct out_section){ &p->read,          d,
                                  &p->written,       s.masked ? p->mask_list : p->file,
                                  .first = p->first, .n = last->first + last->n - p->first,
                                  .number = number,  .masked = s.masked };
    }
    s.placeless = d->writer != d->format || (s.n && record_is_numbered(job, s.first));
    s.dense = job_numbers_densely(job) && s.n && record_is_numbered(job, s.first);
    return s;
}

static bool has_record(const struct out_section *s, size_t record)
{
    return record >= s->first && record - s->first < s->n &&
           (!s->masked || combination_own_record(s->finder, record)->mask);
}

/* Elements to write, in order: for each element of the source, its copies. Two passes over the
 * reports fill it: the first counts the copies, and the second places them. So nothing is sorted,
 * and memory does not depend on the possible number of copies. */
struct index {
    struct location *at;
    size_t n;
    size_t n_elements, *place; /* per element: number of copies, then place of the next copy */
    unsigned fan_out;
};

static void make_index(struct index *index, size_t n_elements, unsigned fan_out)
{
    *index = (struct index){ .n_elements = n_elements, .fan_out = fan_out };
    index->place = calloc(n_elements + 1, sizeof *index->place);
    if (!index->place)
        memory_gone(n_elements * sizeof *index->place);
}

/* Converts the numbers of copies to places. */
static void place_all(struct index *index)
{
    for (size_t i = 0; i < index->n_elements; i++) {
        size_t copies = index->place[i];

        index->place[i] = index->n;
        index->n += copies;
    }
    index->at = calloc(index->n + 1, sizeof *index->at);
    if (!index->at)
        memory_gone(index->n * sizeof *index->at);
}

static void drop_index(struct index *index)
{
    free(index->at);
    free(index->place);
}

/* Counts or places one copy of an element. Returns false if it has no place. */
static bool add(struct index *index, size_t order, unsigned copy, struct location one)
{
    size_t place;

    if (copy >= index->fan_out || order >= index->n_elements)
        return false;
    place = index->place[order]++;
    if (index->at)
        index->at[place] = one;
    return true;
}

/* Adds the pieces of a record, which are consecutive from `offset` on. */
static bool add_records(struct index *index, size_t record, struct slice pieces, uint64_t offset)
{
    bool good = true;

    for (size_t at = 0; good && at < pieces.length; at += sizeof(struct piece)) {
        struct piece piece;

        memcpy(&piece, pieces.at + at, sizeof piece);
        good = add(index, record, piece.copy,
                   (struct location){ offset & INT64_MAX, false, piece.length });
        offset += piece.length;
    }
    return good;
}

/* Returns the number of a record's elements that the pieces belong to. */
static size_t count_elements(struct slice pieces)
{
    size_t n = 0;

    for (size_t at = 0; at < pieces.length; at += sizeof(struct piece)) {
        struct piece piece;

        memcpy(&piece, pieces.at + at, sizeof piece);
        n = piece.element >= n ? piece.element + 1 : n;
    }
    return n;
}

/* Adds the pieces of a record's objects. `first` is the place of the record's first object if
 * objects have no place in the source. */
static bool add_objects(struct index *index, const struct out_section *s, size_t record,
                        size_t first, struct slice pieces, uint64_t offset)
{
    const struct dataset *d = s->source;
    bool good = true;

    for (size_t at = 0; good && at < pieces.length; at += sizeof(struct piece)) {
        struct location one = { 0 };
        struct slice element = { "", 0 };
        struct piece piece;
        size_t order;

        memcpy(&piece, pieces.at + at, sizeof piece);
        order = first + piece.element;
        if (!s->placeless)
            element = s->finder->format->find_object(s->finder, record, piece.element, &order);
        one.in_source = !piece.length;
        one.offset = (one.in_source ? (uint64_t)(element.at - d->text.at) : offset) & INT64_MAX;
        one.length = one.in_source ? (uint32_t)element.length : piece.length;
        good = element.at && add(index, order, piece.copy, one);
        offset += piece.length;
    }
    return good;
}

struct feed {
    const struct index *index;
    size_t at;
    struct slice bytes, source; /* the journal, without a spool; the dataset */
    struct read_ahead *spool;   /* borrowed */
    int error;                  /* errno of a failed read of the spool */
    int64_t id;                 /* with dense ids, the last id; negative: ids do not change */
    struct text renumbered;     /* the last element, with its new id */
};

struct feeds {
    struct feed records, objects;
};

enum {
    FETCH_AHEAD = 16,       /* elements to prefetch: they are in random order, and memory is slow */
    RELEASE_EVERY = 1 << 16 /* elements after which mapped pages are released */
};

static void prefetch(const struct feed *f, const struct location *i)
{
    if (i->in_source)
        __builtin_prefetch(f->source.at + i->offset);
    else if (!f->spool)
        __builtin_prefetch(f->bytes.at + i->offset);
}

static bool find(struct feed *f, const struct location *i, struct slice *out)
{
    *out = (struct slice){ (i->in_source ? f->source.at : f->bytes.at) + i->offset, i->length };
    if (i->in_source || !f->spool || read_ahead_find(f->spool, i->offset, i->length, out))
        return true;
    f->error = errno;
    return false;
}

/* Reads the next element, which is valid until the next call. */
static bool next(struct feed *f, struct slice *out)
{
    const struct index *index = f->index;

    while (f->at < index->n && !index->at[f->at].length)
        f->at++;
    if (f->at == index->n || f->error || signals_end())
        return false;
    if (index->n - f->at > FETCH_AHEAD)
        prefetch(f, &index->at[f->at + FETCH_AHEAD]);
    if (f->at % RELEASE_EVERY == 0) {
        if (f->spool)
            read_ahead_release(f->spool);
        mapped_file_release(f->source);
    }
    return find(f, &index->at[f->at++], out);
}

static bool next_record(void *context, struct slice *out)
{
    return next(&((struct feeds *)context)->records, out);
}

static bool print_dense_id(void *context, struct slice name, struct slice value, struct text *out)
{
    const int64_t *id = context;

    (void)value;
    if (!scan_equals(name, "id"))
        return false;
    text_add_integer(out, *id);
    return true;
}

void collect_print_numbered(struct slice element, int64_t id, struct text *out)
{
    text_addc(out, '{');
    pick_print(element, out, print_dense_id, &id);
    text_addc(out, '}');
}

static bool next_object(void *context, struct slice *out)
{
    struct feed *f = &((struct feeds *)context)->objects;
    struct slice element;

    if (!next(f, &element))
        return false;
    *out = element;
    if (f->id < 0)
        return true;
    f->id++;
    text_clear(&f->renumbered);
    collect_print_numbered(element, f->id, &f->renumbered);
    *out = (struct slice){ f->renumbered.at, f->renumbered.length };
    return true;
}

/* True if the feeds ended without an error. Otherwise errno has the error. */
static bool are_whole(const struct feeds *feeds)
{
    if (feeds->objects.error)
        errno = feeds->objects.error;
    return !feeds->objects.error;
}

static bool write_file(const struct collect *c, const char *name, const struct dataset *dataset,
                       bool (*next_of_objects)(void *, struct slice *), struct feeds *feeds,
                       struct text *why)
{
    const struct format *format = dataset->writer ? dataset->writer : dataset->format;
    FILE *file = collect_open(c->job->output.outdir, name, why);
    bool good = file && format->write(dataset, file, next_record, next_of_objects, feeds) &&
                are_whole(feeds);

    return file && collect_close(file, good, name, why) && !signals_end();
}

/* Returns the number of places of the elements of all objects. */
static size_t count_places(const struct collect *c, const struct out_section *s,
                           struct slice journal)
{
    size_t n = 0;

    for (size_t a = 0; a < c->job->images.n_records; a++) {
        size_t i = job_record(c->job, a), order;
        struct report_view r;

        if (!has_record(s, i))
            continue;
        if (s->placeless)
            n += collect_report(c, journal, i, &r) ? count_elements(r.object_pieces) : 0;
        else
            for (size_t k = 0; s->finder->format->find_object(s->finder, i, k, &order).at; k++)
                n = order >= n ? order + 1 : n;
    }
    return n;
}

/* Adds all elements. The elements of records are in the journal, and those of objects in the store.
 */
static bool add_all(const struct collect *c, const struct out_section *s, struct slice journal,
                    struct index *records, struct index *objects)
{
    size_t first = 0;
    bool good = true;

    for (size_t a = 0; good && a < c->job->images.n_records; a++) {
        size_t i = job_record(c->job, a);
        struct report_view r;

        if (!has_record(s, i) || !collect_report(c, journal, i, &r) || r.outcome != OUTCOME_DONE)
            continue;
        good = add_records(records, i - s->first, r.record_pieces,
                           (uint64_t)(r.records.at - journal.at)) &&
               add_objects(objects, s, i, first, r.object_pieces, r.objects_at);
        first += count_elements(r.object_pieces);
    }
    return good;
}

static bool index_all(const struct collect *c, const struct out_section *s, struct slice journal,
                      struct index *records, struct index *objects)
{
    make_index(records, s->n, job_fan_out(c->job));
    make_index(objects, count_places(c, s, journal), job_fan_out(c->job));
    if (add_all(c, s, journal, records, objects)) {
        place_all(records);
        place_all(objects);
        if (add_all(c, s, journal, records, objects))
            return true;
    }
    errno = EBADMSG;
    return false;
}

/* --- for a merge --- */

/* Returns the record of each element if elements have no place in the source. They are consecutive
 * in the order of records. */
static size_t *find_owners(const struct collect *c, const struct out_section *s,
                           struct slice journal, size_t n_elements)
{
    size_t *owner = memory_take((n_elements + 1) * sizeof *owner), n = 0;

    for (size_t a = 0; a < c->job->images.n_records; a++) {
        size_t i = job_record(c->job, a), of_record;
        struct report_view r;

        if (!has_record(s, i) || !collect_report(c, journal, i, &r) || r.outcome != OUTCOME_DONE)
            continue;
        of_record = count_elements(r.object_pieces);
        for (size_t k = 0; k < of_record && n < n_elements; k++)
            owner[n++] = i;
    }
    return owner;
}

/* Writes all elements of a feed to a spool. The copies of an element are in one shard, so the
 * element's number is its key. If the number is not unique across shards, the record is the key. */
static bool spool_feed(const struct collect *c, struct feed *f, const char *name,
                       const size_t *owner, struct text *why)
{
    struct spool spool = { 0 };
    struct slice element;
    size_t order = 0;
    bool good = spool_start(&spool, out_dir_create_scratch_file(c->job->output.outdir, name),
                            spool_block(c->job->images.shard.count));

    while (good && next(f, &element)) {
        while (f->index->place[order] < f->at)
            order++;
        good = spool_add(&spool, owner ? owner[order] : order, element);
    }
    good = spool_end(&spool) && good;
    if (good && f->error) {
        errno = f->error;
        good = false;
    }
    if (!good)
        text_addf(why, "%s: %s", name, errno_text());
    return good && !signals_end();
}

const char *collect_spool_name(const struct job *job, size_t part, const char *spool,
                               char name[SPOOL_NAME])
{
    if (!job->dataset->combination)
        return spool;
    snprintf(name, SPOOL_NAME, "%s.%zu", spool, part);
    return name;
}

static bool spool_section(struct collect *c, const struct out_section *s, struct slice journal,
                          struct text *why)
{
    const struct job *job = c->job;
    struct slice source = s->source->text;
    char name[2][SPOOL_NAME];
    struct index records = { 0 }, objects = { 0 };
    struct read_ahead spool = store_read(&c->objects);
    struct feed of_records = { &records, .bytes = journal, .source = source, .id = -1 };
    struct feed of_objects = { &objects, .spool = &spool, .source = source, .id = -1 };
    size_t *owner = NULL;
    bool good = index_all(c, s, journal, &records, &objects);

    if (good && s->placeless)
        owner = find_owners(c, s, journal, objects.n_elements);
    if (!good)
        text_addf(why, "objects: %s", errno_text());
    good = good &&
           spool_feed(c, &of_records, collect_spool_name(job, s->number, SPOOL_RECORDS, name[0]),
                      NULL, why) &&
           spool_feed(c, &of_objects, collect_spool_name(job, s->number, SPOOL_OBJECTS, name[1]),
                      owner, why);
    read_ahead_close(&spool);
    free(owner);
    drop_index(&records);
    drop_index(&objects);
    return good;
}

bool collect_spool_annotations(struct collect *c, struct slice journal, struct text *why)
{
    bool good = true;

    for (size_t i = 0; good && i < count_out_sections(c->job); i++) {
        struct out_section s = out_section_at(c->job, i);

        good = spool_section(c, &s, journal, why);
    }
    return good;
}

/* The images of a result list go to their own file, unchanged. */
static bool write_section(struct collect *c, const struct out_section *s, struct slice journal,
                          struct text *why)
{
    const struct dataset *dataset = s->source;
    struct index records = { 0 }, objects = { 0 };
    struct read_ahead spool = store_read(&c->objects);
    struct feeds feeds = { { &records, .bytes = journal, .source = dataset->text },
                           { &objects, .spool = &spool, .source = dataset->text,
                             .id = s->dense ? 0 : -1 } };
    bool good = index_all(c, s, journal, &records, &objects);

    mapped_file_release(dataset->text);
    if (!good)
        text_addf(why, "%s: %s", s->name, errno_text());
    good = good && write_file(c, s->name, s->written, next_object, &feeds, why) &&
           (!dataset->list || write_file(c, "images.json", dataset->list, NULL, &feeds, why));
    text_drop(&feeds.objects.renumbered);
    read_ahead_close(&spool);
    drop_index(&records);
    drop_index(&objects);
    return good;
}

bool collect_write_annotations(struct collect *c, struct slice journal, struct text *why)
{
    bool good = true;

    for (size_t i = 0; good && i < count_out_sections(c->job); i++) {
        struct out_section s = out_section_at(c->job, i);

        good = write_section(c, &s, journal, why);
    }
    return good;
}
