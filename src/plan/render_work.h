/* render_work: a rendering in work, for render*.c. */
#pragma once

#include "plan/image_stats_cache.h"
#include "plan/sampler.h"
#include "plan/pass_rows.h"
#include "plan/render.h"

/* The plane being worked on: borrowed until the first result is made, then ours. */
struct render_work {
    struct pass_context context; /* what all passes share */
    struct plane now;
    struct frame full;
    struct point origin; /* of the source's first pixel; the rest as in struct picture */
    int shrink;
    bool part; /* the first pixels are a part that other passes were meant to read */
    bool ours;
    struct measured *measured; /* of the source, while it is the plane of now; or NULL */
};

/* A plane from the pool like the one of now, of this frame. */
struct plane render_fresh(struct render_work *, struct frame);
/* This plane, from the pool, is the one of now. */
void render_replace(struct render_work *, struct plane with);
/* Do the passes; false with the reason when an op that had to see pixels cannot be done. */
bool render_passes(struct render_work *, const struct passes *);
/* The same for an action that joins. */
bool render_mix(struct render_work *, const struct action *, enum optimize);
bool render_join(struct render_work *, const struct action *, enum optimize);
/* Lay what an input was made to on the canvas, as it says: pixels, or labels, which hide what is
 * below them. */
void lay_plane(const struct lay *, const struct plane *in, bool labels, struct pool *,
               struct plane *canvas);
