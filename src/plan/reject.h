/* reject: what was drawn for an image is drawn again when it loses too much ("reject_image_if").
 *
 * Labels alone decide, before any pixel is read for it. Each attempt has random numbers of its own,
 * by its number: see struct draw_id. */
#pragma once

#include "plan/missing_branches.h"
#include "plan/plan.h"

/* Why an attempt was rejected. */
struct reject_reason {
    const char *reason; /* the condition: "objects_lost", ... */
    double value;       /* of what it asks: how many were lost or are left, or the lowest share */
};

struct attempts {
    uint32_t chosen; /* the number of the attempt that counts: the last one */
    const struct reject_reason *rejected;
    size_t n_rejected; /* attempts 0, 1, ... that were rejected */
    bool given_up;     /* the last one, too */
};

/* A draw of the sample, or of one of the samples (branch) that it makes of one; finalized. With
 * `original` nothing is drawn. False when it cannot be done; of a branch that there is not, its
 * absence is given. */
struct attempt {
    bool original;
    uint32_t number, branch;
};
typedef bool attempt_fn(void *context, const struct attempt *, struct sample *, struct absence *);

/* Try one attempt after the other until one will do. What is found lives in the arena, which must
 * not be the samples'. False when an attempt could not be done. */
bool attempts_choose(const struct plan *, attempt_fn *, void *context, struct arena *,
                     struct attempts *);
