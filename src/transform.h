/* transform: what a file of transforms/ may see. A transform is random policy: from parameter
 * ranges it draws concrete values for one sample and emits ops by name. It never touches a pixel or
 * a box, has no memory of its own to free, and cannot fail. */
#pragma once

#include "base/rng.h"
#include "op.h"

/* One transform meeting one sample. All of it is borrowed. */
struct run {
    const void *params; /* what the pipeline says: shared by all samples, const */
    struct frame frame; /* the sample's canvas now; emitting moves it on */
    int bands;          /* the image's now, 1 to 4, alpha among them; likewise */
    struct rng *rng;    /* this step's own numbers */
    struct arena *arena;
    void *apply; /* plan/apply.c's own */
};

struct transform {
    const char *name, *summary;
    const char *example;      /* a step, as JSON */
    const char *const *emits; /* names of ops it may emit, ended by NULL; NULL for containers */
    bool one;                 /* a container that does one of its steps at most */
    const struct row *params;
    size_t params_size;
    double chance; /* the default of `p`; 0 stands for 1: always */
    /* Conditions between parameters, when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    void (*draw)(struct run *);
};

/* --- emitting, beside what emit.h has --- */

/* Do a nested step on the sample: its chance, its draw, with its own numbers. */
void emit_step(struct run *, const struct steps *, size_t i);
