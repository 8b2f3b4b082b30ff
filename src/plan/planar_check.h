/* planar_check: whether the passes of resolved ops can run on the Y, Cb and Cr planes of a JPEG. */
#pragma once

#include "plan/fuse.h"

/* True if all passes can run on the planes: moves must be composed maps, colors linear, and gray
 * must stay gray. */
bool can_use_planes(const struct resolved_ops *, const struct passes *);
