/* pieces: rings put together and collected; for the polygon files, not for other floors. */
#pragma once

#include "polygon.h"

/* A growing list of rings. */
struct pieces {
    struct rings list;
    size_t room;
};

void pieces_add(struct arena *, struct pieces *, struct ring);

/* Another point, which has room, unless the ring's last one is the same. */
void ring_add(struct ring *, struct point);
/* Take away what repeats the first point at the end. */
void ring_close(struct ring *);
/* Has it no area? A ring that crosses itself may sum to nothing and have some (a bow tie): then
 * it has length on some line through it. */
bool ring_is_sliver(const struct ring *);
/* Several rings in one, tied by a bridge walked to and fro, which encloses nothing. */
struct ring rings_tied(struct arena *, const struct rings *);
