/* planar: passes on the Y, Cb and Cr planes of a JPEG, each at its own resolution: half the samples
 * of RGB, and no conversion. */
#pragma once

#include "../pixels/picture.h"
#include "fuse.h"

/* Can all of it be done there? Moves must be routes, colours linear, and gray must stay gray. */
bool planar_allowed(const struct drawing *, const struct passes *);

/* See render_image. */
bool planar_render(const struct drawing *, const struct passes *, const struct picture *source,
                   enum subsampling, struct pool *, struct arena *, struct picture *out,
                   struct text *why);
