/* bench_merge: makes spools of a shard with very many records, to measure the cost of a merge.
 *
 * Usage: bench_merge SCRATCH I N RECORDS COPIES OBJECTS. SCRATCH belongs to shard I of N, which is
 * finished. Its spools are replaced by spools of its share of RECORDS, each with COPIES outputs of
 * OBJECTS annotations. Only lines are written, no images. */
#include "batch/results/shard_result.h"
#include "batch/journal/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct amount {
    uint64_t index, shards, records, copies, objects;
};

static void die(const char *what)
{
    fprintf(stderr, "bench_merge: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void print_line(uint64_t record, uint64_t copy, const struct amount *s, struct text *out)
{
    uint64_t image = record * s->copies + copy + 1;

    text_addf(
        out,
        "{\"output\": \"images/%04llu/%08llu__%llu.jpg\", \"source\": \"%04llu/%08llu.jpg\", "
        "\"copy\": %llu, \"image_id\": %llu, \"from\": %llu, \"size_in\": [640, 480], "
        "\"size_out\": [224, 224], \"steps\": [{\"type\": \"crop\", \"top\": %llu, \"left\": 3, "
        "\"height\": 400, \"width\": 400}, {\"type\": \"resize\", \"size\": [224, 224], "
        "\"interpolation\": \"bilinear\", \"antialias\": true, \"max_size\": null}], "
        "\"annotations\": [",
        (unsigned long long)record / 1000, (unsigned long long)record, (unsigned long long)copy,
        (unsigned long long)record / 1000, (unsigned long long)record, (unsigned long long)copy,
        (unsigned long long)image, (unsigned long long)record + 1, (unsigned long long)record % 80);
    for (uint64_t i = 0; i < s->objects; i++)
        text_addf(out, "%s{\"id\": %llu, \"from\": %llu, \"visibility\": 1}", i ? ", " : "",
                  (unsigned long long)((record * s->copies + copy) * s->objects + i + 1),
                  (unsigned long long)(record * s->objects + i + 1));
    text_adds(out, "], \"dropped\": []}\n");
}

static void add_lines(struct spool *spool, uint64_t record, const struct amount *s,
                      struct text *room)
{
    for (uint64_t copy = 0; copy < s->copies; copy++)
        print_line(record, copy, s, room);
    if (!spool_add(spool, record, (struct slice){ room->at, room->length }))
        die(SPOOL_MANIFEST);
}

static void add_images(struct spool *spool, uint64_t record, const struct amount *s,
                       struct text *room)
{
    for (uint64_t copy = 0; copy < s->copies; copy++) {
        text_clear(room);
        text_addf(room,
                  "{\"id\": %llu, \"width\": 224, \"height\": 224, \"file_name\": "
                  "\"%04llu/%08llu__%llu.jpg\", \"license\": 1}",
                  (unsigned long long)(record * s->copies + copy + 1),
                  (unsigned long long)record / 1000, (unsigned long long)record,
                  (unsigned long long)copy);
        if (!spool_add(spool, record, (struct slice){ room->at, room->length }))
            die(SPOOL_RECORDS);
    }
}

static void add_objects(struct spool *spool, uint64_t record, const struct amount *s,
                        struct text *room)
{
    for (uint64_t i = 0; i < s->objects * s->copies; i++) {
        uint64_t object = record * s->objects + i / s->copies, copy = i % s->copies;

        text_clear(room);
        text_addf(room,
                  "{\"id\": %llu, \"image_id\": %llu, \"category_id\": 7, \"iscrowd\": 0, "
                  "\"area\": 812.25, \"bbox\": [10.5, 20.25, 28.5, 28.5], \"segmentation\": "
                  "[[10.5, 20.25, 39, 20.25, 39, 48.75, 10.5, 48.75]]}",
                  (unsigned long long)(object * s->copies + copy + 1),
                  (unsigned long long)(record * s->copies + copy + 1));
        if (!spool_add(spool, object, (struct slice){ room->at, room->length }))
            die(SPOOL_OBJECTS);
    }
}

static void write_spool(int scratch, const char *name, const struct amount *s,
                        void (*add)(struct spool *, uint64_t, const struct amount *, struct text *))
{
    struct spool spool;
    struct text room = { 0 };
    int file;

    if (unlinkat(scratch, name, 0) != 0)
        die(name);
    file = openat(scratch, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 || !spool_start(&spool, file, spool_block(s->shards)))
        die(name);
    for (uint64_t record = s->index; record < s->records; record += s->shards) {
        text_clear(&room);
        add(&spool, record, s, &room);
    }
    if (!spool_end(&spool))
        die(name);
    text_drop(&room);
}

int main(int n, char **word)
{
    struct amount s;
    int scratch;

    if (n != 7) {
        fprintf(stderr, "usage: bench_merge SCRATCH I N RECORDS COPIES OBJECTS\n");
        return 2;
    }
    s = (struct amount){ strtoull(word[2], NULL, 10), strtoull(word[3], NULL, 10),
                         strtoull(word[4], NULL, 10), strtoull(word[5], NULL, 10),
                         strtoull(word[6], NULL, 10) };
    scratch = open(word[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (scratch < 0)
        die(word[1]);
    write_spool(scratch, SPOOL_MANIFEST, &s, add_lines);
    write_spool(scratch, SPOOL_RECORDS, &s, add_images);
    write_spool(scratch, SPOOL_OBJECTS, &s, add_objects);
    return 0;
}
