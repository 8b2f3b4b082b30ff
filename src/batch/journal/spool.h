/* spool: a file of entries in the order of their keys, in blocks with checksums: what a shard has
 * for each file of the result. Many of them are read at once, each a block at a time. */
#pragma once

#include "batch/journal/journal.h"

/* All zero: closed. */
struct spool {
    struct journal file;
    struct text block;
    size_t most; /* bytes of a block; an entry that is longer is one */
    uint64_t n;  /* entries */
};

/* How long the blocks of one of so many files are: those of all come to 64 MB at most. */
size_t spool_block(size_t n_files);

/* `file`, a new one, is the spool's from now on. Functions return false with errno. */
bool spool_start(struct spool *, int file, size_t most);
/* Keys may not get smaller. */
bool spool_add(struct spool *, uint64_t key, struct slice bytes);
/* Say that this is all, and close. Also closes what has failed. */
bool spool_end(struct spool *);

/* One that is read. */
struct spool_reader {
    int folder; /* borrowed */
    const char *name;
    uint64_t at;        /* of the next block */
    struct text block;  /* as it stands in the file */
    struct slice left;  /* its entries that were not read */
    uint64_t n;         /* entries that were read */
    bool ended, broken; /* with errno */
};

/* It is opened for each block, so that any number of them can be read at once. */
struct spool_reader spool_open(int folder, const char *name);
/* The next entry; its bytes are valid until the next call. False behind the last one, and when it
 * is `broken`: cut off, changed or not readable. */
bool spool_next(struct spool_reader *, uint64_t *key, struct slice *bytes);
void spool_close(struct spool_reader *);
