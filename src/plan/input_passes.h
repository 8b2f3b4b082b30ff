/* input_passes: what an input of a join goes through, so that no more of it is made than is seen on
 * the canvas. To the bit what all of it would be there. */
#pragma once

#include "pixels/picture.h"
#include "plan/fuse.h"

struct input_passes {
    struct passes passes;
    struct decode_hints hints; /* what of its source they take */
    /* Where on the canvas what they make begins; without passes where the whole source does. */
    int left, top;
};

struct input_passes input_passes_of(const struct action *join, size_t input, enum optimize,
                                    struct arena *);

/* What of the image itself all inputs together take that are made of it. */
void join_hints(const struct action *join, enum optimize, struct arena *, struct decode_hints *);

/* The pixels of the canvas that a mask and its feathered edge concern. */
struct rect cut_out_reach(const struct rle *, struct frame canvas);
