/* planar: passes on the Y, Cb and Cr planes of a JPEG, each at its own resolution: half the samples
 * of RGB, and no conversion. */
#pragma once

#include "pixels/picture.h"
#include "plan/pass_rows.h"

/* Can all of it be done there? Moves must be composed maps, colours linear, and gray must stay
 * gray. */
bool planar_allowed(const struct drawn_ops *, const struct passes *);

/* See render_image. Ops from *done on, if any, are left to be done: what they come to do to this
 * image's colours is not for planes. `out` is then RGB, and read from the source as it was. */
bool planar_render(const struct pass_context *, const struct passes *, const struct picture *source,
                   enum subsampling, struct picture *out, size_t *done);

/* What the passes look at of a source in planes, in pixels of luma, from even ones on: the window
 * of render_hints, whose margin has room for the chroma that is blended. */
struct rect planar_part(const struct pass_context *, const struct passes *,
                        const struct picture *source);
/* A part of it, whose x and y are even, in RGB, from the pool: to the bit that of the whole, but
 * for two pixels along its edges inside of the picture. */
struct picture planar_colours(const struct picture *, const struct rect *part, struct pool *);
