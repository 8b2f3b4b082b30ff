/* input_passes: limits the passes of joined inputs to the pixels that the canvas shows, and sources
 * to the part and scale that passes read. The pixels are the same as without limits. */
#pragma once

#include "pixels/picture.h"
#include "plan/fuse.h"

struct input_passes {
    struct passes passes;
    struct decode_hints hints; /* the part of the source that the passes read */
    int left, top; /* position of the passes' result on the canvas; without passes, of the source */
};

/* Returns the passes of one input of a join. Mode fast is taken as exact. */
struct input_passes input_passes_of(const struct action *join, size_t input, enum optimize,
                                    struct arena *);

/* Sets the hints to the part of the image that the inputs made of it read, taken together. */
void join_hints(const struct action *join, enum optimize, struct arena *, struct decode_hints *);

/* Returns the part of the canvas that a mask and its feathered edge can change. */
struct rect cut_out_reach(const struct rle *, struct frame canvas);

/* Sets the hints to the best part, scale and color space to read the source for these passes.
 * `jpegs`: both the source and the result are color JPEGs, so mode fast may work on Y, Cb and Cr.
 */
void render_hints(const struct resolved_ops *, const struct passes *, bool jpegs, struct arena *,
                  struct decode_hints *);
