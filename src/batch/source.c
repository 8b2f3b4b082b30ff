/* source: the part of the annotations that one record's outputs depend on. */
#include "source.h"

#include "../base/hash.h"

static uint64_t join(uint64_t hash, struct slice text, int64_t id)
{
    uint64_t parts[] = { hash, hash_quick(text.at, text.length), (uint64_t)id };

    return hash_quick(parts, sizeof parts);
}

uint64_t source_annotations(const struct dataset *d, size_t record)
{
    const struct format *format = d->format;
    struct slice text;
    uint64_t hash;
    size_t order;

    if (!format)
        return 0;
    hash = join(0, format->find_record(d, record), d->records[record].id);
    for (size_t i = 0; (text = format->find_object(d, record, i, &order)).at; i++) {
        struct object o = { .index = i };

        /* One without an id has its place in the file for one. */
        hash = join(hash, text, format->print_object ? format->object_id(d, record, &o) : 0);
    }
    return hash;
}
