/* transform: what a file of transforms/ may see. A transform is random policy: from parameter
 * ranges it draws concrete values for one sample and emits ops by name. It never touches a pixel or
 * a box, has no memory of its own to free, and cannot fail. */
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

/* How a transform of a plugin is checked and draws: as by `check` and `draw` of struct transform,
 * but these are told which one it is. */
struct transform_calls {
    bool (*check)(const struct transform *, const void *params, const struct value *step,
                  struct faults *);
    void (*draw)(const struct transform *, struct run *);
};

struct transform {
    const char *name, *summary;
    enum group group;
    enum origin origin;
    const char *differs;      /* from what its origin's does, in a line; or NULL */
    const char *note;         /* which names or defaults other libraries have for the same, which
                                 an import translates, in a line; or NULL. Never beside `differs`. */
    const char *example;      /* a step, as JSON */
    const char *const *emits; /* names of ops it may emit, ended by NULL; NULL for containers. Those
                                 behind one that joins are ops of its inputs. */
    bool one;                 /* a container that does one of its steps at most */
    enum subject subject;
    const struct row *params;
    size_t params_size;
    double chance; /* the default of `p`; 0 means 1: always */
    /* Of one that joins images: how many at most; may be NULL for others. */
    int (*images)(const void *params);
    /* Conditions between parameters, when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    void (*draw)(struct run *);
    const char *plugin;                  /* the name of the plugin that brings it; or NULL */
    const struct transform_calls *calls; /* of such a one, in place of the two above; else NULL */
    const void *entry;                   /* and the plugin's own entry, which they know */
};

/* Do the conditions between parameters hold? Else false with faults. */
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

/* --- what is on the sample --- */

/* A pixel of the objects that run_objects finds, each as likely: of their segmentations, or of the
 * boxes of those that have none. Where there are no objects, of the label mask as it is now, if
 * there is one: one whose label is neither 0 nor in `ignore`. False when there is none, or the mask
 * cannot be read. */
bool run_pixel_of_objects(struct run *, const struct list *ignore, int *x, int *y);

/* The pixels of n objects, each covered by its segmentation, or by its box where it has none, as
 * rectangles that do not overlap; in the arena. */
struct rects run_cover(struct run *, const struct seen *const *, size_t n);

/* How many keypoints of an object are labelled. */
int seen_keypoints(const struct seen *);
/* The places of those labelled keypoints of an object whose names are listed, in the arena; `n` of
 * them. */
const struct point *run_named_keypoints(struct run *, const struct seen *, const struct names *,
                                        size_t *n);

/* The text of a member of its annotation, as steps before have left it, in the arena; NULL where it
 * has none. */
const char *seen_text(struct run *, const struct seen *, const char *key);

/* How wide a text is in the font that --font names, in em squares; 0 where there is none. */
double run_text_width(struct run *, const char *text);

/* The first object that has a box and is no crowd; NULL when there is none. */
const struct seen *run_first_object(struct run *);
/* What a picture of one object is to show: what run_set_region said, moved with the image since;
 * before, the box of the first object, its sides multiplied by 1.25 as by MMPose's
 * GetBBoxCenterScale; without objects, the whole image. */
struct region run_region(struct run *);
/* Its sides become 1 pixel at least. */
void run_set_region(struct run *, const struct region *);

/* How the labels of a window share its pixels; those with the label `except` (-1: none) do not
 * count. */
struct label_shares {
    int labels;     /* how many labels it shows */
    double largest; /* the share of the one that it shows most */
};
/* Of a window inside of the label mask as it is now. False when there is no mask, or it cannot be
 * read. */
bool run_label_shares(struct run *, struct rect, int except, struct label_shares *);

/* clang-format off */
#define CROP_SIDE_ROWS(S, whose)                                                                   \
    INTEGER(S, height, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 16, 40 },               \
            .help = "rows " whose),                                                                \
    INTEGER(S, width, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 16, 40 },                \
            .help = "columns " whose)
#define EROSION_RATE_ROW(S)                                                                        \
    NUMBER(S, erosion_rate, .preset = "0", .limit = { 0, 1 },                                      \
           .help = "the share of the width, and of the height, of all boxes together that the "    \
                   "window may cut off, half of it at each end; without boxes, of the image's")
#define CROP_BORDER_ROW(S)                                                                         \
    FLAG(S, crop_border, .preset = "false",                                                        \
         .help = "then cut out the largest upright window that shows nothing from outside")
/* clang-format on */

/* A window of whole pixels. */
struct window {
    int top, left, height, width;
};
void emit_crop(struct run *, const struct window *);
/* Crops an image that was rotated on its canvas to the largest upright window about the middle
 * whose pixels are wholly inside the rotated image; to 1 pixel or 2 if there is none. */
void emit_without_border(struct run *, double degrees);
/* Refuse a crop that is larger than the image; true when it fits. */
bool crop_fits(struct run *, int height, int width);
/* A window like albumentations' box-safe ones: it reaches from somewhere before all boxes to
 * somewhere behind them; `erosion` (0..1) is the share of their extent that it may lose. Without
 * boxes, a window of the image's aspect ratio whose sides are 1 - erosion to 1 of the image's. */
struct window draw_safe_window(struct run *, double erosion);

/* --- emitting, beside what emit.h has --- */

/* permute_channels in random order; nothing, and nothing drawn, for gray images. */
void emit_permutation(struct run *);

/* --- what several transforms share --- */

/* A resize to these sides, or to 1 pixel where one is less, with the step's RESIZE_ROWS. */
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
           .help = "where on the larger canvas the image lies")
/* clang-format on */
/* Pad to a canvas of this size, or of the image's own where that is larger. In the middle, an odd
 * pixel goes to the right or the bottom. The other parameters of pad are the step's. */
void emit_canvas(struct run *, struct frame, int position);

/* Fitting an image into a frame, for transforms that join images. */
enum fit_mode { FIT_COVER, FIT_CONTAIN };
extern const struct choice fit_choices[];
/* clang-format off */
#define FIT_ROW(S)                                                                                 \
    CHOICE(S, fit_mode, .preset = "\"cover\"", .choices = fit_choices,                             \
           .help = "how an image of another size or other proportions is fitted in")
/* clang-format on */
/* A resize in proportion, and then a crop at a random place, or (contain) a border on both sides;
 * the other parameters of resize and pad are the step's. */
void emit_fit(struct run *, struct frame, int fit_mode);
/* What a borrowed image goes through first: it becomes like the image itself, whose run is `own`,
 * and then the step's donor_transforms are done. `before` tells the inputs of one draw apart. */
void emit_borrowed(struct run *, const struct run *own, const struct steps *donor_transforms,
                   size_t before);

/* `images` of a transform that borrows one image. */
int two_images(const void *params);
/* The joint becomes the image itself with the borrowed one over it, whose input is returned; in
 * the run's arena. */
struct input *joint_lay_over(struct run *, struct joint *, const char *donor);

/* Objects of a borrowed image that can be pasted. */
struct pasteable {
    const struct seen **at;
    size_t n;
};
/* How a transform pastes objects of a borrowed image over the image itself, whose run is `own`. */
struct pasting {
    const struct run *own;
    const struct donors *donors;
    const struct steps *donor_transforms;
    struct names categories; /* of objects that can be pasted; none: of all */
    bool by_box;             /* objects without segmentation, too: all of their box */
    int blending, labels;    /* enum blending, enum hidden_rule */
    /* Fits the borrowed image in, and says where on the image it begins. */
    void (*place)(struct run *, const struct pasting *, struct input *);
    /* Draws which are pasted: sets a flag for each, unset before. */
    void (*choose)(struct run *, const struct pasting *, const struct pasteable *, bool *chosen);
    const void *context; /* the transform's own */
};
void emit_pasted(struct run *, const struct pasting *);

/* How a length of a side becomes whole pixels. */
enum rounding { ROUNDING_DOWN, ROUNDING_HALF_UP, ROUNDING_HALF_EVEN, ROUNDING_UP };
extern const struct choice rounding_choices[];
/* clang-format off */
#define ROUNDING_ROW(S, word)                                                                      \
    CHOICE(S, rounding, .preset = (word), .choices = rounding_choices,                             \
           .help = "how a length of a side becomes whole pixels")
/* clang-format on */
/* At most 10^9, which no image has. */
int rounded_side(double length, int rounding);

/* Resizing by one side, in proportion: parameters of LongestMaxSize and SmallestMaxSize. */
struct side_params {
    struct optional_list max_size, max_size_hw;
    int rounding, interpolation;
    bool antialias;
};
extern const struct row side_rows[];
bool side_check(const void *params, const struct value *step, struct faults *);
/* With `longest` all of the image fits into the bounds; else it covers them. */
void side_draw(struct run *, bool longest);

/* --- rows that several transforms share --- */

/* clang-format off */
#define BLUR_LIMIT_ROW(S)                                                                          \
    LIST(S, blur_limit, .ends = true, .preset = "[3, 7]", .least = 1, .most = 2, .whole = true, .odd = true,     \
         .unit = "pixels", .limit = { 3, 255 }, .usual = { 3, 15 }, .scalar = SCALAR_FROM_3,       \
         .help = "range of the kernel's size, odd, both ends included; v means [3, v], as in " \
                 "Albumentations")
#define QUALITY_ROW(S, f, ...)                                                                     \
    LIST(S, f, .ends = true, .least = 1, .most = 2, .whole = true, .limit = { 1, 100 }, .usual = { 5, 95 },      \
         .help = "range of the quality, both ends included, or one number: 1 (worst) to 100",      \
         __VA_ARGS__)
/* clang-format on */
/* `differs` of transforms that are made of a plasma fractal. */
#define PLASMA_DIFFERS                                                                             \
    "octaves of the fractal differ in strength by `roughness` alone (Albumentations stretches it " \
    "to 0..1 after each, too, so that above 1 the finest grain counts even more); it wraps around"

/* Normal, with mean 0 and deviation 1, again until it is between -1 and 1. */
double draw_truncated_normal(struct run *);
/* For an op that makes noise: any of 2^32. */
int64_t draw_key(struct run *);
/* One for paint that is random; else 0, and nothing is drawn. */
int64_t draw_paint_key(struct run *, const struct paint *, bool noise);
/* A list of one or two numbers as a range: are they in order? False with a fault. */
bool ordered_check(const struct list *, const char *name, const struct value *step,
                   struct faults *);
/* Four numbers as [left, top, right, bottom]: are they in order? False with a fault. */
bool roi_check(const struct list *, const char *name, const struct value *step, struct faults *);
/* An integer from such a list, both ends included; between odd ends an odd one. */
int draw_whole(struct run *, const struct list *);
int draw_odd(struct run *, const struct list *);

/* A grid whose displacements are normal with deviation 1, in the run's arena. */
struct grid random_grid(struct run *, int rows, int columns);
