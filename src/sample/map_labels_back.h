/* map_labels_back: labels of an image that was made of others, as a model's findings are, on their
 * way back to one of these. */
#pragma once

#include "geom/map.h"
#include "sample/sample.h"

/* The inputs of a join that pastes objects. A found object goes as a whole to one input of pasted
 * objects, or to the inputs that are whole images. A mask goes where most of
 * the mask is shown. A box goes to the pasted object with a similar box (IoU > 1/2). */
struct paste_layers {
    const struct rle *from; /* what input k and those above it show; from[n] is empty */
    const bool *cut_out;    /* of each: is it objects alone? */
    const struct boxes {
        const struct box *at;
        size_t n;
    } * boxes; /* of the objects of each */
    size_t n;
};

/* One step of that way, from the canvas `out` to `in`. */
struct back_step {
    struct map map;       /* of what was done: from `in` to `out`; no field that folds */
    struct frame in, out; /* `map` sees all of `in` */
    struct rects hidden;  /* of `out`: what is not made of `in` */
    const struct paste_layers *pasted; /* or NULL */
    size_t input;                      /* of those, the one that `in` is */
};

/* Moves all labels of a sample, whose frame is the `out` of the first of n steps, to the `in` of
 * the last one. Every canvas cuts, and so does what is hidden. Masks go through one raster,
 * however many steps there are (rle_sampled). */
void sample_move_back(struct sample *, const struct back_step *, size_t n);
