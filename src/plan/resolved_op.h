/* resolved_op: an op that a step emitted, with the values sampled for it, and the list of all such
 * ops of one output. */
#pragma once

#include "plan/missing_branches.h"
#include "plan/plan.h"

/* Type and number of channels of an image's pixels. */
struct pixel_kind {
    enum pixel_type type;
    int channels;
};

struct resolved_op {
    const struct op *op;
    const void *params;
    const struct step *step;  /* the pipeline's step that emitted the op */
    struct frame in;          /* the canvas before the op */
    struct pixel_kind pixels; /* the image's pixels before the op */
    struct action action;     /* resolved, unless the op needs to see pixels first */
};

struct resolved_ops {
    struct resolved_op *at;
    size_t n;
    struct label_pairs swap_labels;    /* labels of masks that swap wherever an op mirrors */
    struct absence absence;            /* the branch that this output lacks */
    size_t last;                       /* index of the plan's last step that was done */
    bool looked;                       /* a step asked for the sample's objects */
    bool reads_without_occlusion;      /* a step did so while the sample was unhidden */
    const struct donor_source *donors; /* source of borrowed images, or NULL */
};

/* Statistics of the pixels, for ops that need them: see struct scene. */
struct stats {
    double luma;
    const uint32_t *histogram;
    struct colour_moments moments;
};

/* Resolves the op to an action on the canvas and pixels before it. The statistics matter only to
 * ops that need them. Returns false, with the reason in `why`, if the op cannot be done. */
bool resolved_op_action(const struct resolved_op *, const struct stats *, struct arena *,
                        struct action *, struct text *why);

/* Returns the family of the op's action; for an op that must see pixels first, the family that its
 * action is going to have. */
enum family resolved_op_family(const struct resolved_op *);

/* Prints {"type": "rotate", "angle": 7.31, ...}: a step of a pipeline with all values. */
void resolved_op_print(const struct resolved_op *, struct text *);
