/* fingerprint: hashes and file states of the inputs that one record's outputs depend on. */
#include "batch/image/fingerprint.h"
#include "batch/output/output_names.h"

#include "base/hash.h"

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

        /* An object without an id is identified by its place in the file. */
        hash = join(hash, text,
                    format->print_object ? id_number(format->object_id(d, record, &o), order) : 0);
    }
    return hash;
}

/* Tools that reset the time of a file that they write leave another inode, or another time of its
 * change. Links, renames, copies of the same bytes, and file systems without stable inode numbers
 * do so too. In these cases the bytes decide. */
static enum source_state compare(const struct job *job, const char *folder, const char *name,
                                 const struct file_key *before)
{
    struct file_key now = { 0 };

    if (before->inode == UNOPENED)
        return SOURCE_SAME;
    now = input_key_of(folder, name, job->images.links);
    if (now.size != before->size || now.mtime != before->mtime)
        return SOURCE_CHANGED;
    if (now.ctime == before->ctime && now.inode == before->inode)
        return SOURCE_SAME;
    if (!before->hash) /* only its header was read; a hard link to it changes its ctime */
        return now.inode == before->inode ? SOURCE_SAME_BYTES : SOURCE_OTHER_BYTES;
    return input_hash(folder, name, job->images.links, &now.hash) && now.hash == before->hash
               ? SOURCE_SAME_BYTES
               : SOURCE_OTHER_BYTES;
}

enum source_state source_compare(const struct job *job, size_t record,
                                 const struct source_key *source)
{
    struct text name = { 0 };
    enum source_state image, mask = source->mask.size ? SOURCE_CHANGED : SOURCE_SAME;

    image = compare(job, job_root(job, record), job_file(job, record), &source->image);
    if (image < SOURCE_OTHER_BYTES && mask_name(job, record, &name))
        mask = compare(job, job_mask_root(job, record), text_string(&name), &source->mask);
    text_drop(&name);
    return image > mask ? image : mask;
}

bool source_has_files(const struct job *job, size_t record, const struct source_key *source)
{
    return source_compare(job, record, source) < SOURCE_OTHER_BYTES;
}

void source_times(const struct job *job, size_t record, int64_t *mtime, int64_t *ctime)
{
    struct text name = { 0 };
    struct file_key image = input_key_of(job_root(job, record), job_file(job, record),
                                         job->images.links),
                    mask = { 0 };

    if (mask_name(job, record, &name))
        mask = input_key_of(job_mask_root(job, record), text_string(&name), job->images.links);
    text_drop(&name);
    *mtime = image.mtime > mask.mtime ? image.mtime : mask.mtime;
    *ctime = image.ctime > mask.ctime ? image.ctime : mask.ctime;
}
