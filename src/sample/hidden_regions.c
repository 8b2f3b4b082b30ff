/* hidden_regions: convex regions of the canvas, moved. */
#include "sample/hidden_regions.h"

#include "geom/rle.h"

#include <string.h>

/* Moves ring by ring into `to`, which has room for MAX_HOLE_RINGS; false if the total is larger. */
static bool move_rings(struct arena *arena, const struct map *map, const struct rings *holes,
                       struct rings *to)
{
    to->n = 0;
    for (size_t i = 0; i < holes->n; i++) {
        struct ring ring = holes->ring[i];
        struct rings one = { &ring, 1 };

        map_convex(arena, map, &one);
        if (one.n > MAX_HOLE_RINGS - to->n)
            return false;
        memcpy(to->ring + to->n, one.ring, one.n * sizeof *one.ring);
        to->n += one.n;
    }
    return true;
}

/* The same as a mask of the canvas: parts of a ring outside `in` are dropped. */
static struct rings move_mask(struct arena *arena, const struct map *map, struct frame in,
                              struct frame out, const struct rings *holes)
{
    struct rle mask = rle_from_rings(arena, holes, in);
    struct rle moved = rle_move(arena, &mask, map, out);
    struct rects rects = rle_to_rects(arena, &moved);
    struct rings rings = { ARENA_ARRAY(arena, struct ring, rects.n), rects.n };

    for (size_t i = 0; i < rects.n; i++)
        rings.ring[i] = ring_of_box(arena, box_of_rect(rects.at[i]));
    return rings;
}

void holes_move(struct arena *arena, const struct map *map, struct frame in, struct frame out,
                struct rings *holes)
{
    struct arena scratch = { 0 };
    struct rings moved;

    /* Inverted fields move no masks (see map_invert), and matrices make no more rings. */
    if (!map->field || map->inverted || !holes->n) {
        map_convex(arena, map, holes);
        return;
    }
    moved.ring = ARENA_ARRAY(&scratch, struct ring, MAX_HOLE_RINGS);
    *holes = move_rings(&scratch, map, holes, &moved) ? rings_copy(arena, &moved)
                                                      : move_mask(arena, map, in, out, holes);
    arena_drop(&scratch);
}
