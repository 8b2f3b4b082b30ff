/* apply_run: a plan that meets a sample, for apply*.c. */
#pragma once

#include "plan/apply.h"

/* What stands behind struct run. */
struct apply {
    const struct plan *plan;
    const struct draw_id *draw_id;
    uint64_t key;             /* of the branch so far */
    uint32_t branch, left;    /* so far, and what later ops with a fan_out have to make of it */
    uint32_t fan_out;         /* branches so far */
    struct pixel_kind pixels; /* as they are now: ops may change the channels */
    struct sample *sample;
    struct drawn_ops *drawn_ops;
    size_t room;
    const struct step *step; /* being done */
    uint64_t repeat;         /* of steps that are done several times in one draw */
    bool labelled;
    struct plane mask;   /* as it was when a step last looked at it, from the sample's pool */
    struct apply *outer; /* of an input that is made of this sample's image as it is; or NULL */
    bool failed;
    bool absent; /* there is no such branch: nothing more is done */
    struct text *why;
};

/* The sample cannot be done: the step's name and this. Returns false. */
bool apply_fail(struct apply *, const char *what);
/* Add a drawn op to those drawn so far. */
void apply_keep(struct apply *, const struct drawn_op *);
/* A step asks for the sample's objects. */
void apply_note_look(struct apply *);
/* A drawn input's steps did so. */
void apply_note_looks(struct apply *, const struct drawn_ops *);
/* Tell a run what a transform may know of the sample. */
void apply_look(struct run *, const struct apply *);
/* Give back the label mask that a step looked at. */
void apply_drop_mask(struct apply *);
/* These are the functions `mix`, `join` and `donor` of this module's struct emitter. */
void apply_mix(struct run *, const struct weights *, size_t n, chain_fn *, const void *context);
void apply_join(struct run *, const struct joint *, chain_fn *, const void *context);
const char *apply_donor(struct run *, const struct donors *);
