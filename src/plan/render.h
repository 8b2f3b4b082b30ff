/* render: the pixel work of resolved ops, compiled to passes (fuse.h). */
#pragma once

#include "pixels/picture.h"
#include "plan/fuse.h"
#include "plan/input_passes.h"

/* Applies resolved ops to a source that was read by render_hints, or whole. Planar sources give
 * planar results with this subsampling. Modes none and exact give the same bits. The source is
 * unchanged.
 *
 * Returns false, with the reason, if an op that had to see pixels cannot be done. `out` has the
 * source's own planes if no op changed them, and planes from the pool otherwise; render_drop
 * returns those to the pool. With passes.late, rows of `out` may be made later (picture.rows): the
 * source and the arena must exist until then. */
bool render_image(const struct resolved_ops *, const struct passes *, const struct picture *source,
                  enum subsampling, struct pool *, struct arena *, struct picture *out,
                  struct text *why);
void render_drop(struct picture *out, const struct picture *source, struct pool *);

/* Applies resolved ops to the image's label mask: the same maps with nearest interpolation. The
 * only new label is fill_mask. Labels that a mirror swaps are swapped wherever an op mirrors.
 * Returns false if the mask of a borrowed image cannot be read, which its reader has reported. */
bool render_mask(const struct resolved_ops *, enum optimize, const struct plane *source,
                 struct pool *, struct arena *, struct plane *out);
