/* collect_annotations: the annotation file, put together from the fragments of all records. */
#include "collect.h"

#include "mapped.h"
#include "signals.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where an element stands; all zero: there is none. */
struct indexed {
    uint64_t offset : 63, stands : 1; /* in the dataset's text, and not in the spool */
    uint32_t length;
} __attribute__((packed));

/* A place for each copy of each element of the source, in their order: what is written in the end
 * need not be sorted. */
struct index {
    struct indexed *at;
    size_t n;
    unsigned fan_out;
};

static void make_index(struct index *index, size_t n_elements, unsigned fan_out)
{
    *index = (struct index){ .n = n_elements * fan_out, .fan_out = fan_out };
    index->at = calloc(index->n + 1, sizeof *index->at); /* what is not used takes no memory */
    if (!index->at)
        memory_gone(index->n * sizeof *index->at);
}

/* False for one that has no place. */
static bool add(struct index *index, size_t order, unsigned copy, struct indexed one)
{
    if (copy >= index->fan_out || order >= index->n / index->fan_out)
        return false;
    index->at[order * index->fan_out + copy] = one;
    return true;
}

/* The printed pieces stand one behind the other from `offset` on. */
static bool add_records(struct index *index, size_t record, struct slice pieces, uint64_t offset)
{
    bool good = true;

    for (size_t at = 0; good && at < pieces.length; at += sizeof(struct piece)) {
        struct piece piece;

        memcpy(&piece, pieces.at + at, sizeof piece);
        good = add(index, record, piece.copy,
                   (struct indexed){ offset & INT64_MAX, false, piece.length });
        offset += piece.length;
    }
    return good;
}

/* How many elements of a record the pieces are of. */
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

/* Have the elements of objects no place in the source? So it is of those that another format wrote,
 * and of those that are numbered again. */
static bool is_placeless(const struct job *job)
{
    return job->dataset->writer != job->dataset->format || job->plan->joins;
}

/* The same. `first` is the place of the record's first one where they have none in the source. */
static bool add_objects(struct index *index, const struct job *job, size_t record, size_t first,
                        struct slice pieces, uint64_t offset)
{
    const struct dataset *d = job->dataset;
    bool good = true;

    for (size_t at = 0; good && at < pieces.length; at += sizeof(struct piece)) {
        struct indexed one = { 0 };
        struct slice element = { "", 0 };
        struct piece piece;
        size_t order;

        memcpy(&piece, pieces.at + at, sizeof piece);
        order = first + piece.element;
        if (!is_placeless(job))
            element = d->format->find_object(d, record, piece.element, &order);
        one.stands = !piece.length;
        one.offset = (one.stands ? (uint64_t)(element.at - d->text.at) : offset) & INT64_MAX;
        one.length = one.stands ? (uint32_t)element.length : piece.length;
        good = element.at && add(index, order, piece.copy, one);
        offset += piece.length;
    }
    return good;
}

struct feed {
    const struct index *index;
    size_t at;
    struct slice bytes, source; /* of the spool and the dataset */
    int64_t id;                 /* with dense ids, the last one given; negative: elements stay */
    struct text renumbered;     /* the element that was given */
};

struct feeds {
    struct feed records, objects;
};

enum {
    FETCH_AHEAD = 16,    /* elements stand in any order, and memory is slow: so much earlier */
    REST_EVERY = 1 << 16 /* elements: what was read of files is not kept in memory */
};

static const char *place_of(const struct feed *f, const struct indexed *i)
{
    return (i->stands ? f->source.at : f->bytes.at) + i->offset;
}

static bool next(struct feed *f, struct slice *out)
{
    const struct index *index = f->index;
    const struct indexed *i;

    while (f->at < index->n && !index->at[f->at].length)
        f->at++;
    if (f->at == index->n || signals_end())
        return false;
    if (index->n - f->at > FETCH_AHEAD)
        __builtin_prefetch(place_of(f, &index->at[f->at + FETCH_AHEAD]));
    i = &index->at[f->at];
    if (f->at++ % REST_EVERY == 0) {
        collect_rest(f->bytes);
        mapped_rest(f->source);
    }
    *out = (struct slice){ place_of(f, i), i->length };
    return true;
}

static bool next_record(void *context, struct slice *out)
{
    return next(&((struct feeds *)context)->records, out);
}

static bool print_dense_id(void *context, struct slice name, struct slice value, struct text *out)
{
    const struct feed *f = context;

    (void)value;
    if (!scan_is(name, "id"))
        return false;
    text_add_integer(out, f->id);
    return true;
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
    text_addc(&f->renumbered, '{');
    pick_print(element, &f->renumbered, print_dense_id, f);
    text_addc(&f->renumbered, '}');
    *out = (struct slice){ f->renumbered.at, f->renumbered.length };
    return true;
}

static bool write_file(const struct collect *c, const char *name, const struct dataset *dataset,
                       bool (*next_of_objects)(void *, struct slice *), struct feeds *feeds,
                       struct text *why)
{
    FILE *file = collect_open(c, name, why);

    return file &&
           collect_close(file,
                         (dataset->writer ? dataset->writer : dataset->format)
                             ->write(dataset, file, next_record, next_of_objects, feeds),
                         name, why) &&
           !signals_end();
}

/* How many places the elements of all objects have. */
static size_t count_places(const struct collect *c, struct slice journal)
{
    const struct dataset *d = c->job->dataset;
    size_t n = 0;

    for (size_t a = 0; a < c->job->n_records; a++) {
        size_t i = job_record(c->job, a), order;
        struct report_view r;

        if (is_placeless(c->job))
            n += collect_report(c, journal, i, &r) ? count_elements(r.object_pieces) : 0;
        else
            for (size_t k = 0; d->format->find_object(d, i, k, &order).at; k++)
                n = order >= n ? order + 1 : n;
    }
    return n;
}

/* Records' elements stand in the journal, objects' in the store. */
static bool index_all(const struct collect *c, struct slice journal, struct index *records,
                      struct index *objects)
{
    size_t first = 0;
    bool good = true;

    make_index(records, c->job->dataset->n_records, job_fan_out(c->job));
    make_index(objects, count_places(c, journal), job_fan_out(c->job));
    for (size_t a = 0; good && a < c->job->n_records; a++) {
        size_t i = job_record(c->job, a);
        struct report_view r;

        if (!collect_report(c, journal, i, &r) || r.outcome != OUTCOME_DONE)
            continue;
        good = add_records(records, i, r.record_pieces, (uint64_t)(r.records.at - journal.at)) &&
               add_objects(objects, c->job, i, first, r.object_pieces, r.objects_at);
        first += count_elements(r.object_pieces);
    }
    if (!good)
        errno = EBADMSG;
    return good;
}

/* The images of results go to a file of their own, as they came. */
bool collect_write_annotations(struct collect *c, struct slice journal, struct text *why)
{
    const struct dataset *dataset = c->job->dataset;
    struct index records = { 0 }, objects = { 0 };
    struct slice spool;
    struct feeds feeds;
    const char *bytes;
    bool good;

    good = index_all(c, journal, &records, &objects);
    mapped_rest(dataset->text); /* the spool may be as large */
    if (!good || !store_map(&c->objects, &bytes)) {
        text_addf(why, "annotations.json: %s", errno_text());
        free(records.at);
        free(objects.at);
        return false;
    }
    spool = (struct slice){ bytes, atomic_load(c->objects.end) };
    feeds = (struct feeds){
        { .index = &records, .bytes = journal, .source = dataset->text },
        { .index = &objects,
          .bytes = spool,
          .source = dataset->text,
          .id = c->job->plan->joins && c->job->plan->rules.ids == IDS_DENSE ? 0 : -1 }
    };
    good = write_file(c, "annotations.json", dataset, next_object, &feeds, why) &&
           (!dataset->list || write_file(c, "images.json", dataset->list, NULL, &feeds, why));
    text_drop(&feeds.objects.renumbered);
    store_unmap(&c->objects, bytes);
    free(records.at);
    free(objects.at);
    return good;
}
