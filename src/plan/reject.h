/* reject: draws an image again, with other random numbers, if it loses too much
 * ("reject_image_if").
 *
 * Labels alone decide, before any pixel is read. Each attempt has its own random numbers: see
 * struct draw_id. */
#pragma once

#include "plan/missing_branches.h"
#include "plan/plan.h"

/* Why an attempt was rejected. */
struct reject_reason {
    const char *reason; /* the condition: "objects_lost", ... */
    double value;       /* number of objects lost or left, or the smallest share */
};

struct attempts {
    uint32_t chosen; /* number of the attempt that is used: the last one */
    const struct reject_reason *rejected;
    size_t n_rejected; /* attempts 0, 1, ... that were rejected */
    bool given_up;     /* the last attempt was rejected too */
};

/* Draws the sample, or one of the samples (branches) that are made of it, and finalizes it. With
 * `original` no step is done. Returns false if it fails; for a missing branch, sets the absence. */
struct attempt {
    bool original;
    uint32_t number, branch;
};
typedef bool attempt_fn(void *context, const struct attempt *, struct sample *, struct absence *);

/* Draws attempts until one is accepted. The reasons are in the arena, which must not be the
 * samples'. Returns false if an attempt failed. */
bool attempts_choose(const struct plan *, attempt_fn *, void *context, struct arena *,
                     struct attempts *);
