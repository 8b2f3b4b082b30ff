/* apply_run: the state of plan_apply, shared by apply*.c. */
#pragma once

#include "plan/resolved_op.h"

struct draw_id;

/* The context of struct run. */
struct apply {
    const struct plan *plan;
    const struct draw_id *draw_id;
    uint64_t key;             /* random key of the branch so far */
    uint32_t branch, left;    /* branch so far; rest for later ops with a fan_out */
    uint32_t fan_out;         /* number of branches so far */
    struct pixel_kind pixels; /* the image's pixels now: ops may change the channels */
    struct sample *sample;
    struct resolved_ops *resolved_ops;
    size_t room;
    const struct step *step; /* the current step */
    uint64_t repeat;         /* counts steps that are done several times for one output */
    bool labelled;
    struct plane mask;   /* the mask as a step last looked at it, from the sample's pool */
    struct apply *outer; /* of an input made of this sample's current image; or NULL */
    bool failed;
    bool absent; /* the output lacks this branch: the remaining steps are skipped */
    struct text *why;
};

/* Sets the reason why the sample cannot be done: the step's name and `what`. Returns false. */
bool apply_fail(struct apply *, const char *what);
/* Appends an op to resolved_ops. */
void apply_keep(struct apply *, const struct resolved_op *);
/* Notes that a step asks for the sample's objects. */
void apply_note_look(struct apply *);
/* Notes the same if steps of a joined input asked for objects. */
void apply_note_looks(struct apply *, const struct resolved_ops *);
/* Tells a run the properties of the sample that transforms may use. */
void apply_look(struct run *, const struct apply *);
/* Returns the label mask that a step looked at to the pool. */
void apply_drop_mask(struct apply *);
/* The functions `mix`, `join` and `donor` of struct emitter. */
void apply_mix(struct run *, const struct weights *, size_t n, chain_fn *, const void *context);
void apply_join(struct run *, const struct joint *, chain_fn *, const void *context);
const char *apply_donor(struct run *, const struct donors *);
