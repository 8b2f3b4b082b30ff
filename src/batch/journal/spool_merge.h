/* spool_merge: the entries of many spools as one, in the order of their keys. */
#pragma once

#include "batch/journal/spool.h"

/* All zero but by spool_merge_start. */
struct spool_merge {
    struct spool_reader *reader;
    struct text *name;
    uint64_t *key; /* of each reader's entry */
    struct slice *bytes;
    size_t *heap; /* readers that have one: the one whose key is least is the first */
    size_t n_heap, n;
    bool started;
    const char *broken; /* the name of one that cannot be read, with errno; or NULL */
};

/* Of spools called `name` in n folders, which `name_folder` names below one that stays open, whose
 * descriptor it returns. */
void spool_merge_start(struct spool_merge *, size_t n, const char *name,
                       int (*name_folder)(const void *context, size_t i, struct text *),
                       const void *context);
/* The next entry; its bytes are valid until the next call. Entries of equal keys come by the order
 * of folders. False behind the last one, and when one is `broken`. */
bool spool_merge_next(struct spool_merge *, uint64_t *key, struct slice *bytes);
void spool_merge_end(struct spool_merge *);
