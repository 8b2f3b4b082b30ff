/* render: the pixel work of a drawing, op by op. */
#pragma once

#include "apply.h"

/* The image as the drawing makes it, in a plane from the pool that is the caller's to return. The
 * source stays as it is. False with a reason when an op that had to see pixels cannot be done. */
bool render_image(const struct drawing *, const struct plane *source, struct pool *, struct arena *,
                  struct plane *out, struct text *why);

/* The label mask likewise: by the same maps, nearest, never a new label but fill_mask. */
void render_mask(const struct drawing *, const struct plane *source, struct pool *,
                 struct plane *out);
