/* op: what a file of ops/ may see. An op is one of torchvision's functionals with concrete values:
 * it resolves them into an action of one family, and the family's kernels do the work on every
 * target. So an op is a parameter table and a few lines, and targets cannot disagree.
 *
 * An op never draws. One that needs noise is given a drawn integer `key`. */
#pragma once

#include "emit.h"
#include "geom/grid.h"
#include "pixels/plane.h"
#include "sample/sample.h"

/* What an action does to pixels. A compiler of plans knows families, not ops; plan/join and
 * plan/route say how each is composed with its neighbours. */
enum family {
    NOTHING,  /* in this case there is nothing to do */
    INDEX,    /* whole pixels change places: crop, pad, flips, quarter turns */
    MATRIX,   /* a warp by a 3x3 matrix */
    RESAMPLE, /* a resize: separable, antialiased */
    FIELD,    /* a warp by a displacement field */
    TABLE,    /* a table for each band */
    COLOURS,  /* a function of one pixel's colours */
    CONVOLVE, /* a separable kernel */
    PAINT,    /* rectangles are painted over */
    RASTER,   /* a function of the whole image, of no other family */
    CONVERT,  /* samples of another type, by a line for each band */
    JOIN,     /* several images, made of this one by drawings of their own, become one */
};

struct drawing; /* ops with their values: see plan/apply.h */

/* A function of a whole plane: in and out have the same frame and type, and do not overlap. Planes
 * that it needs beside them are taken from the pool, and given back. */
typedef void raster_fn(const void *context, const struct plane *in, struct plane *out,
                       struct pool *);

/* What an op does to labels alone, by its parameters. */
typedef void label_fn(const void *params, const struct rules *, struct sample *);

/* Resolved; lives in the sample's arena. `map` moves all labels, and moves pixels too unless the
 * family says otherwise; families that only recolour leave it alone. */
struct action {
    enum family family;
    struct frame in, out;
    int bands;            /* of the result; only COLOURS may change it */
    enum pixel_type type; /* of the result; only CONVERT may change it */
    struct map map;
    struct fill fill;  /* INDEX, MATRIX, FIELD, PAINT: in the plane's own scale */
    int32_t fill_mask; /* INDEX, MATRIX, FIELD: the label of what comes from outside */
    /* PAINT, RASTER: what it does to label masks, in their own values; NULL: nothing. */
    const struct action *mask;
    label_fn *labels; /* or NULL */
    const void *labels_context;
    /* TABLE, COLOURS: the same function short of rounding and clamping, if it is a linear one. */
    const struct colour_matrix *linear;
    union {
        struct {
            const int32_t *col, *row; /* as map's, but mirrored borders have an index too */
            bool swap;
        } index;
        struct {
            enum taps taps;
        } matrix;
        struct {
            enum taps taps;
            bool antialias;
        } resample;
        struct {
            enum taps taps;
        } field; /* which is the map's */
        struct {
            const void *entries; /* see plane_table */
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
            bool noise;         /* instead of the fill, other noise in each */
            uint32_t key;
            enum hidden_rule labels;
        } paint;
        struct {
            raster_fn *fn;
            const void *context;
        } raster;
        struct plane_lines convert;
        struct {
            const struct drawing *input; /* labels and label masks go by the first */
            const float *weight;         /* of each; their sum is 1 */
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
    int bands;
    double luma; /* mean luma on the 0..255 scale; only when the op needs LUMA */
    /* Pixels at each level of each colour band, band after band; only when it needs HISTOGRAM. */
    const uint32_t *histogram;
    const struct colour_moments *moments; /* only when it needs COVARIANCE */
    struct arena *arena;
    struct text *why; /* where to say why resolve returned false, in one line */
};

/* MIRRORS: its maps may turn left to right, whatever its parameters (a perspective's corners can
 * make it a mirror, too, but that is no use that is foreseen). */
enum op_effect { MOVES = 1, RECOLOURS = 2, HIDES = 4, RELABELS = 8, MIRRORS = 16 };
/* An op that must see pixels moves nothing, and its actions are of its own family or NOTHING. */
enum op_need { LUMA = 1, HISTOGRAM = 2, COVARIANCE = 4 };

struct op {
    const char *name, *summary;
    const char *example; /* a step, as JSON */
    const struct row *params;
    size_t params_size;
    /* Of its actions, when they do the most: any may turn out to be NOTHING, a MATRIX or RESAMPLE
     * to move whole pixels (INDEX), COLOURS on a gray image to be a TABLE. */
    enum family family;
    bool linear; /* its actions always have `linear`; others may */
    unsigned effect, needs;
    /* Conditions between parameters, when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    /* Fill in the action; in, out = in, the scene's bands and type, the identity map and NOTHING
     * are set already. False, with a reason in scene->why, when it cannot be done to this frame. */
    bool (*resolve)(const void *params, const struct scene *, struct action *);
    /* Instead of resolve, for an op that others say: emit them for a sample of this frame. With
     * `fan`, it makes so many samples of one, and `branch` (below it) says which is meant. */
    void (*unfold)(const void *params, struct frame, int branch, struct run *);
    int fan; /* 0 stands for 1 */
};

/* --- rows and words that several ops share --- */

extern const struct choice taps_choices[]; /* nearest, bilinear */
extern const struct choice
    resize_choices[];                       /* nearest, nearest-exact, bilinear, bicubic, lanczos */
extern const struct choice dtype_choices[]; /* uint8, uint16, float32: enum pixel_type */
extern const struct choice between_choices[]; /* enum between */
extern const struct choice lens_choices[];    /* camera, fisheye */
enum lens { LENS_CAMERA, LENS_FISHEYE };
extern const struct choice hidden_choices[];  /* keep, shrink: enum hidden_rule */
extern const struct choice padding_choices[]; /* constant, edge, reflect, symmetric */
enum padding_mode { PADDING_CONSTANT, PADDING_EDGE, PADDING_REFLECT, PADDING_SYMMETRIC };

/* clang-format off */
#define FILL_ROWS(S)                                                                               \
    COLOUR(S, fill, .preset = "0",                                                                 \
           .help = "value of pixels from outside: a number for all colour bands, or one a band "   \
                   "(three on a gray image: their luma); alpha becomes 0 unless a value for it "   \
                   "is given"),                                                                    \
    INTEGER(S, fill_mask, .preset = "0", .limit = { 0, 65535 },                                    \
            .help = "label of mask pixels from outside")
#define HIDE_ROWS(S)                                                                               \
    OPTIONAL(S, fill_mask, .preset = "null", .whole = true, .limit = { 0, 65535 },                 \
             .help = "label of mask pixels that are painted over; null: they keep theirs"),        \
    CHOICE(S, labels, .preset = "\"keep\"", .choices = hidden_choices,                             \
           .help = "what becomes of objects that are painted over, beside their visibility and "   \
                   "that of keypoints, which become 1 (labelled, not visible)")
#define DROPOUT_ROWS(S)                                                                            \
    COLOUR(S, fill, .preset = "0", .help = "the paint: a number, or one a band"),                  \
    FLAG(S, noise, .preset = "false",                                                              \
         .help = "uniform noise over the full range instead of `fill`"),                           \
    HIDE_ROWS(S)
#define KEY_ROW(S)                                                                                 \
    WHOLE(S, key, .preset = "0", .limit = { 0, 4294967295 },                                       \
          .help = "what the noise is made from: equal keys, equal noise")
#define SPECKLE_ROWS(S)                                                                            \
    NUMBER(S, dropout_prob, .preset = "0.01", .limit = { 0, 1 }, .usual = { 0.01, 0.3 },           \
           .help = "each pixel's chance to be painted over"),                                      \
    FLAG(S, per_channel, .preset = "false", .help = "each band of a pixel has its own chance"),    \
    COLOUR(S, drop_value, .preset = "0",                                                           \
           .help = "the paint: a number, one a band, or null for random values"),                  \
    OPTIONAL(S, mask_drop_value, .preset = "null", .whole = true, .limit = { 0, 65535 },           \
             .help = "label of mask pixels where the image is painted over; null: they keep "      \
                     "theirs; not with `per_channel`")
#define SANITIZE_ROWS(S)                                                                           \
    NUMBER(S, min_size, .preset = "1", .unit = "pixels", .limit = { 1, INFINITY },                 \
           .help = "drop objects whose box has a shorter side; a box that reaches beyond the "     \
                   "image counts with its part inside (torchvision drops it)"),                    \
    NUMBER(S, min_area, .preset = "1", .unit = "pixels^2", .limit = { 1, INFINITY },               \
           .help = "drop objects whose box has a smaller area")
#define MIN_KEYPOINTS_ROW(S)                                                                       \
    OPTIONAL(S, min_keypoints, .preset = "null", .whole = true, .limit = { 1, 1000 },              \
             .help = "drop objects that had labelled keypoints and have fewer in the image; null: " \
                     "those that have lost any, as torchvision")
#define TAPS_ROW(S) TAPS_ROW_OF(S, "\"nearest\"")
#define BLEND_ROW(S) TAPS_ROW_OF(S, "\"bilinear\"")
#define TAPS_ROW_OF(S, word)                                                                       \
    CHOICE(S, interpolation, .preset = (word), .choices = taps_choices,                            \
           .help = "how pixels between pixels are made")
/* What ops and transforms that displace have in common. */
#define FIELD_ROWS(S)                                                                              \
    CHOICE(S, interpolation, .preset = "\"bilinear\"", .choices = taps_choices,                    \
           .help = "how pixels between pixels are made; label masks always take the nearest"),     \
    FILL_ROWS(S)
#define RESIZE_ROWS(S)                                                                             \
    CHOICE(S, interpolation, .preset = "\"bilinear\"", .choices = resize_choices,                  \
           .help = "how pixels between pixels are made; label masks always take the nearest"),     \
    FLAG(S, antialias, .preset = "true",                                                           \
         .help = "widen the filter when shrinking, so that nothing is skipped")
#define CHANNELS_ROW(S)                                                                            \
    INTEGER(S, num_output_channels, .preset = "1", .limit = { 1, 3 },                              \
            .help = "1, or 3 for three equal bands; alpha is kept beside them")
#define CROP_ROWS(S)                                                                               \
    INTEGER(S, top, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { -8, 24 },         \
            .help = "first row; may lie outside of the image"),                                    \
    INTEGER(S, left, .unit = "pixels", .limit = { -1000000, 1000000 }, .usual = { -8, 24 },        \
            .help = "first column; may lie outside of the image"),                                 \
    INTEGER(S, height, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },               \
            .help = "rows of the window"),                                                         \
    INTEGER(S, width, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },                \
            .help = "columns of the window")
#define CROP_SIZE_ROW(S)                                                                           \
    SIZE(S, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 48 },                    \
         .help = "[height, width] of the results, or one number for squares")
#define DTYPE_ROWS(S)                                                                              \
    CHOICE(S, dtype, .choices = dtype_choices, .help = "the type of the result's samples"),         \
    FLAG(S, scale, .preset = "false",                                                              \
         .help = "full range stays full range, 0..1 being that of floats; else values stay, as far " \
                 "as the type can hold them (torchvision lets them wrap around)")
#define NORMALIZE_ROWS(S)                                                                          \
    LIST(S, mean, .least = 1, .most = 3, .usual = { 0.2, 0.6 },                                    \
         .help = "taken away; on the scale 0..1, one a colour band or one for all"),               \
    LIST(S, std, .least = 1, .most = 3, .limit = { 0, INFINITY }, .above = true,                   \
         .usual = { 0.1, 0.4 }, .help = "then divided by; likewise")
#define CENTER_ROW(S)                                                                              \
    POINT(S, center, .preset = "null", .unit = "pixels", .usual = { 0, 60 },                       \
          .help = "the point that stays; null: the middle of the image")
#define PADDING_MODE_ROW(S)                                                                        \
    CHOICE(S, padding_mode, .preset = "\"constant\"", .choices = padding_choices,                  \
           .help = "what the border shows; mirrored objects get no labels of their own")
/* clang-format on */

/* Where torchvision's center_crop of `out` begins in a line of `in`: where it is longer, it begins
 * before 0, and as much is missing at the end, or a pixel more. */
int center_crop_begin(int in, int out);

/* Checks that several steps share; false with a fault. */
bool padding_check(const struct list *padding, const struct value *step, struct faults *);
bool expand_check(bool expand, const struct optional_list *center, const struct value *step,
                  struct faults *);
bool max_size_check(const struct size *, const struct optional *max_size, const struct value *step,
                    struct faults *);
bool num_output_channels_check(int channels, const struct value *step, struct faults *);
/* The list `name`: one number for all colour bands, or three. */
bool bands_check(const struct list *, const char *name, const struct value *step, struct faults *);

/* n weights if there are any, with a positive sum; `of` says what they are of. */
bool weights_check(const struct weights *, size_t n, const char *of, const struct value *step,
                   struct faults *);
double weights_sum(const struct weights *);

bool mask_drop_check(bool per_channel, const struct optional *mask_drop_value,
                     const struct value *step, struct faults *);

/* --- actions, built --- */

/* A fill as the plane wants it: scaled to its type, spread over its bands. */
struct fill scene_fill(const struct scene *, const struct colour *);
/* The same for functions of a pixel's colours: on the 0..255 scale, three equal ones for gray. */
void scene_colour(const struct scene *, const struct colour *, float rgb[3]);

/* Pixels (x, y) of a frame of size `out` come from (x + left, y + top) of the input; what is
 * outside is filled. */
void action_window(const struct scene *, struct action *, int top, int left, struct frame out);
/* A flip or quarter turn: `turns` quarter turns counter-clockwise of what was mirrored (left-right)
 * if `mirror`. */
void action_turn(const struct scene *, struct action *, bool mirror, int turns);
/* A warp: forward is input to output. Becomes INDEX when it moves whole pixels, NOTHING when it is
 * the identity. False when it has no inverse. */
bool action_warp(const struct scene *, struct action *, const struct mat3 *forward,
                 struct frame out, enum taps);
/* A displacement field over the scene's frame, which must be its own; NOTHING when nothing is
 * displaced. False when it is displaced by more than a million pixels somewhere. */
bool action_field(const struct scene *, struct action *, const struct field *, enum taps);
/* A resize of the whole frame. taps: NEAREST (pixel centres) to LANCZOS. */
void action_resize(const struct scene *, struct action *, struct frame out, enum taps,
                   bool antialias);
/* A table over the colour values: value_of is asked for each level on the 0..255 scale. */
void action_table(const struct scene *, struct action *,
                  double (*value_of)(const void *context, double level), const void *context);
/* The same for level * factor + offset, which is linear. */
void action_line(const struct scene *, struct action *, double factor, double offset);
/* With a factor and an offset for each colour band, of which gray images take the first. NOTHING
 * when all factors are 1 and all offsets 0. */
void action_lines(const struct scene *, struct action *, const double factor[3],
                  const double offset[3]);
/* The same with a table of its own for each colour band. */
void action_tables(const struct scene *, struct action *,
                   double (*value_of)(const void *context, int band, double level),
                   const void *context);
/* A function of a pixel's colours; context must live as long as the arena. linear: what it is
 * short of rounding and clamping, copied; or NULL. */
void action_colours(const struct scene *, struct action *, colour_fn *, const void *context,
                    const struct colour_matrix *linear);
/* Rectangles of the scene painted over, with the colour or (noise) by the key; mask: the label that
 * they get in label masks, if any. The rectangles must live as long as the arena. */
void action_paint(const struct scene *, struct action *, const struct rects *,
                  const struct colour *, bool noise, int64_t key);
void action_hides(const struct scene *, struct action *, const struct optional *fill_mask,
                  int labels);
/* Labels alone; the parameters must live as long as the arena. */
void action_labels(struct action *, label_fn *, const void *params);
/* A function of a pixel's colours and place; context must live as long as the arena. */
void action_colours_at(const struct scene *, struct action *, place_fn *, const void *context);
/* A function of the whole image that changes no bands; context must live as long as the arena. */
void action_raster(struct action *, raster_fn *, const void *context);
/* Samples of another type: 0..1 of floats is the full range of integers when `scale`, else values
 * are kept, as far as the type can. */
void action_convert(const struct scene *, struct action *, enum pixel_type, bool scale);
/* Levels of a band of this scene's pixels, 256 or 65536, and colour bands, 1 or 3. */
int scene_levels(const struct scene *);
int scene_colours(const struct scene *);
/* The level, 0 and up, that a table is being asked for: `level` on the pixels' own scale. */
int scene_index(const struct scene *, double level);
/* One number for all colour bands, or three, as three. False when the image is gray and there are
 * three: such an image stays as it is. */
bool scene_bands(const struct scene *, const struct list *, double band[3]);

/* Branches of five_crop, which emits them: a corner each, then the middle. */
enum { FIVE_CROPS = 5 };
void emit_five_crop(struct run *, struct frame in, struct frame out, int branch);

/* The n taps, odd, of a Gaussian of this standard deviation in pixels; they sum to 1. */
const float *gaussian_kernel(struct arena *, int n, double sigma);
double radians(double degrees);
/* base^exponent for a base of at least 0, 0^0 being 1; not libm's pow(), whose last bit differs
 * between platforms. */
double power(double base, double exponent);
/* torchvision's affine matrix (input to output): translate * centre * rotate(a) * scale * shear *
 * -centre, with +a clockwise on the screen; see its _get_inverse_affine_matrix. */
struct mat3 mat3_affine(double degrees, double tx, double ty, double scale, double shear_x,
                        double shear_y, struct point centre);
/* Python's round(): to nearest, halves to even, as a whole number. */
int round_half_even(double);
