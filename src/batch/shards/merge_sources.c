/* merge_sources: images that changed between the shards that read them. */
#include "batch/shards/merge.h"

#include "batch/results/shard_result.h"
#include "batch/journal/spool_merge.h"

#include <string.h>

/* The entries of one image name, in all shards. */
struct same_name {
    uint64_t key;
    struct part_source first;
    struct text name;
    bool reported;
};

static int refuse_changed(struct merge_state *m, const struct same_name *is, uint64_t shard)
{
    return merge_refuse(
        m, m->path, EXIT_OCCUPIED, "shard-donor",
        arena_printf(&m->faults->arena,
                     "%s changed between shard %llu/%zu and shard %llu/%zu, which both read it: "
                     "run both again with --resume",
                     text_string(&is->name), (unsigned long long)is->first.shard, m->count,
                     (unsigned long long)shard, m->count));
}

/* Compares an entry with the first one of the same name. */
static int check_entry(struct merge_state *m, struct same_name *is, uint64_t key,
                       struct slice bytes)
{
    struct part_source source = { 0 };
    struct slice name;

    if (bytes.length <= sizeof source)
        return merge_refuse(m, m->path, EXIT_OCCUPIED, "shard-damaged",
                            SPOOL_SOURCES " is not as it was written; run the shards with "
                                          "--resume");
    memcpy(&source, bytes.at, sizeof source);
    name = (struct slice){ bytes.at + sizeof source, bytes.length - sizeof source };
    if (is->name.length != name.length || is->key != key ||
        memcmp(is->name.at, name.at, name.length) != 0) {
        text_clear(&is->name);
        text_add(&is->name, name.at, name.length);
        is->key = key;
        is->first = source;
        is->reported = false;
    } else if (source.bytes != is->first.bytes && !is->reported) {
        is->reported = true;
        return refuse_changed(m, is, source.shard);
    }
    return EXIT_DONE;
}

int merge_check_sources(struct merge_state *m)
{
    struct spool_merge from;
    struct same_name is = { 0 };
    struct text why = { 0 };
    struct slice bytes;
    uint64_t key;
    int code = EXIT_DONE;

    if (!m->first->head.borrows)
        return EXIT_DONE;
    merge_start_spools(m, SPOOL_SOURCES, &from);
    while (spool_merge_next(&from, &key, &bytes)) {
        int one = check_entry(m, &is, key, bytes);

        code = one ? one : code;
    }
    if (!merge_end_spools(&from, &why) && why.length) {
        const char *word = merge_take_code(m, &why);

        code = merge_refuse(m, m->path, EXIT_OCCUPIED, word, text_string(&why));
    }
    text_drop(&is.name);
    text_drop(&why);
    return code;
}
