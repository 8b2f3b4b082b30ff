/* apply: a plan meets a sample: steps draw, ops are emitted, labels move; pixels are left to
 * render.h, so that a run that needs no pixels decodes none. */
#pragma once

#include "plan.h"

/* One emitted op with the values drawn for it. */
struct drawn {
    const struct op *op;
    const void *params;
    const struct step *step; /* of the pipeline, that emitted it */
    struct frame in;         /* the canvas it met */
    int bands;               /* and how many bands the image had there */
    struct action action;    /* resolved, unless the op needs to see pixels first */
};

struct drawing {
    struct drawn *at;
    size_t n;
};

/* What the pixels are like, for ops that care. */
struct pixel_kind {
    enum pixel_type type;
    int bands;
};

/* Draw all steps for a sample, with the numbers of `key` (rng_key), and move its labels. All that
 * is drawn lives in the sample's arena. False with a reason when a step cannot be done to it. */
bool plan_apply(const struct plan *, uint64_t key, struct pixel_kind, struct sample *,
                struct drawing *, struct text *why);

/* What ops that must see pixels are told of them: see struct scene. */
struct stats {
    double luma;
    const uint32_t *histogram;
};

/* Resolve a drawn op for what it meets; the statistics matter to ops that need them. */
bool drawn_resolve(const struct drawn *, enum pixel_type, const struct stats *, struct arena *,
                   struct action *, struct text *why);

/* The family of its action; an op that must see pixels first recolours by a table. */
enum family drawn_family(const struct drawn *);

/* {"type": "rotate", "angle": 7.31, ...}: a step of a pipeline, all values written out. */
void drawn_print(const struct drawn *, struct text *);
