/* op: what a file of ops/ may see. An op is one of torchvision's functionals with concrete values:
 * it resolves them into an action of one family, and the family's kernels do the work on every
 * target. So an op is a parameter table and a few lines, and targets cannot disagree.
 *
 * An op never draws. One that needs noise is given a drawn integer `key`. */
#pragma once

#include "steps/op_shared/catalogue.h"
#include "param/param.h"
#include "pixels/plane.h"
#include "sample/sample.h"

/* What an action does to pixels. A compiler of plans knows families, not ops; plan/join and
 * plan/composed_map say how each is composed with its neighbours. */
enum family {
    FAMILY_NOTHING,  /* in this case there is nothing to do */
    FAMILY_INDEX,    /* whole pixels change places: crop, pad, flips, quarter turns */
    FAMILY_MATRIX,   /* a warp by a 3x3 matrix */
    FAMILY_RESAMPLE, /* a resize: separable, antialiased */
    FAMILY_FIELD,    /* a warp by a displacement field */
    FAMILY_ALIGN,    /* means of samples in the cells of a box: separable (RoIAlign) */
    FAMILY_TABLE,    /* a table for each channel */
    FAMILY_COLOURS,  /* a function of one pixel's colours */
    FAMILY_CONVOLVE, /* a separable kernel */
    FAMILY_PAINT,    /* rectangles are painted over */
    FAMILY_RASTER,   /* a function of the whole image, of no other family */
    FAMILY_CONVERT,  /* samples of another type, by a line for each channel */
    FAMILY_MIX,      /* what several lists of drawn ops make of the image is blended */
    FAMILY_JOIN,     /* several images, each made by drawn ops of its own, are laid on a canvas */
};

struct drawn_ops; /* ops with their values: see plan/apply.h */
struct run;       /* emit.h */

/* A function of a whole plane: in and out have the same frame and type, and do not overlap. Planes
 * that it needs beside them are taken from the pool, and given back. */
typedef void raster_fn(const void *context, const struct plane *in, struct plane *out,
                       struct pool *);

/* What an op does to labels alone, by its parameters. False, with the reason, when it cannot be
 * done to these. */
typedef bool label_fn(const void *params, const struct rules *, struct sample *, struct text *why);

/* How an input of FAMILY_JOIN lies on the canvas. */
struct lay {
    struct rect part; /* of the canvas, which it may leave; as large as the input */
    double opacity;
    const struct rle *cut_out; /* what of the canvas shows it; NULL: all that it lies on */
    const struct box *boxes;   /* of the objects that are cut out, on the canvas */
    size_t n_boxes;
    bool feathered; /* the edge of that */
    bool borrowed;
    size_t record;           /* of the dataset, if it is borrowed */
    struct mask_source mask; /* its label mask, if it is borrowed and has one */
};

/* Do its actions make one image of several? */
static inline bool family_joins(enum family family)
{
    return family == FAMILY_MIX || family == FAMILY_JOIN;
}

/* Resolved; lives in the sample's arena. `map` moves all labels, and moves pixels too unless the
 * family says otherwise; families that only recolour leave it alone. */
struct action {
    enum family family;
    struct frame in, out;
    int channels;         /* of the result; only FAMILY_COLOURS may change it */
    enum pixel_type type; /* of the result; only FAMILY_CONVERT may change it */
    struct map map;
    struct fill fill; /* FAMILY_INDEX, FAMILY_MATRIX, FAMILY_FIELD, FAMILY_PAINT: in the plane's own
                         scale */
    int32_t fill_mask; /* FAMILY_INDEX, FAMILY_MATRIX, FAMILY_FIELD: the label of what comes from
                          outside */
    /* FAMILY_PAINT, FAMILY_RASTER: what it does to label masks, in their own values; NULL: nothing.
     */
    const struct action *mask;
    label_fn *labels; /* or NULL */
    const void *labels_context;
    /* FAMILY_TABLE, FAMILY_COLOURS: the same function short of rounding and clamping, if it is a
     * linear one. */
    const struct colour_matrix *linear;
    union {
        struct {
            const int32_t *col, *row; /* as map's, but mirrored borders have an index too */
            bool swap;
        } index;
        struct {
            enum interpolation interpolation;
        } matrix;
        struct {
            enum interpolation interpolation;
            bool antialias;
            struct frame whole; /* what all of the input becomes: the output is the part of it */
            int left, top;      /* that begins here */
        } resample;
        struct {
            enum interpolation interpolation;
        } field; /* which is the map's */
        struct {
            int across, down; /* samples in each cell, which is the map's of an output pixel */
        } align;
        struct {
            const void *entries; /* see plane_table; NULL: the bits say what becomes of a level */
            struct sample_bits bits; /* see plane_bits; only without entries */
        } table;
        struct {
            colour_fn *fn;
            const void *context;
        } colours;
        struct {
            const float *x, *y;
            int nx, ny;
        } kernel;
        struct {
            struct rects rects; /* may lie outside; later ones are painted over earlier ones */
            enum paint_method method; /* other noise or another colour in each */
            uint32_t key;
            enum hidden_rule labels;
        } paint;
        struct {
            raster_fn *fn;
            const void *context;
        } raster;
        struct plane_lines convert;
        struct {
            const struct drawn_ops *input; /* labels and label masks go by the first */
            const float *weight;           /* of each; their sum is 1 */
            size_t n;
        } mix;
        struct {
            const struct drawn_ops *input;
            const struct lay *lay; /* how each lies on the canvas; the first one lowest */
            size_t n;
        } join;
    } u;
};

/* How an image's colours are spread, on the 0..255 scale: their means and covariances, those of a
 * whole population. Of gray images only the first colour's; the others are 0. */
struct colour_moments {
    double mean[3], covariance[3][3];
};

/* What an op may know when it resolves. */
struct scene {
    struct frame frame;
    enum pixel_type type;
    int channels;
    double luma; /* mean luma on the 0..255 scale; only with NEEDS_LUMA */
    /* Pixels at each level of each colour channel, channel after channel; only with
     * NEEDS_HISTOGRAM.
     */
    const uint32_t *histogram;
    const struct colour_moments *moments; /* only with NEEDS_COVARIANCE */
    struct arena *arena;
    struct text *why; /* where to say why resolve returned false, in one line */
};

/* EFFECT_MIRRORS: its maps may turn left to right, whatever its parameters (a perspective's corners
 * can make it a mirror, too, but that is no use that is foreseen). */
enum op_effect {
    EFFECT_MOVES = 1,
    EFFECT_RECOLOURS = 2,
    EFFECT_HIDES = 4,
    EFFECT_RELABELS = 8,
    EFFECT_MIRRORS = 16
};
/* An op that must see pixels moves nothing, and its actions are of its own family, FAMILY_TABLE or
 * FAMILY_COLOURS, or FAMILY_NOTHING: others are not resolved once more when pixels are seen. */
enum op_need { NEEDS_LUMA = 1, NEEDS_HISTOGRAM = 2, NEEDS_COVARIANCE = 4 };

struct op;

/* How an op of a plugin is checked and resolved: as by `check` and `resolve` of struct op, but
 * these are told which op it is. */
struct op_calls {
    bool (*check)(const struct op *, const void *params, const struct value *step, struct faults *);
    bool (*resolve)(const struct op *, const void *params, const struct scene *, struct action *);
};

struct op {
    const char *name, *summary;
    enum group group;
    enum origin origin;
    const char *differs; /* from what its origin's does, in a line; or NULL */
    const char *example; /* a step, as JSON */
    const struct row *params;
    size_t params_size;
    /* Of its actions, when they do the most: any may turn out to be FAMILY_NOTHING, a FAMILY_MATRIX
     * or FAMILY_RESAMPLE to move whole pixels (FAMILY_INDEX), FAMILY_COLOURS on a gray image to be
     * a FAMILY_TABLE. */
    enum family family;
    bool linear; /* its actions always have `linear`; others may */
    unsigned effect, needs;
    enum subject subject;
    /* Conditions between parameters, when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    /* Fill in the action; in, out = in, the scene's channels and type, the identity map and
     * FAMILY_NOTHING are set already. False, with a reason in scene->why, when it cannot be done to
     * this frame. */
    bool (*resolve)(const void *params, const struct scene *, struct action *);
    /* Expands a compound op into simpler ones, for a sample of this frame; called instead of
     * resolve. With `fan_out` above 1 one sample becomes that many; `branch`, below it, is the one
     * to emit. */
    void (*expand)(const void *params, struct frame, int branch, struct run *);
    /* Returns the largest number of images that a step with these parameters joins: 2 or more. An
     * op has this hook if and only if its `expand` calls emit_join; its family is then FAMILY_JOIN.
     */
    int (*images)(const void *params);
    int fan_out; /* 0 means 1 */
    /* Of one whose samples are as many as the sample that it meets has tiles, objects and so on, in
     * place of `fan_out`: how many at most, by its parameters. */
    int (*most_outputs)(const void *params);
    /* And how many of this sample, of this frame: 0, too. With more than `most_outputs` the sample
     * fails. */
    int64_t (*count_outputs)(const void *params, struct frame, struct run *);
    /* Of an op on labels alone: it does not ask how large the canvas is, which need not be known.
     */
    bool sizeless;
    bool makes_polygons;          /* which segments of panoptic pictures cannot become */
    const char *plugin;           /* the name of the plugin that brings it; or NULL */
    const struct op_calls *calls; /* of such an op, in place of the two above; else NULL */
    const void *entry;            /* and the plugin's own entry, which they know */
};

/* Do the conditions between parameters hold? Else false with faults. */
static inline bool op_check(const struct op *op, const void *params, const struct value *step,
                            struct faults *faults)
{
    if (op->calls)
        return op->calls->check(op, params, step, faults);
    return !op->check || op->check(params, step, faults);
}

static inline bool op_resolve(const struct op *op, const void *params, const struct scene *scene,
                              struct action *action)
{
    return op->calls ? op->calls->resolve(op, params, scene, action)
                     : op->resolve(params, scene, action);
}

/* How many samples it makes of one at most. */
static inline int op_fan_out(const struct op *op, const void *params)
{
    int most = op->most_outputs ? op->most_outputs(params) : op->fan_out;

    return most > 1 ? most : 1;
}
