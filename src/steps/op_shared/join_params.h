/* join_params: what ops and transforms share that join images: which images may be borrowed, and
 * how inputs lie on a canvas. */
#pragma once

#include "steps/emit.h"

/* Which images of the dataset may be borrowed. */
struct donors {
    struct names has_category; /* they have an object of one of these; none: of any or none */
    bool same_size;            /* they are as large, as annotated, as the image that borrows */
    bool exclude_self;
};

/* An input of a joint. */
struct input {
    const char *source; /* the name of the image that is borrowed; "": the image itself */
    int top, left;      /* of its first pixel on the canvas */
    double opacity;     /* 1 hides what is below it */
    /* Numbers of objects among those of its record: nothing else of it is laid. None: all of it. */
    struct numbers objects;
    int blending;       /* enum blending: of the edge of these objects */
    struct steps steps; /* what makes it of the image */
    bool absent;        /* nothing of it is laid after all; in no pipeline */
};
struct inputs {
    struct input *at;
    struct steps *steps; /* the steps of each */
    size_t n;
};
/* All zero, in the arena. */
struct inputs inputs_take(struct arena *, size_t n);

/* How the edge of objects that are laid looks. */
enum blending { BLENDING_NONE, BLENDING_FEATHER };
extern const struct choice blending_choices[];
extern const struct choice piece_choices[]; /* enum piece_rule */

/* What becomes of label masks where images show through each other. */
enum blended_masks { BLENDED_REFUSE, BLENDED_HEAVIER };
extern const struct choice blended_choices[];
#define HEAVIER 0.5 /* the opacity from which on an image says whose label a pixel has */

/* The parameters of op `join`. */
struct joint {
    int height, width; /* of the canvas */
    struct colour fill;
    int fill_mask;
    int labels; /* enum hidden_rule: of objects that are hidden */
    int masks;  /* enum blended_masks */
    int pieces; /* enum piece_rule: of objects that several inputs have a part of */
    struct inputs inputs;
};

/* Kinds of parameters. Steps for donors are like steps, but of images that are borrowed. */
extern const struct kind donors_kind, inputs_kind, donor_steps_kind;
#define DONORS(S, f, ...) ROW(S, f, struct donors, donors, __VA_ARGS__)
#define INPUTS(S, f, ...) ROW(S, f, struct inputs, inputs, __VA_ARGS__)
#define DONOR_STEPS(S, f, ...) ROW(S, f, struct steps, donor_steps, __VA_ARGS__)

/* clang-format off */
#define DONOR_ROWS(S)                                                                              \
    DONORS(S, donors, .preset = "{}",                                                              \
           .help = "which images may be borrowed, all of them equally likely: `has_category`: "    \
                   "they have an object of one of these categories; `same_size`: they are as "     \
                   "large, as annotated, as the image; `exclude_self`: not the image itself. One " \
                   "image more changes about 1/n of the draws; all of them where n grows "         \
                   "beyond 65 536, and most where it grows beyond a larger power of two"),         \
    DONOR_STEPS(S, donor_transforms, .preset = "[]",                                               \
                .help = "steps for each image that is borrowed, before it is fitted in; they "     \
                        "cannot borrow in turn")
#define PIECES_ROW(S)                                                                              \
    CHOICE(S, pieces, .preset = "\"split\"", .choices = piece_choices,                             \
           .help = "what becomes of an object that several inputs have a part of")
#define BLENDING_ROW(S, default)                                                                   \
    CHOICE(S, blending, .preset = default, .choices = blending_choices,                            \
           .help = "how the edge of objects that are laid looks; labels end at their outline")
#define HIDDEN_ROW(S)                                                                              \
    CHOICE(S, labels, .preset = "\"shrink\"", .choices = hidden_choices,                           \
           .help = "what becomes of objects that are hidden, beside their visibility and that of " \
                   "keypoints, which become 1 (labelled, not visible)")
#define BLENDED_ROW(S)                                                                             \
    CHOICE(S, masks, .preset = "\"refuse\"", .choices = blended_choices,                           \
           .help = "label masks where images show through each other, a pixel having one label")
/* clang-format on */

/* Draw an image that may be borrowed: its name. NULL when there is none; the sample fails then. */
const char *run_donor(struct run *, const struct donors *);
/* Make an input like the image that borrows it: gray or in colours, and of the same type of samples
 * (enum pixel_type). Alpha is left to `join`. */
void emit_like(struct run *, int channels, int type);

/* Emit `join`: its inputs' steps are those that `chain` emits for each input, in order, in a run of
 * its own. Before it returns it may change where and what of its input is laid: all but the source.
 */
void emit_join(struct run *, const struct joint *, chain_fn *chain, const void *context);
