/* render_plane: drawn ops rendered from one plane to one plane, without files; and planes to render
 * from. */
#pragma once

#include "base/rng.h"
#include "plan/render.h"

extern int rendered_late; /* how often rows were left to be made */

/* Mode exact leaves rows to be made where it may, so that they are held against those of none. */
bool render_plane(const struct drawn_ops *, enum optimize, const struct plane *source,
                  struct pool *, struct arena *, struct plane *out);
/* What was rendered goes back, unless it is the source itself. */
void drop_rendered(struct pool *, const struct plane *source, struct plane *made);

/* A slope with noise, of 8 or 16 bit. */
struct plane random_picture(struct pool *, struct frame, struct pixel_kind, struct rng *);
bool planes_equal(const struct plane *, const struct plane *);
