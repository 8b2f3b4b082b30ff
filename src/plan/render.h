/* render: the pixel work of drawn ops, compiled to passes (fuse.h). */
#pragma once

#include "pixels/picture.h"
#include "plan/fuse.h"

/* How the source is best read for these passes. `jpegs`: it is a colour JPEG and so will be the
 * result, so that mode fast may work on its planes. */
void render_hints(const struct drawn_ops *, const struct passes *, bool jpegs, struct arena *,
                  struct decode_hints *);

/* The image as the drawn ops make it, from a source read by the hints or whole: the source's own
 * planes when there was nothing to do, else planes from the pool; render_drop gives back those that
 * are not the source's. Planar sources give planar results, sampled as said. The source stays as it
 * is. False with a reason when an op that had to see pixels cannot be done. Modes none and exact
 * give the same bits. With passes.late the result may have rows yet to be made, from the source and
 * by what is in the arena. */
bool render_image(const struct drawn_ops *, const struct passes *, const struct picture *source,
                  enum subsampling, struct pool *, struct arena *, struct picture *out,
                  struct text *why);
void render_drop(struct picture *out, const struct picture *source, struct pool *);

/* The same for the label mask: by the same maps, nearest, never a new label but fill_mask; labels
 * that a mirror swaps change places wherever an op mirrors. False when the mask of an image
 * that is borrowed cannot be read, which it reports. */
bool render_mask(const struct drawn_ops *, enum optimize, const struct plane *source, struct pool *,
                 struct arena *, struct plane *out);
