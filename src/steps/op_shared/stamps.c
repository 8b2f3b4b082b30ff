/* stamps: pictures with alpha that `overlay` composites onto images. */
#include "steps/op_shared/stamps.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"
#include "steps/op.h"

#include <string.h>

static struct {
    struct stamp *at;
    size_t n;
    struct arena arena;
    struct pool pool;
    uint64_t hash;
} table;

void stamps_add(const char *name, const struct plane *picture, struct slice bytes)
{
    struct frame frame = { picture->width, picture->height };
    struct stamp *s;
    struct hash hash;

    table.at = memory_grow(table.at, (table.n + 1) * sizeof *table.at);
    s = &table.at[table.n++];
    hash_start(&hash);
    hash_part(&hash, name, strlen(name));
    *s = (struct stamp){ arena_copy(&table.arena, name, strlen(name)), hash_u64(&hash),
                         pool_plane(&table.pool, frame, 4, PIXEL_F32) };
    plane_premultiply(picture, &s->plane);
    hash_start(&hash);
    hash_part_u64(&hash, table.hash);
    hash_part_u64(&hash, s->hash);
    hash_part(&hash, bytes.at, bytes.length);
    table.hash = hash_u64(&hash);
}

const struct stamp *stamp_find(const char *name)
{
    for (size_t i = 0; i < table.n; i++)
        if (strcmp(table.at[i].name, name) == 0)
            return &table.at[i];
    return NULL;
}

const struct stamp *stamp_draw(uint64_t draw)
{
    const struct stamp *chosen = NULL;

    for (size_t i = 0; i < table.n; i++)
        if (!chosen || hash_mix(table.at[i].hash ^ draw) < hash_mix(chosen->hash ^ draw))
            chosen = &table.at[i];
    return chosen;
}

bool stamp_colours(const struct stamp *stamp, int x, int y, int colours, double level[3])
{
    const struct plane *p = &stamp->plane;
    const float *px = (const void *)((const char *)p->px + (size_t)y * p->stride);

    px += (ptrdiff_t)4 * x;
    if (px[3] < 0.5F)
        return false;
    for (int c = 0; c < 3; c++)
        level[c] = (double)px[c] / (double)px[3];
    if (colours == 1)
        level[0] = 0.299 * level[0] + 0.587 * level[1] + 0.114 * level[2];
    return true;
}

bool op_takes_stamps(const struct op *op)
{
    for (ROWS (row, op->params))
        if (strcmp(row->name, "stamp") == 0)
            return true;
    return false;
}

void stamps_print(struct text *out)
{
    if (table.n)
        text_addf(out, "\"%zu %016llx\"", table.n, (unsigned long long)table.hash);
}
