/* append_file: a file of fragments that several processes append to at once, and that one process
 * reads at the end.
 *
 * Processes forked after store_open share the end offset. A fragment that a process began to write
 * before it died remains as a gap, which no index refers to. */
#pragma once

#include "base/read_ahead.h"
#include "base/text.h"

#include <stdatomic.h>

/* All zero: no file. */
struct store {
    int file; /* descriptor + 1 */
    _Atomic uint64_t *end;
};

/* Functions that return bool return false with errno. */
/* Opens a store in an empty file. The store owns the descriptor; -1 means that the caller could not
 * open one. */
bool store_open(struct store *, int file);
/* Opens a store in a file that has `end` bytes. */
bool store_reopen(struct store *, int file, uint64_t end);
/* Appends bytes; *at gets their offset. */
bool store_add(const struct store *, const struct text *, uint64_t *at);
/* Maps the whole file; view_close unmaps it. */
bool store_view(const struct store *, struct slice *);
/* Reads the whole file in pieces; read_ahead_close ends the reading. */
struct read_ahead store_read(const struct store *);
void store_close(struct store *);
