/* arena: memory with one lifetime. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 16, FIRST_CHUNK = 64 * 1024 };

/* Each piece a block of its own, whose ends the address sanitizer watches? */
#ifdef ARENA_ALONE
static const bool alone = true;
#else
static const bool alone = false;
#endif

struct arena_chunk {
    struct arena_chunk *older;
    size_t used, room;
    _Alignas(ALIGN) char memory[];
};

struct arena_own {
    struct arena_own *older;
    void *block;
};

/* Returns uninitialized memory. */
static void *take(struct arena *a, size_t size)
{
    struct arena_chunk *c = a->chunk;
    void *p;

    if (size > SIZE_MAX / 4)
        memory_gone(size);
    if (!alone)
        size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (alone || !c || c->room - c->used < size) {
        size_t room = c ? 2 * c->room : FIRST_CHUNK;

        if (alone || room < size)
            room = size;
        c = memory_take(sizeof *c + room);
        *c = (struct arena_chunk){ .older = a->chunk, .room = room };
        a->chunk = c;
    }
    p = c->memory + c->used;
    c->used += size;
    return p;
}

void *arena_take(struct arena *a, size_t size)
{
    return memset(take(a, size), 0, size);
}

void *arena_take_array(struct arena *a, size_t size, size_t n)
{
    if (n > SIZE_MAX / 4 / size)
        memory_gone(n);
    return arena_take(a, size * n);
}

char *arena_copy(struct arena *a, const void *from, size_t length)
{
    char *to = take(a, length + 1);

    if (length)
        memcpy(to, from, length);
    to[length] = '\0';
    return to;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args;
    int length;
    char *to;

    va_start(args, format);
    length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        length = 0;
    to = arena_take(a, (size_t)length + 1);
    va_start(args, format);
    vsnprintf(to, (size_t)length + 1, format, args);
    va_end(args);
    return to;
}

void arena_take_over(struct arena *a, void *block)
{
    struct arena_own *own = ARENA_NEW(a, struct arena_own);

    *own = (struct arena_own){ a->own, block };
    a->own = own;
}

void arena_reset(struct arena *a)
{
    struct arena_chunk *c = a->chunk;

    for (; a->own; a->own = a->own->older)
        free(a->own->block);
    if (!c)
        return;
    for (struct arena_chunk *older = c->older, *next; older; older = next) {
        next = older->older;
        free(older);
    }
    c->older = NULL;
    c->used = 0;
}

void arena_drop(struct arena *a)
{
    arena_reset(a);
    free(a->chunk);
    a->chunk = NULL;
}
