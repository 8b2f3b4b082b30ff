/* inverse_map: maps from an output to the images that it was made of. They are the inverse maps of
 * recorded ops, and need no pixels. */
#pragma once

#include "sample/map_labels_back.h"
#include "plan/apply.h"

/* An image that an output shows, as a whole or in part. */
struct back_way {
    bool borrowed;
    size_t record;                /* as the donors' `find` returns it, if the image is borrowed */
    struct frame in;              /* size of the image */
    const struct back_step *step; /* from the output to the image */
    size_t n;
};
struct back_ways {
    struct back_way *at;
    size_t n;
};

enum back_outcome {
    BACK_KNOWN,
    BACK_AMBIGUOUS, /* some places of the output show several images, or an image shows twice */
    BACK_FAILED,    /* a step cannot be done */
};

/* Gets the ways back from the output of a plan of recorded steps, for an image of the size `in`.
 * `out` gets the size of the output. The donors give the sizes of images, and objects that are
 * pasted. All memory is from the arena. If the result is not BACK_KNOWN, `why` gets the reason. */
enum back_outcome plan_back(const struct plan *, const struct donor_source *, struct frame in,
                            struct arena *, struct back_ways *, struct frame *out,
                            struct text *why);
