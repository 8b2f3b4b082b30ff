/* map_labels_back: maps labels of an output, such as a model's detections, back to one of the
 * images that the output was made from. */
#pragma once

#include "geom/map.h"
#include "sample/sample.h"

/* The inputs of a join that pastes objects. A found object goes as a whole to one input of pasted
 * objects, or to the inputs that are whole images. A mask goes to the input that shows most of it.
 * A box goes to the pasted object with a similar box (IoU > 1/2). */
struct paste_layers {
    const struct rle *from; /* the area that input k and those above it show; from[n] is empty */
    const bool *cut_out;    /* for each input: true if it is pasted objects only */
    const struct boxes {
        const struct box *at;
        size_t n;
    } * boxes; /* the boxes of each input's objects */
    size_t n;
};

/* A step back, from the canvas `out` to `in`. */
struct back_step {
    struct map map;       /* the map that was applied, from `in` to `out`; not a field that folds */
    struct frame in, out; /* mat3_sees holds for `map` and all of `in` */
    struct rects hidden;  /* parts of `out` that do not show `in` */
    const struct paste_layers *pasted; /* or NULL */
    size_t input;                      /* the index of `in` in `pasted` */
};

/* Moves all labels of a sample from the `out` of the first of n steps to the `in` of the last one.
 * The sample's frame is the first `out`. Every canvas cuts, and so do hidden parts. Masks go
 * through a single raster, whatever the number of steps (rle_sampled). */
void sample_move_back(struct sample *, const struct back_step *, size_t n);
