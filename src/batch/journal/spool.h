/* spool: a file of entries sorted by key, in blocks with checksums. A shard has one for each file
 * of the result. Many spools are read at once, one block each at a time. */
#pragma once

#include "batch/journal/journal.h"

/* All zero: closed. */
struct spool {
    struct journal file;
    struct text block;
    size_t max_block; /* bytes of a block; a longer entry is a block of its own */
    uint64_t n;       /* entries */
};

/* Returns the block size for one of `n_files` spools: 64 MB for all of their blocks together, but 4
 * to 64 KB per block. */
size_t spool_block(size_t n_files);

/* Starts a spool in a new file and takes over its descriptor. Functions return false with errno. */
bool spool_start(struct spool *, int file, size_t max_block);
/* Appends an entry. Keys must not decrease. */
bool spool_add(struct spool *, uint64_t key, struct slice bytes);
/* Writes the end of the spool and closes it, also after a failure. */
bool spool_end(struct spool *);

/* Spool that is being read. */
struct spool_reader {
    int folder; /* borrowed */
    const char *name;
    uint64_t at;        /* offset of the next block */
    struct text block;  /* as read from the file */
    struct slice left;  /* entries of the block that were not returned yet */
    uint64_t n;         /* entries that were returned */
    bool ended, broken; /* `broken` comes with errno */
};

/* Returns a reader. The file is opened for each block, so that any number of spools can be read at
 * once. */
struct spool_reader spool_open(int folder, const char *name);
/* Reads the next entry; its bytes are valid until the next call. Returns false after the last
 * entry, and if the spool is `broken`: cut off, changed or unreadable. */
bool spool_next(struct spool_reader *, uint64_t *key, struct slice *bytes);
void spool_close(struct spool_reader *);
