/* transform: the interface of the files in transforms/. A transform is a random policy: it draws
 * concrete values from its parameters' ranges for one sample, and emits ops by name. It never
 * touches a pixel or a box, owns no memory, and cannot fail. */
#pragma once

#include "base/number.h"
#include "base/rng.h"
#include "steps/emit.h"
#include "geom/grid.h"
#include "steps/op_shared/catalogue.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/join_params.h"
#include "steps/op_shared/rows.h"
#include "steps/op_shared/stamps.h"

struct transform;

/* Functions that check and draw a transform of a plugin. They replace `check` and `draw` of struct
 * transform, and also receive the transform. */
struct transform_calls {
    bool (*check)(const struct transform *, const void *params, const struct value *step,
                  struct faults *);
    void (*draw)(const struct transform *, struct run *);
};

struct transform {
    const char *name, *summary;
    enum group group;
    enum origin origin;
    const char *differs; /* differences from the origin's behavior, in one line; or NULL */
    const char *note;    /* names or defaults of other libraries for the same transform, which an
                            import translates; one line, or NULL. Never together with `differs`. */
    const char *example; /* a step as JSON */
    const char *const *emits; /* names of the ops it may emit, ended by NULL; NULL for containers.
                                 Ops after one that joins images are for its inputs. */
    bool one;                 /* a container that runs at most one of its steps */
    enum subject subject;
    const struct row *params;
    size_t params_size;
    double chance; /* default of `p`; 0 means 1: always */
    /* Returns the maximum number of images that it joins; may be NULL for transforms that do not.
     */
    int (*images)(const void *params);
    /* Checks conditions between parameters when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    void (*draw)(struct run *);
    const char *plugin; /* name of the plugin that provides it; or NULL */
    const struct transform_calls
        *calls;        /* of a plugin's transform, instead of check and draw; else NULL */
    const void *entry; /* the plugin's own entry, for `calls` */
};

/* True if the conditions between parameters hold; else adds faults. */
static inline bool transform_check(const struct transform *t, const void *params,
                                   const struct value *step, struct faults *faults)
{
    if (t->calls)
        return t->calls->check(t, params, step, faults);
    return !t->check || t->check(params, step, faults);
}

static inline void transform_draw(const struct transform *t, struct run *run)
{
    if (t->calls)
        t->calls->draw(t, run);
    else
        t->draw(run);
}

/* --- the sample's contents --- */

/* Picks a random pixel of the objects that run_objects returns, all equally likely: of their
 * segmentations, or of the boxes of objects without one. Without objects, picks a pixel of the
 * current label mask whose label is neither 0 nor in `ignore`. Returns false if there is none or
 * the mask cannot be read. */
bool run_pixel_of_objects(struct run *, const struct list *ignore, int *x, int *y);

/* Returns the pixels of n objects as rectangles that do not overlap, in the arena. An object's
 * segmentation counts, or its box if it has none. */
struct rects run_cover(struct run *, const struct kept_object *const *, size_t n);

/* Returns the number of labeled keypoints of an object. */
int seen_keypoints(const struct kept_object *);
/* Returns the places of an object's labeled keypoints whose names are listed, in the arena; sets *n
 * to their number. */
const struct point *run_named_keypoints(struct run *, const struct kept_object *,
                                        const struct names *, size_t *n);

/* Returns the text of a member of the object's annotation, as earlier steps left it, in the arena;
 * NULL if it has none. */
const char *seen_text(struct run *, const struct kept_object *, const char *key);

/* Returns the width of a text in em squares, in the font of --font; 0 without a font. */
double run_text_width(struct run *, const char *text);

/* Returns the first object that has a box and is not a crowd, or NULL. */
const struct kept_object *run_first_object(struct run *);
/* Returns the region that a picture of one object is to show. It was set by run_set_region and has
 * moved with the image since. By default it is the box of the first object, its sides multiplied
 * by 1.25 as in MMPose's GetBBoxCenterScale; without objects, the whole image. */
struct region run_region(struct run *);
/* Sets the region; sides shorter than 1 pixel become 1 pixel. */
void run_set_region(struct run *, const struct region *);

/* How the labels of a window share its pixels. Pixels with the label `except` (-1: none) do not
 * count. */
struct label_shares {
    int labels;     /* number of labels in the window */
    double largest; /* share of the most frequent label */
};
/* Measures a window inside the current label mask. Returns false if there is no mask, or it cannot
 * be read. */
bool run_label_shares(struct run *, struct rect, int except, struct label_shares *);

/* clang-format off */
#define CROP_SIDE_ROWS(S, whose)                                                                   \
    INTEGER(S, height, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 16, 40 },               \
            .help = "rows " whose),                                                                \
    INTEGER(S, width, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 16, 40 },                \
            .help = "columns " whose)
#define EROSION_RATE_ROW(S)                                                                        \
    NUMBER(S, erosion_rate, .preset = "0", .limit = { 0, 1 },                                      \
           .help = "the share of the boxes' total width and height that the window may cut off, "  \
                   "half of it at each end; without boxes, the share of the image's width and "    \
                   "height")
#define CROP_BORDER_ROW(S)                                                                         \
    FLAG(S, crop_border, .preset = "false",                                                        \
         .help = "then crop to the largest upright window that shows only pixels of the image")
/* clang-format on */

/* A window of whole pixels. */
struct window {
    int top, left, height, width;
};
void emit_crop(struct run *, const struct window *);
/* Crops an image that was rotated on its canvas to the largest upright window about the middle
 * whose pixels are wholly inside the rotated image; to 1 pixel or 2 if there is none. */
void emit_without_border(struct run *, double degrees);
/* True if a crop of this size fits into the image; else refuses the sample. */
bool check_crop_size(struct run *, int height, int width);
/* Draws a window like Albumentations' box-safe ones: it begins at a random place before all boxes
 * and ends at a random place after them. `erosion` (0..1) is the share of the boxes' extent that it
 * may cut off. Without boxes, the window has the image's aspect ratio, and its sides are 1 -
 * erosion to 1 times the image's. */
struct window draw_safe_window(struct run *, double erosion);

/* --- emitting, in addition to emit.h --- */

/* Emits permute_channels in random order. For gray images, emits nothing and draws no random
 * numbers. */
void emit_permutation(struct run *);

/* --- shared by several transforms --- */

/* Emits a resize to these sides (at least 1 pixel each) with the step's RESIZE_ROWS. */
void emit_resize(struct run *, int height, int width);

enum position {
    POSITION_CENTER,
    POSITION_TOP_LEFT,
    POSITION_TOP_RIGHT,
    POSITION_BOTTOM_LEFT,
    POSITION_BOTTOM_RIGHT,
    POSITION_RANDOM,
};
extern const struct choice position_choices[];
/* clang-format off */
#define POSITION_ROW(S)                                                                            \
    CHOICE(S, position, .preset = "\"center\"", .choices = position_choices,                       \
           .help = "position of the image on the larger canvas")
/* clang-format on */
/* Pads to a canvas of this size, but never smaller than the image. If the image is centered, an odd
 * pixel goes to the right or the bottom. The step's own values are used for pad's other parameters.
 */
void emit_canvas(struct run *, struct frame, int position);

/* How an image is fitted into a frame, for transforms that join images. */
enum fit_mode { FIT_COVER, FIT_CONTAIN };
extern const struct choice fit_choices[];
/* clang-format off */
#define FIT_ROW(S)                                                                                 \
    CHOICE(S, fit_mode, .preset = "\"cover\"", .choices = fit_choices,                             \
           .help = "how to fit an image of another size or aspect ratio")
/* clang-format on */
/* Emits a proportional resize, and then a crop at a random place (cover), or a border on both sides
 * (contain). The step's own values are used for the other parameters of resize and pad. */
void emit_fit(struct run *, struct frame, int fit_mode);
/* Prepares a borrowed image: makes it like the image itself, whose run is `own`, and then runs the
 * step's donor_transforms. `before` is the number of earlier inputs in this draw. */
void emit_borrowed(struct run *, const struct run *own, const struct steps *donor_transforms,
                   size_t before);

/* Returns 2: `images` of a transform that borrows one image. */
int two_images(const void *params);
/* Sets up the joint as the image itself with the borrowed image over it. Returns the borrowed
 * image's input, in the run's arena. */
struct input *joint_lay_over(struct run *, struct joint *, const char *donor);

/* Objects of a borrowed image that can be pasted. */
struct pasteable {
    const struct kept_object **at;
    size_t n;
};
/* Settings for pasting objects of a borrowed image over the image itself, whose run is `own`. */
struct paste_settings {
    const struct run *own;
    const struct donors *donors;
    const struct steps *donor_transforms;
    struct names categories; /* of objects that can be pasted; empty: all */
    bool by_box;             /* also objects without segmentation: their whole box */
    int blending, labels;    /* enum edge_blend, enum hidden_rule */
    /* Fits the borrowed image, and sets its place on the image. */
    void (*place)(struct run *, const struct paste_settings *, struct input *);
    /* Draws which objects to paste: sets their flags, which are false before. */
    void (*choose)(struct run *, const struct paste_settings *, const struct pasteable *,
                   bool *chosen);
    const void *context; /* the transform's own */
};
void emit_pasted(struct run *, const struct paste_settings *);

/* How a side's length is rounded to whole pixels. */
enum rounding { ROUNDING_DOWN, ROUNDING_HALF_UP, ROUNDING_HALF_EVEN, ROUNDING_UP };
extern const struct choice rounding_choices[];
/* clang-format off */
#define ROUNDING_ROW(S, word)                                                                      \
    CHOICE(S, rounding, .preset = (word), .choices = rounding_choices,                             \
           .help = "how to round a side's length to whole pixels")
/* clang-format on */
/* Returns a rounded length, at most 10^9, which no image reaches. */
int rounded_side(double length, int rounding);

/* Proportional resizing by one side: parameters of LongestMaxSize and SmallestMaxSize. */
struct side_params {
    struct optional_list max_size, max_size_hw;
    int rounding, interpolation;
    bool antialias;
};
extern const struct row side_rows[];
bool side_check(const void *params, const struct value *step, struct faults *);
/* Emits the resize. With `longest`, the whole image fits into the bounds; otherwise it covers them.
 */
void side_draw(struct run *, bool longest);

/* --- rows that several transforms share --- */

/* clang-format off */
#define BLUR_LIMIT_ROW(S)                                                                          \
    LIST(S, blur_limit, .ends = true, .preset = "[3, 7]", .least = 1, .most = 2, .whole = true, .odd = true,     \
         .unit = "pixels", .limit = { 3, 255 }, .usual = { 3, 15 }, .scalar = SCALAR_FROM_3,       \
         .help = "range of the odd kernel size, inclusive; v means [3, v], as in Albumentations")
#define QUALITY_ROW(S, f, ...)                                                                     \
    LIST(S, f, .ends = true, .least = 1, .most = 2, .whole = true, .limit = { 1, 100 }, .usual = { 5, 95 },      \
         .help = "range of the quality, inclusive, or one number: 1 (worst) to 100",               \
         __VA_ARGS__)
/* clang-format on */
/* `differs` of transforms with a plasma fractal. */
#define PLASMA_DIFFERS                                                                             \
    "only `roughness` sets how strong each octave of the fractal is (Albumentations also "         \
    "stretches the sum to 0..1 after each octave, so that with values above 1 the finest grain "   \
    "counts even more); the fractal wraps around"

/* Returns a sample of the normal distribution, mean 0, deviation 1, truncated to -1..1 by drawing
 * again. */
double draw_truncated_normal(struct run *);
/* Returns a random key for an op that makes noise: one of 2^32. */
int64_t draw_key(struct run *);
/* Returns a random key if the paint is random, or with `noise`; else 0, without drawing. */
int64_t draw_paint_key(struct run *, const struct paint *, bool noise);
/* True if a list of one or two numbers is in order as a range; else adds a fault. */
bool ordered_check(const struct list *, const char *name, const struct value *step,
                   struct faults *);
/* True if four numbers [left, top, right, bottom] are in order; else adds a fault. */
bool roi_check(const struct list *, const char *name, const struct value *step, struct faults *);
/* Draws an integer from such a range, inclusive; draw_odd draws an odd one between odd ends. */
int draw_whole(struct run *, const struct list *);
int draw_odd(struct run *, const struct list *);

/* Returns a grid of normal displacements with deviation 1, in the run's arena. */
struct grid random_grid(struct run *, int rows, int columns);
