/* render: the pixel work of a drawing, compiled to passes (fuse.h). */
#pragma once

#include "apply.h"

/* The image as the drawing makes it: the source itself when there was nothing to do, else a plane
 * from the pool that is the caller's to return. The source stays as it is. False with a reason when
 * an op that had to see pixels cannot be done. However it is optimized, the bits are the same. */
bool render_image(const struct drawing *, enum optimize, const struct plane *source, struct pool *,
                  struct arena *, struct plane *out, struct text *why);

/* The label mask likewise: by the same maps, nearest, never a new label but fill_mask. */
void render_mask(const struct drawing *, enum optimize, const struct plane *source, struct pool *,
                 struct arena *, struct plane *out);
