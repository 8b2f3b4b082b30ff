/* arena: memory with one lifetime; taken piece by piece, released all at once.
 *
 * Memory from an arena lives until arena_reset or arena_drop and is never freed individually. An
 * arena that is all zero is empty and ready. */
#pragma once

#include "base/base.h"

struct arena_chunk;
struct arena_own;

struct arena {
    struct arena_chunk *chunk; /* newest first */
    struct arena_own *own;     /* adopted blocks of malloc's */
};

/* Returns zeroed memory, aligned for any type; never NULL (see memory_take). */
void *arena_take(struct arena *, size_t size);

/* Return zeroed memory for one object or n objects of a type. */
#define ARENA_NEW(arena, type) ((type *)arena_take((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, n) ((type *)arena_take_array((arena), sizeof(type), (n)))
void *arena_take_array(struct arena *, size_t size, size_t n);

/* Returns a copy of `length` bytes, followed by a NUL. */
char *arena_copy(struct arena *, const void *, size_t length);

/* Returns text as printf would print it. */
char *arena_printf(struct arena *, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes the arena the owner of a block of malloc such as a list that has grown; the block is not
 * copied. Ignores NULL. */
void arena_take_over(struct arena *, void *block);

/* Empties it, but keeps its largest chunk for reuse. */
void arena_reset(struct arena *);

/* Releases everything. */
void arena_drop(struct arena *);
