/* source: what one record's outputs depend on. */
#include "source.h"

#include "names.h"

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
    hash = join(0, format->find_record(d, record), id_number(d->records[record].id, record));
    for (size_t i = 0; (text = format->find_object(d, record, i, &order)).at; i++) {
        struct object o = { .index = i };

        /* One without an id has its place in the file for one. */
        hash = join(hash, text,
                    format->print_object ? id_number(format->object_id(d, record, &o), order) : 0);
    }
    return hash;
}

struct slice source_id_text(const struct dataset *d, size_t record)
{
    struct slice none = { 0 };

    return id_is_text(d->records[record].id) ? pick_again(d->format->find_record(d, record), "id")
                                             : none;
}

void source_print_id(const struct dataset *d, size_t record, int64_t id, struct text *out)
{
    struct slice text = source_id_text(d, record);

    if (id_is_text(id))
        text_add(out, text.at, text.length);
    else
        text_add_integer(out, id);
}

static bool is_key(struct file_key a, struct file_key b)
{
    return a.size == b.size && a.mtime == b.mtime;
}

static void read_keys(const struct job *job, size_t record, struct file_key *image,
                      struct file_key *mask)
{
    struct text name = { 0 };

    *image = input_key_of(job_root(job, record), job->dataset->records[record].name, job->links);
    *mask = (struct file_key){ 0 };
    if (mask_name(job, record, &name))
        *mask = input_key_of(job->masks, text_string(&name), job->links);
    text_drop(&name);
}

bool source_has_files(const struct job *job, size_t record, const struct source_key *source)
{
    struct file_key image, mask;

    read_keys(job, record, &image, &mask);
    return is_key(image, source->image) && is_key(mask, source->mask);
}

int64_t source_mtime(const struct job *job, size_t record)
{
    struct file_key image, mask;

    read_keys(job, record, &image, &mask);
    return image.mtime > mask.mtime ? image.mtime : mask.mtime;
}
