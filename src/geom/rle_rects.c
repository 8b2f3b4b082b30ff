/* rle: a mask as rectangles. */
#include "geom/runs.h"

#include <stdlib.h>

/* Rectangles that the column before has brought up to here, or a column's own, from top to bottom.
 */
struct front {
    size_t *index; /* of the rectangles */
    size_t n;
};

static struct front front_of(const struct columns *columns, int width)
{
    size_t max = 0;

    for (int x = 0; x < width; x++) {
        size_t n = (columns->start[x + 1] - columns->start[x]) / 2;

        max = n > max ? n : max;
    }
    return (struct front){ memory_take((max + 1) * sizeof(size_t)), 0 };
}

/* A stretch of column x widens the rectangle before it that has the same rows, or begins one. */
static void add_stretch(struct rect *rect, size_t *n, const struct front *before, size_t *next,
                        struct front *now, struct rect stretch)
{
    while (*next < before->n && rect[before->index[*next]].y < stretch.y)
        ++*next;
    if (*next < before->n && rect[before->index[*next]].y == stretch.y &&
        rect[before->index[*next]].h == stretch.h) {
        rect[before->index[*next]].w++;
        now->index[now->n++] = before->index[*next];
        return;
    }
    rect[*n] = stretch;
    now->index[now->n++] = (*n)++;
}

struct rects rle_to_rects(struct arena *arena, const struct rle *m)
{
    struct columns columns = columns_of(m);
    int width = rle_total(m) ? m->width : 0;
    struct front before = front_of(&columns, width), now = front_of(&columns, width);
    struct rect *rect = ARENA_ARRAY(arena, struct rect, columns.start[width] / 2);
    size_t n = 0;

    for (int x = 0; x < width; x++) {
        struct front last = before;
        size_t next = 0;

        now.n = 0;
        for (size_t i = columns.start[x]; i < columns.start[x + 1]; i += 2) {
            int top = columns.row[i];

            add_stretch(rect, &n, &before, &next, &now,
                        (struct rect){ x, top, 1, columns.row[i + 1] - top });
        }
        before = now;
        now = last;
    }
    free(before.index);
    free(now.index);
    columns_drop(&columns);
    return (struct rects){ rect, n };
}
