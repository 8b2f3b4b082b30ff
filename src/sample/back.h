/* back: labels of an image that was made of others, as a model's findings are, on their way back to
 * one of these. */
#pragma once

#include "../geom/map.h"
#include "sample.h"

/* One step of that way, from the canvas `out` to `in`. */
struct back_step {
    struct map map;       /* of what was done: from `in` to `out`; no field that folds */
    struct frame in, out; /* `map` sees all of `in` */
    struct rects hidden;  /* of `out`: what is not made of `in` */
};

/* Moves all labels of a sample, whose frame is the `out` of the first of n steps, to the `in` of
 * the last one. Every canvas cuts, and so does what is hidden. Masks go through one raster,
 * however many steps there are (rle_sampled). */
void sample_move_back(struct sample *, const struct back_step *, size_t n);
