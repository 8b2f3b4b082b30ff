/* join_params: parameters and settings shared by ops and transforms that join images: which images
 * may be borrowed, and how inputs are placed on a canvas. */
#pragma once

#include "steps/emit.h"

/* Which images of the dataset may be borrowed. */
struct donors {
    struct names has_category; /* the donor has an object of one of these; empty: no condition */
    bool same_size; /* by the annotations, the donor is as large as the borrowing image */
    bool exclude_self;
};

/* An input of a joint. */
struct input {
    const char *source; /* name of the borrowed image; "": the image itself */
    int top, left;      /* position of its first pixel on the canvas */
    double opacity;     /* 1 hides the inputs below it */
    /* Indices of objects in the input: only these are placed. Empty: the whole input. */
    struct numbers objects;
    int blending;       /* enum edge_blend, for the edge of these objects */
    struct steps steps; /* steps that make the input from the image */
    bool absent;        /* the input turned out to be empty; never set in a pipeline */
};
struct inputs {
    struct input *at;
    struct steps *steps; /* the steps of each */
    size_t n;
};
/* Returns n zeroed inputs, in the arena. */
struct inputs inputs_take(struct arena *, size_t n);

/* How the edges of placed objects are blended. */
enum edge_blend { BLENDING_NONE, BLENDING_FEATHER };
extern const struct choice blending_choices[];
extern const struct choice piece_choices[]; /* enum piece_rule */

/* How label masks are made where images are blended. */
enum blended_masks { BLENDED_REFUSE, BLENDED_HEAVIER };
extern const struct choice blended_choices[];
#define HEAVIER 0.5 /* from this opacity on, an image decides the label of a pixel */

/* The parameters of the op `join`. */
struct joint {
    int height, width; /* of the canvas */
    struct colour fill;
    int fill_mask;
    int labels; /* enum hidden_rule: for hidden objects */
    int masks;  /* enum blended_masks */
    int pieces; /* enum piece_rule: for objects that are split over several inputs */
    struct inputs inputs;
};

/* Kinds of parameters. donor_steps are steps for borrowed images. */
extern const struct kind donors_kind, inputs_kind, donor_steps_kind;
#define DONORS(S, f, ...) ROW(S, f, struct donors, donors, __VA_ARGS__)
#define INPUTS(S, f, ...) ROW(S, f, struct inputs, inputs, __VA_ARGS__)
#define DONOR_STEPS(S, f, ...) ROW(S, f, struct steps, donor_steps, __VA_ARGS__)

/* clang-format off */
#define DONOR_ROWS(S)                                                                              \
    DONORS(S, donors, .preset = "{}",                                                              \
           .help = "which images may be borrowed, all with equal probability. `has_category`: "    \
                   "has an object of one of these categories; `same_size`: has the image's "       \
                   "size, "                                                                        \
                   "by the annotations; `exclude_self`: is not the image itself. One more image "  \
                   "changes about 1/n of the draws: all of them when n exceeds 65 536, most "      \
                   "when "                                                                         \
                   "n exceeds a larger power of two"),                                             \
    DONOR_STEPS(S, donor_transforms, .preset = "[]",                                               \
                .help = "steps for each borrowed image, before it is fitted in; these steps "      \
                        "cannot borrow images")
#define PIECES_ROW(S)                                                                              \
    CHOICE(S, pieces, .preset = "\"split\"", .choices = piece_choices,                             \
           .help = "what happens to an object that is split over several inputs")
#define BLENDING_ROW(S, default)                                                                   \
    CHOICE(S, blending, .preset = default, .choices = blending_choices,                            \
           .help = "how the edges of placed objects are blended; labels end at the outline")
#define HIDDEN_ROW(S)                                                                              \
    CHOICE(S, labels, .preset = "\"shrink\"", .choices = hidden_choices,                           \
           .help = "what happens to hidden objects; their visibility is reduced in any case, "     \
                   "and "                                                                          \
                   "hidden keypoints get 1 (labelled, not visible)")
#define BLENDED_ROW(S)                                                                             \
    CHOICE(S, masks, .preset = "\"refuse\"", .choices = blended_choices,                           \
           .help = "label masks where images are blended: which label a pixel gets")
/* clang-format on */

/* Draws a donor and returns its name. Returns NULL if no image may be borrowed; then the sample
 * fails. */
const char *run_donor(struct run *, const struct donors *);
/* Converts an input to the borrowing image's color mode (gray or color) and type of samples (enum
 * pixel_type). Alpha is left to `join`. */
void emit_like(struct run *, int channels, int type);

/* Emits `join`. `chain` is called for each input in order, with a separate run, and emits the
 * input's steps. Before it returns, `chain` may change all members of its input except the source.
 */
void emit_join(struct run *, const struct joint *, chain_fn *chain, const void *context);
