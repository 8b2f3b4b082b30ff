/* spool_merge: reads the entries of many spools in the order of their keys. */
#pragma once

#include "batch/journal/spool.h"

/* Spools that are being merged; set by spool_merge_start. */
struct spool_merge {
    struct spool_reader *reader;
    struct text *name;
    uint64_t *key; /* of each reader's current entry */
    struct slice *bytes;
    size_t *heap; /* readers that have an entry; the one with the smallest key is first */
    size_t n_heap, n;
    bool started;
    const char *broken; /* name of a spool that cannot be read, with errno; or NULL */
};

/* Starts the merge of the spools called `name` in n folders. `name_folder` appends the path of
 * folder i and returns the descriptor that the path is relative to, which stays open. */
void spool_merge_start(struct spool_merge *, size_t n, const char *name,
                       int (*name_folder)(const void *context, size_t i, struct text *),
                       const void *context);
/* Reads the next entry; its bytes are valid until the next call. Entries with equal keys come in
 * the order of folders. Returns false after the last entry, and if a spool is `broken`. */
bool spool_merge_next(struct spool_merge *, uint64_t *key, struct slice *bytes);
void spool_merge_end(struct spool_merge *);
