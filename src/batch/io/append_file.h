/* append_file: a file of fragments that several processes write to at once, and one reads in the
 * end.
 *
 * Processes forked after store_open share the place where it ends. What a process that died had
 * started to write stays as a gap that no index points to. */
#pragma once

#include "base/read_ahead.h"
#include "base/text.h"

#include <stdatomic.h>

/* All zero: none. */
struct store {
    int file; /* one more than its descriptor */
    _Atomic uint64_t *end;
};

/* Functions return false with errno. */
/* `file`, an open descriptor or -1, is the store's from now on. */
bool store_open(struct store *, int file);
/* The same of a file that has `end` bytes. */
bool store_reopen(struct store *, int file, uint64_t end);
/* Add bytes; where they stand now. */
bool store_add(const struct store *, const struct text *, uint64_t *at);
/* Everything; view_close ends it. */
bool store_view(const struct store *, struct slice *);
/* Everything, piece by piece; read_ahead_close ends it. */
struct read_ahead store_read(const struct store *);
void store_close(struct store *);
