/* shard_spec: one of N shards of a job. Each shard is run by its own process, perhaps on another
 * machine. Records are assigned by a hash of their names, so that a new image does not move other
 * images. */
#pragma once

#include "base/text.h"

/* count 0: the job has no shards. */
struct shard {
    size_t index, count;
};
enum { MAX_SHARDS = 10000, SHARD_NAME = 48 };

/* Writes the name of the shard's folder: "3-of-16". */
void shard_print_name(const struct shard *, char name[SHARD_NAME]);
/* Reads the name of a shard's folder. Returns false for any other name. */
bool shard_read_name(const char *name, struct shard *);

/* Reads "I/N", I from 0; or "auto", "auto/N" or "parallel/N", for which the environment variables
 * of the scheduler are used. `how` gets the result and the variables that gave it; it stays empty
 * for I/N. Returns false with the reason. */
bool shard_read(const char *word, struct shard *, struct text *how, struct text *why);

/* True if the record of this name belongs to the shard. */
bool shard_contains(const struct shard *, const char *name);
