/* inverse_map: from an output to the images that it was made of: the maps of the ops that were
 * done, which are known without any pixel. */
#pragma once

#include "sample/map_labels_back.h"
#include "plan/apply.h"

/* One of the images that an output shows, as a whole or a part of it. */
struct back_way {
    bool borrowed;
    size_t record;                /* as the donors' `find` has it, if it is borrowed */
    struct frame in;              /* of the image */
    const struct back_step *step; /* from the output to the image */
    size_t n;
};
struct back_ways {
    struct back_way *at;
    size_t n;
};

enum back_outcome {
    BACK_KNOWN,
    BACK_AMBIGUOUS, /* there are places of the output that show several, or are shown twice */
    BACK_FAILED,    /* a step cannot be done */
};

/* The ways back from what a plan of recorded steps makes of an image of the size `in`; `out` gets
 * the size of that. The donors give an image's size, and its objects where some of them are pasted.
 * All lives in the arena. If not BACK_KNOWN, `why` gets the reason. */
enum back_outcome plan_back(const struct plan *, const struct donor_source *, struct frame in,
                            struct arena *, struct back_ways *, struct frame *out,
                            struct text *why);
