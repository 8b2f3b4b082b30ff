/* op: the interface of the files in ops/. An op is one of torchvision's functionals with concrete
 * values. It resolves these values into an action of one family, and the family's kernels apply the
 * action to every target. So an op is a parameter table and a few lines, and all targets agree.
 *
 * An op never uses random numbers. An op that makes noise has a parameter `key`, a random integer
 * that a transform chose. */
#pragma once

#include "steps/op_shared/catalogue.h"
#include "param/param.h"
#include "pixels/plane.h"
#include "sample/sample.h"

/* Kinds of actions on pixels. A compiler of plans knows only families, not ops. plan/join and
 * plan/composed_map say how each family is composed with adjacent ones. */
enum family {
    FAMILY_NOTHING,  /* nothing to do for this image */
    FAMILY_INDEX,    /* moves whole pixels: crop, pad, flips, quarter turns */
    FAMILY_MATRIX,   /* a warp by a 3x3 matrix */
    FAMILY_RESAMPLE, /* a resize: separable, antialiased */
    FAMILY_FIELD,    /* a warp by a displacement field */
    FAMILY_ALIGN,    /* means of samples in the cells of a box: separable (RoIAlign) */
    FAMILY_TABLE,    /* a lookup table for each channel */
    FAMILY_COLOURS,  /* a function of one pixel's colours */
    FAMILY_CONVOLVE, /* a separable kernel */
    FAMILY_PAINT,    /* paints rectangles */
    FAMILY_RASTER,   /* a function of the whole image that fits no other family */
    FAMILY_CONVERT,  /* samples of another type, by a linear function per channel */
    FAMILY_MIX,      /* blends the results of several lists of resolved ops on the image */
    FAMILY_JOIN,     /* composites several images, each made by its own resolved ops, on a canvas */
};

struct resolved_ops; /* resolved ops with their values: see plan/apply.h */
struct run;          /* emit.h */

/* A function of a whole plane: in and out have the same frame and type, and do not overlap.
 * Additional planes are taken from the pool and returned to it. */
typedef void raster_fn(const void *context, const struct plane *in, struct plane *out,
                       struct pool *);

/* Changes labels alone, by an op's parameters. Returns false with the reason if it cannot be
 * applied to them. */
typedef bool label_fn(const void *params, const struct rules *, struct sample *, struct text *why);

/* The placement of an input of FAMILY_JOIN on the canvas. */
struct lay {
    struct rect part; /* its area on the canvas, in the input's size; may exceed the canvas */
    double opacity;
    const struct rle *cut_out; /* the part of the canvas that shows it; NULL: its whole area */
    const struct box *boxes;   /* of the objects that are cut out, on the canvas */
    size_t n_boxes;
    bool feathered; /* the edge of the cut-out is feathered */
    bool borrowed;
    size_t record;           /* index in the dataset, if borrowed */
    struct mask_source mask; /* its label mask, if it is borrowed and has one */
};

/* True if the family's actions make one image of several. */
static inline bool family_joins(enum family family)
{
    return family == FAMILY_MIX || family == FAMILY_JOIN;
}

/* A resolved op; in the sample's arena. `map` moves all labels, and also pixels unless the family
 * says otherwise; families that only recolor do not use it. */
struct action {
    enum family family;
    struct frame in, out;
    int channels;         /* of the result; only FAMILY_COLOURS may change it */
    enum pixel_type type; /* of the result; only FAMILY_CONVERT may change it */
    struct map map;
    struct fill fill; /* FAMILY_INDEX, FAMILY_MATRIX, FAMILY_FIELD, FAMILY_PAINT: on the plane's own
                         scale */
    int32_t fill_mask; /* FAMILY_INDEX, FAMILY_MATRIX, FAMILY_FIELD: label of pixels from outside */
    /* FAMILY_PAINT, FAMILY_RASTER: the action on label masks, in their own values; NULL: none. */
    const struct action *mask;
    label_fn *labels; /* or NULL */
    const void *labels_context;
    /* FAMILY_TABLE, FAMILY_COLOURS: the same function without rounding and clamping, if it is
     * linear. */
    const struct colour_matrix *linear;
    union {
        struct {
            const int32_t *col, *row; /* as in map, but mirrored borders have an index too */
            bool swap;
        } index;
        struct {
            enum interpolation interpolation;
        } matrix;
        struct {
            enum interpolation interpolation;
            bool antialias;
            struct frame
                whole; /* size to which the whole input is resized; the output is a part of it */
            int left, top; /* where that part begins */
        } resample;
        struct {
            enum interpolation interpolation;
        } field; /* the map's field */
        struct {
            int across, down; /* samples per cell; a cell is an output pixel by the map */
        } align;
        struct {
            const void *entries;     /* see plane_table; NULL: use the bits */
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
            struct rects rects; /* may exceed the image; later ones are painted over earlier ones */
            enum paint_method method; /* noise and colors differ between rectangles */
            uint32_t key;
            enum hidden_rule labels;
        } paint;
        struct {
            raster_fn *fn;
            const void *context;
        } raster;
        struct plane_lines convert;
        struct {
            const struct resolved_ops *input; /* labels and label masks use the first */
            const float *weight;              /* one per input; their sum is 1 */
            size_t n;
        } mix;
        struct {
            const struct resolved_ops *input;
            const struct lay *lay; /* placement of each input; the first one is lowest */
            size_t n;
        } join;
    } u;
};

/* Means and covariances of an image's colors, on the 0..255 scale, over the whole population. Gray
 * images have only those of the first color; the others are 0. */
struct colour_moments {
    double mean[3], covariance[3][3];
};

/* The image, as far as an op may know it when it resolves. */
struct scene {
    struct frame frame;
    enum pixel_type type;
    int channels;
    double luma; /* mean luma on the 0..255 scale; only with NEEDS_LUMA */
    /* Number of pixels at each level of each color channel, one channel after the other; only with
     * NEEDS_HISTOGRAM. */
    const uint32_t *histogram;
    const struct colour_moments *moments; /* only with NEEDS_COVARIANCE */
    struct arena *arena;
    struct text *why; /* the reason, in one line, why resolve returns false */
};

/* Ways in which an op may change a sample. EFFECT_MIRRORS: its maps may exchange left and right for
 * some parameters. (The corners of a perspective can do so too, but that is not intended.)
 * EFFECT_TURNS: its maps may do more than shift, scale and mirror along the axes. */
enum op_effect {
    EFFECT_MOVES = 1,
    EFFECT_RECOLOURS = 2,
    EFFECT_HIDES = 4,
    EFFECT_RELABELS = 8,
    EFFECT_MIRRORS = 16,
    EFFECT_TURNS = 32
};
/* Measurements of the image that an op needs before it resolves. Such an op moves nothing. Its
 * actions are of its own family, FAMILY_TABLE or FAMILY_COLOURS, or FAMILY_NOTHING, since other
 * families are not resolved again after pixels were measured. */
enum op_need { NEEDS_LUMA = 1, NEEDS_HISTOGRAM = 2, NEEDS_COVARIANCE = 4 };

/* A change of classes by their names, for the list of classes of the outputs; see plan/class_steps.
 * CLASSES_MOVED: objects of from[i] become to[i], or to[0] if that is the only one; without `from`,
 * any object may become to[i]. CLASSES_DROPPED: objects of from[i] are dropped. CLASSES_RENAMED:
 * the list has to[i] in place of from[i]. */
enum class_effect { CLASSES_MOVED, CLASSES_DROPPED, CLASSES_RENAMED };
struct class_change {
    enum class_effect effect;
    struct names from, to;
};

struct op;

/* Functions that check and resolve an op of a plugin. They replace `check` and `resolve` of struct
 * op, and also receive the op. */
struct op_calls {
    bool (*check)(const struct op *, const void *params, const struct value *step, struct faults *);
    bool (*resolve)(const struct op *, const void *params, const struct scene *, struct action *);
};

struct op {
    const char *name, *summary;
    enum group group;
    enum origin origin;
    const char *differs; /* differences from the origin's behavior, in one line; or NULL */
    const char *example; /* a step as JSON */
    const struct row *params;
    size_t params_size;
    /* The most general family of its actions. FAMILY_NOTHING may replace it; FAMILY_INDEX, if a
     * FAMILY_MATRIX or FAMILY_RESAMPLE moves whole pixels; FAMILY_TABLE, if FAMILY_COLOURS gets a
     * gray image. */
    enum family family;
    bool linear; /* all its actions have `linear`; other ops' actions may have it */
    unsigned effect, needs;
    enum subject subject;
    /* Checks conditions between parameters when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    /* Fills in the action. Already set: in, out = in, the scene's channels and type, the identity
     * map and FAMILY_NOTHING. Returns false with a reason in scene->why if the op cannot be applied
     * to this frame. */
    bool (*resolve)(const void *params, const struct scene *, struct action *);
    /* Expands a compound op into simpler ones, for a sample of this frame; called instead of
     * resolve. With `fan_out` above 1, one sample becomes that many samples; `branch`, below
     * fan_out, says which one to emit. */
    void (*expand)(const void *params, struct frame, int branch, struct run *);
    /* Returns the largest number of images that a step with these parameters joins: 2 or more. An
     * op has this hook if and only if its `expand` calls emit_join; its family is then FAMILY_JOIN.
     */
    int (*images)(const void *params);
    /* Returns how the op changes classes. NULL for ops that change none. */
    struct class_change (*class_change)(const void *params);
    int fan_out; /* 0 means 1 */
    /* Returns the maximum number of samples that one sample becomes, by these parameters. For ops
     * whose number of samples depends on the input's tiles, objects and so on; replaces `fan_out`.
     */
    int (*max_outputs)(const void *params);
    /* Returns how many samples this sample of this frame becomes; may be 0. A sample with more than
     * `max_outputs` fails. */
    int64_t (*count_outputs)(const void *params, struct frame, struct run *);
    /* An op on labels alone that does not need the size of the canvas, which may be unknown. */
    bool sizeless;
    bool makes_polygons; /* turns segments into polygons, which panoptic pictures cannot hold */
    const char *plugin;  /* name of the plugin that provides it; or NULL */
    const struct op_calls *calls; /* of a plugin's op, instead of check and resolve; else NULL */
    const void *entry;            /* the plugin's own entry, for `calls` */
};

/* True if the conditions between parameters hold; else adds faults. */
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

/* Returns the maximum number of samples that one sample becomes. */
static inline int op_fan_out(const struct op *op, const void *params)
{
    int max = op->max_outputs ? op->max_outputs(params) : op->fan_out;

    return max > 1 ? max : 1;
}
