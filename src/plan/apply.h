/* apply: a plan meets a sample: steps draw, ops are emitted, labels move; pixels are left to
 * render.h, so that a run that needs no pixels decodes none. */
#pragma once

#include "plan/missing_branches.h"
#include "plan/plan.h"

/* What the pixels are like, for ops that care. */
struct pixel_kind {
    enum pixel_type type;
    int channels;
};

/* One emitted op with the values drawn for it. */
struct drawn_op {
    const struct op *op;
    const void *params;
    const struct step *step;  /* of the pipeline, that emitted it */
    struct frame in;          /* the canvas it met */
    struct pixel_kind pixels; /* and what the image's pixels were like there */
    struct action action;     /* resolved, unless the op needs to see pixels first */
};

struct drawn_ops {
    struct drawn_op *at;
    size_t n;
    struct label_pairs swap_labels;    /* of label masks, wherever an op mirrors */
    struct absence absence;            /* the draw has no such branch */
    size_t last;                       /* of the plan's steps: the one that was done last */
    bool looked;                       /* a step asked which objects there are */
    bool looked_unhidden;              /* it did so of a sample that is unhidden */
    const struct donor_source *donors; /* where images are borrowed from; or NULL */
};

/* Which of a record's outputs is drawn: all that its random numbers depend on. `branch`, below the
 * plan's fan_out, counts the samples that ops with a fan_out make of one; steps before such an op
 * draw the same for all of its branches, steps after it for each their own. */
struct draw_id {
    uint64_t seed;
    struct slice image; /* the record's seed key */
    uint32_t copy, branch, attempt;
};

/* Draw all steps for a sample, and move its labels. All that
 * is drawn lives in the sample's arena. False with a reason when a step cannot be done to it. */
bool plan_apply(const struct plan *, const struct draw_id *, struct pixel_kind, struct sample *,
                struct drawn_ops *, struct text *why);

/* Statistics of the pixels for ops that need them: see struct scene. */
struct stats {
    double luma;
    const uint32_t *histogram;
    struct colour_moments moments;
};

/* Resolve a drawn op for what it meets; the statistics matter to ops that need them. */
bool drawn_op_resolve(const struct drawn_op *, const struct stats *, struct arena *,
                      struct action *, struct text *why);

/* The family of its action; of an op that must see pixels first, what it is going to be. */
enum family drawn_op_family(const struct drawn_op *);

/* {"type": "rotate", "angle": 7.31, ...}: a step of a pipeline, all values written out. */
void drawn_op_print(const struct drawn_op *, struct text *);
