/* shard_spec: one of N parts of a job. Each part is run by a process of its own, perhaps on
 * another machine. Records are dealt by a hash of their names, so that adding images moves no
 * other. */
#pragma once

#include "base/text.h"

/* count 0: the job is not in parts. */
struct shard {
    size_t index, count;
};
enum { MOST_SHARDS = 10000, SHARD_NAME = 48 };

/* "3-of-16": what its folder is called. */
void shard_print_name(const struct shard *, char name[SHARD_NAME]);
/* Is it such a name? */
bool shard_read_name(const char *name, struct shard *);

/* Read "I/N", I from 0; "auto", "auto/N" or "parallel/N": what the scheduler says in the
 * environment. `how` says what was chosen by which variables; it stays empty of I/N. False with
 * the reason. */
bool shard_read(const char *word, struct shard *, struct text *how, struct text *why);

/* Does the shard do the record of this name? */
bool shard_has(const struct shard *, const char *name);
