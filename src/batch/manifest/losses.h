/* losses: labels that outputs lose, counted and told. */
#pragma once

#include "sample/sample.h"

/* Why objects were dropped: by the rules of "annotations", or by a step that drops objects. */
enum loss {
    LOSS_OUTSIDE,
    LOSS_HIDDEN,
    LOSS_MIN_VISIBILITY,
    LOSS_MIN_AREA,
    LOSS_MIN_SIZE,
    LOSS_MAX_ASPECT,
    LOSS_STEPS, /* every other reason: the manifest has each */
    LOSSES
};

/* Sums over outputs. Kept in journals: a number of each, and nothing else. */
struct losses {
    uint64_t dropped[LOSSES];  /* objects */
    uint64_t keypoints;        /* labelled ones of the objects that stay: they left the canvas */
    uint64_t swapped_by_guess; /* objects: see object_is_swapped_by_guess */
};

/* True if a labelled keypoint was taken back because it left the canvas. */
bool keypoint_is_lost(const struct keypoint *);
/* True if keypoints of the object changed places in a mirror, and which do was guessed from their
 * names: neither "flip_pairs", a public layout nor words such as "left" and "right" say so. */
bool object_is_swapped_by_guess(const struct object *);

/* Counts the losses of a finalized sample. */
void losses_count(struct losses *, const struct sample *);
void losses_add(struct losses *sum, const struct losses *more);

/* Prints one line on stderr with all that is not 0; nothing when all is. */
void losses_tell(const struct losses *);
/* Appends the members "dropped" and "keypoints" of run.json. */
void losses_print(const struct losses *, struct text *);
