/* shard_sources: lists the images that a shard has read, its own and borrowed ones. */
#include "batch/results/shard_result.h"

#include "batch/process/signals.h"
#include "batch/journal/spool.h"

#include "base/hash.h"
#include "json/document.h"

#include <stdlib.h>
#include <string.h>

/* Image that was read. The name is in the journal. */
struct read_image {
    struct slice name;
    uint64_t key;   /* hash of the name, which is the spool's key */
    uint64_t bytes; /* hash of the bytes of the image and its mask */
};

static int by_key(const void *a, const void *b)
{
    const struct read_image *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Adds an image. Files that were copied to another machine have other times and inodes, so the
 * bytes decide. The hash is 0 if the image could not be read. */
static void add(struct pile *images, struct slice name, const struct source_key *source)
{
    const uint64_t bytes[] = { source->image.size, source->image.hash, source->mask.size,
                               source->mask.hash };

    *(struct read_image *)pile_add(images, sizeof(struct read_image)) =
        (struct read_image){ name, hash_quick(name.at, name.length),
                             source->image.hash ? hash_quick(bytes, sizeof bytes) : 0 };
}

/* Adds the images of a record. A worker that died or was killed has not reported which images it
 * read. */
static void add_record(const struct collect *c, struct slice journal, size_t record,
                       struct pile *images)
{
    const char *own = c->job->dataset->records[record].name;
    struct source_key source;
    struct report_view r;
    struct slice name;
    size_t at = 0;

    if (!collect_report(c, journal, record, &r) ||
        (r.outcome != OUTCOME_DONE && r.outcome != OUTCOME_INPUT))
        return;
    add(images, (struct slice){ own, strlen(own) }, &r.source);
    while (report_next_donor(r.donors, &at, &source, &name))
        add(images, name, &source);
}

bool part_spool_sources(const struct collect *c, struct slice journal)
{
    const struct job *job = c->job;
    struct spool spool = { 0 };
    struct pile images = { 0 };
    const struct read_image *all;
    struct text entry = { 0 };
    bool good = spool_start(&spool, out_dir_create_scratch_file(job->output.outdir, SPOOL_SOURCES),
                            spool_block(job->images.shard.count));

    for (size_t n = 0; good && n < job->images.n_records && !signals_end(); n++)
        add_record(c, journal, job_record(job, n), &images);
    all = images.at;
    if (images.n)
        qsort(images.at, images.n, sizeof *all, by_key);
    for (size_t i = 0; good && i < images.n && !signals_end(); i++) {
        struct part_source source = { job->images.shard.index, all[i].bytes };

        if (i && by_key(&all[i - 1], &all[i]) == 0)
            continue;
        text_clear(&entry);
        text_add(&entry, &source, sizeof source);
        text_add(&entry, all[i].name.at, all[i].name.length);
        good = spool_add(&spool, all[i].key, (struct slice){ entry.at, entry.length });
    }
    good = spool_end(&spool) && good;
    free(images.at);
    text_drop(&entry);
    return good;
}
