/* render_plane: renders resolved ops from a plane to a plane, without files; makes planes to render
 * from. */
#pragma once

#include "base/rng.h"
#include "plan/render.h"

extern int rendered_late; /* counts images whose rows were made on demand */

/* Renders the ops. Mode exact makes rows on demand if possible, so that they are compared with the
 * rows of mode none. */
bool render_plane(const struct resolved_ops *, enum optimize, const struct plane *source,
                  struct pool *, struct arena *, struct plane *out);
/* Returns a rendered plane to the pool, unless it is the source itself. */
void drop_rendered(struct pool *, const struct plane *source, struct plane *made);

/* Returns a gradient with noise, of 8 or 16 bits. */
struct plane random_picture(struct pool *, struct frame, struct pixel_kind, struct rng *);
bool planes_equal(const struct plane *, const struct plane *);
