/* arena: memory with one lifetime; taken piece by piece, given back all at once.
 *
 * Ownership in one sentence: what is taken from an arena lives until arena_reset or arena_drop and
 * is never freed by hand. An arena that is all zero is empty and ready. */
#pragma once

#include "base/base.h"

struct arena_chunk;
struct arena_own;

struct arena {
    struct arena_chunk *chunk; /* newest first */
    struct arena_own *own;     /* blocks of malloc's */
};

/* Zeroed memory, aligned for any type; never NULL (see memory_take). */
void *arena_take(struct arena *, size_t size);

/* Room for n things of a type. */
#define ARENA_NEW(arena, type) ((type *)arena_take((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_take_array((arena), sizeof(type), (n)))
void *arena_take_array(struct arena *, size_t size, size_t n);

/* A copy of length bytes with a NUL behind them. */
char *arena_copy(struct arena *, const void *, size_t length);

/* Text as printf would print it. */
char *arena_printf(struct arena *, const char *format, ...) PRINTF_LIKE(2, 3);

/* Let a block of malloc's, as of a list that has grown, be the arena's: it is not copied. NULL is
 * none. */
void arena_take_over(struct arena *, void *block);

/* Empty it, keeping its largest chunk for what comes next. */
void arena_reset(struct arena *);

/* Give everything back. */
void arena_drop(struct arena *);
