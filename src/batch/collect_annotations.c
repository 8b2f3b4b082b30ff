/* collect_annotations: the annotation file, put together from the fragments of all records. */
#include "collect.h"

#include "mapped.h"
#include "signals.h"

#include "../base/ids.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where an element is in its spool or the dataset's text, and where it belongs. */
struct indexed {
    uint64_t order;
    uint64_t offset : 63, stands : 1; /* in the dataset's text */
    uint32_t copy, length;
};

struct index {
    struct indexed *at;
    size_t n, room;
};

static void add(struct index *index, struct indexed one)
{
    if (index->n == index->room) {
        index->room = 2 * index->room + 1024;
        index->at = memory_grow(index->at, index->room * sizeof *index->at);
    }
    index->at[index->n++] = one;
}

/* The printed pieces stand one behind the other from `offset` on. */
static void add_records(struct index *index, size_t record, struct slice pieces, uint64_t offset)
{
    for (size_t at = 0; at < pieces.length; at += sizeof(struct piece)) {
        struct piece piece;

        memcpy(&piece, pieces.at + at, sizeof piece);
        add(index, (struct indexed){ record, offset & INT64_MAX, false, piece.copy, piece.length });
        offset += piece.length;
    }
}

/* The same. False for a piece of an element that is not there. */
static bool add_objects(struct index *index, const struct dataset *d, size_t record,
                        struct slice pieces, uint64_t offset)
{
    for (size_t at = 0; at < pieces.length; at += sizeof(struct piece)) {
        struct piece piece;
        struct slice element;
        size_t order;

        memcpy(&piece, pieces.at + at, sizeof piece);
        element = d->writer->find_object(d, record, piece.element, &order);
        if (!element.at)
            return false;
        if (piece.length)
            add(index,
                (struct indexed){ order, offset & INT64_MAX, false, piece.copy, piece.length });
        else
            add(index, (struct indexed){ order, (uint64_t)(element.at - d->text.at) & INT64_MAX,
                                         true, piece.copy, (uint32_t)element.length });
        offset += piece.length;
    }
    return true;
}

/* The elements in their order: a copy's behind the one before it. */
static struct id *sort_index(const struct job *job, const struct indexed *index, size_t n)
{
    struct id *sorted = memory_take((n + 1) * sizeof *sorted);
    uint64_t fan_out = job_fan_out(job);

    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct id){ (int64_t)(index[i].order * fan_out + index[i].copy), (uint32_t)i };
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

    if (f->at == f->n || signals_end())
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

static struct feed feed_of(const struct job *job, const struct index *index, const char *bytes)
{
    return (struct feed){ .index = index->at,
                          .sorted = sort_index(job, index->at, index->n),
                          .n = index->n,
                          .bytes = bytes,
                          .source = job->dataset->text.at };
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

/* Records' elements stand in the journal, objects' in the store. */
static bool index_all(const struct collect *c, struct slice journal, struct index *records,
                      struct index *objects)
{
    for (size_t i = 0; i < c->job->n_records; i++) {
        struct report_view r;

        if (!collect_report(c, journal, i, &r) || r.outcome != OUTCOME_DONE)
            continue;
        add_records(records, i, r.record_pieces, (uint64_t)(r.records.at - journal.at));
        if (!add_objects(objects, c->job->dataset, i, r.object_pieces, r.objects_at)) {
            errno = EBADMSG;
            return false;
        }
    }
    return true;
}

/* The images of results go to a file of their own, as they came. */
bool collect_write_annotations(struct collect *c, struct slice journal, struct text *why)
{
    const struct dataset *dataset = c->job->dataset;
    struct index records = { 0 }, objects = { 0 };
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
    feeds =
        (struct feeds){ feed_of(c->job, &records, journal.at), feed_of(c->job, &objects, bytes) };
    good = write_file(c, "annotations.json", dataset, next_object, &feeds, why) &&
           (!dataset->list || write_file(c, "images.json", dataset->list, NULL, &feeds, why));
    store_unmap(&c->objects, bytes);
    free(feeds.records.sorted);
    free(feeds.objects.sorted);
    free(records.at);
    free(objects.at);
    return good;
}
