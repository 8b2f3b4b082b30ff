/* losses: counts and reports the labels that outputs lose. */
#pragma once

#include "sample/sample.h"

/* Reasons why objects were dropped: by the rules of "annotations", or by a step that drops objects.
 */
enum loss {
    LOSS_OUTSIDE,
    LOSS_HIDDEN,
    LOSS_MIN_VISIBILITY,
    LOSS_MIN_AREA,
    LOSS_MIN_SIZE,
    LOSS_MAX_ASPECT,
    LOSS_STEPS, /* every other reason; the manifest has each */
    LOSSES
};

/* Sums over outputs. Journals store this struct, so it may contain only these numbers. */
struct losses {
    uint64_t dropped[LOSSES];  /* objects */
    uint64_t keypoints;        /* labeled keypoints of kept objects that left the canvas */
    uint64_t swapped_by_guess; /* objects; see object_is_swapped_by_guess */
};

/* True if a labeled keypoint was removed because it left the canvas. */
bool keypoint_is_lost(const struct keypoint *);
/* True if keypoints of the object changed places in a mirror, and the pairs were guessed from their
 * names: neither "flip_pairs", a public layout, nor words such as "left" and "right" define them.
 */
bool object_is_swapped_by_guess(const struct object *);

/* Counts the losses of a finalized sample. */
void losses_count(struct losses *, const struct sample *);
void losses_add(struct losses *sum, const struct losses *more);

/* Prints one line on stderr with all losses that are not 0, or nothing if there are none. */
void losses_tell(const struct losses *);
/* Appends the members "dropped" and "keypoints" of run.json. */
void losses_print(const struct losses *, struct text *);
