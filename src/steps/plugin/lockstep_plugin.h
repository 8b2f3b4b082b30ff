/* lockstep_plugin: the interface of plugins: shared objects with ops and transforms for lockstep.
 *
 * A plugin is a C file, built with `cc -shared -fPIC`, that exports one table:
 *
 *     const struct lockstep_plugin lockstep_plugin = {
 *         LOCKSTEP_PLUGIN_ABI, "swirl", "1.0", ops, transforms
 *     };
 *
 * `lockstep run --plugin ./swirl.so ...` loads it. Its entries are then steps like lockstep's own,
 * also in `list`, `describe`, `schema`, `preview` and `explain`. `lockstep plugin-test ./swirl.so`
 * tests the plugin.
 *
 * An op has concrete values and no randomness: `resolve` decides for one image what to do. A
 * transform draws values from ranges and emits ops by name. Neither may read files, print, or keep
 * state between calls: an image must come out the same in any process and any order. Plugins have
 * the same rights as lockstep itself: load only plugins that you trust.
 *
 * Coordinates are continuous: the pixel in column j, row i covers [j, j + 1) x [i, i + 1). Colors
 * are floats on the scale 0..255, whatever the image's depth. Build with -ffp-contract=off, so that
 * results are the same on all machines. */
#ifndef LOCKSTEP_PLUGIN_H
#define LOCKSTEP_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOCKSTEP_PLUGIN_ABI 1

/* Put this before a function with a branch-free loop over colors: gcc then compiles it for several
 * kinds of processors. */
#if defined __clang__ || !defined __x86_64__ || !defined __GLIBC__ || !defined __GNUC__ ||         \
    __GNUC__ < 12
#define LOCKSTEP_VARIANTS
#else
#define LOCKSTEP_VARIANTS                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif

/* --- parameters --- */

/* Kinds of parameters, and the C type of the parameter's field. */
enum lockstep_kind {
    LOCKSTEP_NUMBER = 1, /* double */
    LOCKSTEP_INTEGER,    /* int */
    LOCKSTEP_WHOLE,      /* int64_t: for noise keys; within -2^53..2^53 */
    LOCKSTEP_FLAG,       /* bool */
    LOCKSTEP_CHOICE,     /* int: the value of one of `choices` */
    LOCKSTEP_OPTIONAL,   /* struct lockstep_optional: a number, or null */
    LOCKSTEP_RANGE,      /* struct lockstep_range: [lo, hi], or one number */
    LOCKSTEP_COLOUR,     /* struct lockstep_colour: 0..255, one number for all channels or one per
                            channel */
    LOCKSTEP_LIST,       /* struct lockstep_list: `least` to `most` numbers, at most 16 */
    LOCKSTEP_NUMBERS,    /* struct lockstep_numbers: `least` to `most` numbers */
    LOCKSTEP_TEXT,       /* const char * */
};

struct lockstep_optional {
    bool given;
    double number;
};

struct lockstep_range {
    double lo, hi;
};

struct lockstep_colour {
    int n; /* 0: null */
    double channel[4];
};

struct lockstep_list {
    int n;
    double at[16];
};

struct lockstep_numbers {
    const double *at;
    size_t n;
};

struct lockstep_choice {
    const char *word;
    int value;
    const char *help;
};

/* A parameter: a field of the step's parameter struct. Tables end with LOCKSTEP_ROWS_END. */
struct lockstep_row {
    const char *name;
    int kind;            /* enum lockstep_kind */
    size_t offset, size; /* of the field, in bytes */
    const char *help;
    const char *unit;            /* such as "pixels"; or NULL */
    const char *preset;          /* the default, as JSON; NULL: the parameter is required */
    struct lockstep_range limit; /* range of each number, inclusive; both 0: no limit */
    struct lockstep_range
        usual;       /* range that tests draw from, inside `limit`; both 0: all of `limit` */
    int least, most; /* minimum and maximum length of lists */
    bool symmetric;  /* of ranges: one number v means [-v, v]; false: [v, v] */
    const struct lockstep_choice *choices; /* ended by an entry with a NULL word */
};

/* LOCKSTEP_ROW(struct params, strength, NUMBER, .help = "...", .preset = "0.5") */
#define LOCKSTEP_ROW(S, field, KIND, ...)                                                          \
    {                                                                                              \
        .name = #field, .kind = LOCKSTEP_##KIND, .offset = offsetof(S, field),                     \
        .size = sizeof(((S *)0)->field), __VA_ARGS__                                               \
    }
#define LOCKSTEP_ROWS_END                                                                          \
    {                                                                                              \
        0                                                                                          \
    }

/* --- ops --- */

struct lockstep_host; /* functions of lockstep, see below */

/* The image to which an op is applied. */
struct lockstep_scene {
    int width, height; /* pixels */
    int channels;      /* 1 to 4; with 2 or 4, the last one is alpha */
    int depth;         /* bits per sample: 8 or 16; 32 for floats, which only maps can get */
    const struct lockstep_host *host;
    void *own; /* private to lockstep */
};

/* Pixels in memory: rows of interleaved samples, uint8_t or uint16_t by `depth`. */
struct lockstep_plane {
    void *pixels;
    size_t stride; /* bytes from one row to the next */
    int width, height, channels, depth;
};

/* Gives a function on planes access to memory. */
struct lockstep_work {
    const struct lockstep_host *host;
    void *own;
};

/* The objects of an image, for an op on labels. */
struct lockstep_labels {
    size_t n;
    const struct lockstep_host *host;
    void *own;
};

struct lockstep_point {
    double x, y;
};

/* Kinds of ops, by their effect on pixels. All their functions must be pure: results may depend
 * only on `context` and the arguments. lockstep may call them for any part of an image, in any
 * order. */
enum lockstep_family {
    LOCKSTEP_COLOURS = 1, /* `colours`: a function of a pixel's colors */
    LOCKSTEP_PLACED,      /* `placed`: a function of a pixel's colors and position */
    LOCKSTEP_RASTER, /* `raster`: a function of the whole image; keeps size, channels and depth */
    LOCKSTEP_MATRIX, /* `matrix`: moves pixels and labels by a 3x3 matrix */
    LOCKSTEP_FIELD,  /* `source`, `target`: moves pixels and labels by functions */
    LOCKSTEP_LABELS, /* `labels`: reads objects and drops some; keeps pixels */
};

/* Changes n pixels in place, one array per color, 0..255; results outside are clamped. For gray
 * images all three arrays are equal, and the first one is used. */
typedef void lockstep_colours_fn(const void *context, float *restrict r, float *restrict g,
                                 float *restrict b, int n);
/* The same for n pixels of row y, from column x on. */
typedef void lockstep_placed_fn(const void *context, int x, int y, float *restrict r,
                                float *restrict g, float *restrict b, int n);
/* Writes a plane from another one of the same size, channels and depth. lockstep copies alpha
 * afterwards. */
typedef void lockstep_raster_fn(const void *context, const struct lockstep_plane *in,
                                const struct lockstep_plane *out, const struct lockstep_work *);
/* Returns where a point moves to, or comes from; must be finite. */
typedef struct lockstep_point lockstep_map_fn(const void *context, struct lockstep_point);
/* Reads objects with `host->object`, and drops some with `host->drop`. */
typedef void lockstep_labels_fn(const void *context, const struct lockstep_labels *);

/* The action of an op on one image. `context` points to the parameters, to constants, or to memory
 * from `host->memory`. */
struct lockstep_action {
    const void *context;
    lockstep_colours_fn *colours;
    lockstep_placed_fn *placed;
    lockstep_raster_fn *raster;
    lockstep_labels_fn *labels;

    double matrix[9];  /* from input to output, row by row; initially the identity */
    int width, height; /* MATRIX: size of the output; initially the input's */
    /* FIELD: the output's point p shows the input's point source(p), which is also called for
     * points a little outside the canvas. It is sampled: at pixel centers the error is at most
     * about 0.02 pixels. `target` is the exact inverse: it returns the output's point that shows
     * the input's point p. Without it (NULL), lockstep finds the place of labels by a search. */
    lockstep_map_fn *source, *target;

    bool nearest; /* MATRIX, FIELD: no interpolation; label masks are never interpolated */
    struct lockstep_colour fill; /* color of pixels from outside the input; initially black */
    int fill_mask;               /* label of mask pixels from outside; initially 0 */
};

/* Values that `resolve` returns. */
enum lockstep_outcome {
    LOCKSTEP_REFUSED =
        -1,            /* the op cannot be applied to this image; `host->refuse` gave the reason */
    LOCKSTEP_IDLE = 0, /* nothing to do for this image */
    LOCKSTEP_ACTS = 1, /* the action is filled in */
};

/* Headings of `lockstep list`. 0: geometry for maps, labels for ops on labels, color for others. */
enum lockstep_group {
    LOCKSTEP_GROUP_GEOMETRY = 1,
    LOCKSTEP_GROUP_CROP,
    LOCKSTEP_GROUP_COLOUR,
    LOCKSTEP_GROUP_BLUR,
    LOCKSTEP_GROUP_NOISE,
    LOCKSTEP_GROUP_WEATHER,
    LOCKSTEP_GROUP_DROPOUT,
    LOCKSTEP_GROUP_LABELS,
};

struct lockstep_op {
    const char *name;                /* snake_case, such as "swirl" */
    const char *summary;             /* one line, such as "turn the middle of the image" */
    const char *example;             /* a step as JSON: {"type": "swirl", "degrees": 90} */
    int family;                      /* enum lockstep_family */
    int group;                       /* enum lockstep_group */
    bool mirrors;                    /* MATRIX: its maps may exchange left and right */
    const struct lockstep_row *rows; /* NULL: no parameters */
    size_t params_size;              /* size of the parameter struct */
    /* Checks conditions between parameters. Returns NULL if they hold, else an error message, such
     * as "inner must be less than outer". May be NULL. */
    const char *(*check)(const void *params);
    /* Fills in the action; returns a value of enum lockstep_outcome. */
    int (*resolve)(const void *params, const struct lockstep_scene *, struct lockstep_action *);
};

/* --- transforms --- */

/* A value for a parameter of an op. */
struct lockstep_arg {
    const char *name;
    enum {
        LOCKSTEP_ARG_NUMBER,
        LOCKSTEP_ARG_FLAG,
        LOCKSTEP_ARG_WORD,
        LOCKSTEP_ARG_NUMBERS,
        LOCKSTEP_ARG_NULL,
    } kind;
    double number; /* also for flags */
    const char *word;
    const double *numbers;
    size_t n;
};

#define LOCKSTEP_NUM(as, v)                                                                        \
    ((struct lockstep_arg){ .name = (as), .kind = LOCKSTEP_ARG_NUMBER, .number = (v) })
#define LOCKSTEP_YES(as, v)                                                                        \
    ((struct lockstep_arg){ .name = (as), .kind = LOCKSTEP_ARG_FLAG, .number = (v) })
#define LOCKSTEP_WORD(as, v)                                                                       \
    ((struct lockstep_arg){ .name = (as), .kind = LOCKSTEP_ARG_WORD, .word = (v) })
#define LOCKSTEP_NUMS(as, count, v)                                                                \
    ((struct lockstep_arg){                                                                        \
        .name = (as), .kind = LOCKSTEP_ARG_NUMBERS, .numbers = (v), .n = (count) })
#define LOCKSTEP_NONE(as) ((struct lockstep_arg){ .name = (as), .kind = LOCKSTEP_ARG_NULL })

/* A transform that draws values for one image. Emitting an op updates size and channels. */
struct lockstep_run {
    int width, height, channels, depth;
    bool labelled; /* the image has objects or a label mask */
    const struct lockstep_host *host;
    void *own; /* private to lockstep */
};

/* Emits an op, for example lockstep_emit(run, "swirl", LOCKSTEP_NUM("degrees", d)). Parameters
 * without a value get their default. lockstep_emit_shared instead takes the step's own value if the
 * step has a parameter of the same name and kind. */
#define lockstep_emit(run, op, ...)                                                                \
    ((run)->host->emit((run), (op), (struct lockstep_arg[]){ __VA_ARGS__, { 0 } }, false))
#define lockstep_emit_shared(run, op, ...)                                                         \
    ((run)->host->emit((run), (op), (struct lockstep_arg[]){ __VA_ARGS__, { 0 } }, true))

struct lockstep_transform {
    const char *name;    /* PascalCase, such as "RandomSwirl" */
    const char *summary; /* one line */
    const char *example; /* a step as JSON */
    int group;           /* enum lockstep_group; 0: the group of the first op in `emits` */
    const struct lockstep_row *rows;
    size_t params_size;
    /* Names of all ops that it may emit, ended by NULL. They are ops of the plugin, or ops of
     * lockstep that neither join images nor make several of one. */
    const char *const *emits;
    double chance;                            /* default of `p`; 0 means 1: always */
    const char *(*check)(const void *params); /* as for ops */
    /* Draws random numbers in a fixed order, and emits ops. */
    void (*draw)(const void *params, struct lockstep_run *);
};

/* --- functions of lockstep --- */

/* An object in its current state, on the current canvas. */
struct lockstep_object {
    bool has_box, has_score, crowd;
    double x, y, width, height; /* of its box, in pixels */
    double area, visibility;    /* square pixels; visible share, 0..1, of the annotated object */
    double score;
    const char *category; /* NULL: none */
};

struct lockstep_host {
    /* In resolve: returns zeroed memory that lives as long as the image is in work. */
    void *(*memory)(const struct lockstep_scene *, size_t bytes);
    /* Sets the reason, in one line, why resolve will return LOCKSTEP_REFUSED. */
    void (*refuse)(const struct lockstep_scene *, const char *why);

    /* In raster: returns memory that is freed when raster returns; not zeroed. */
    void *(*scratch)(const struct lockstep_work *, size_t bytes);

    /* In labels: reads object i. Returns false if it is already dropped. */
    bool (*object)(const struct lockstep_labels *, size_t i, struct lockstep_object *);
    /* Drops object i. The manifest gets the reason (a word of a-z, 0-9 and _) and the number that
     * decided. */
    void (*drop)(const struct lockstep_labels *, size_t i, const char *reason, double value);

    /* In draw: random numbers of this step: uniform in [0, 1); uniform in [lo, hi); an integer in
     * [lo, hi); normal. */
    double (*unit)(struct lockstep_run *);
    double (*between)(struct lockstep_run *, double lo, double hi);
    int64_t (*integer)(struct lockstep_run *, int64_t lo, int64_t hi);
    double (*normal)(struct lockstep_run *, double mean, double deviation);
    void (*emit)(struct lockstep_run *, const char *op, const struct lockstep_arg *, bool shared);
    /* Fails this image, with a reason of one line. */
    void (*fail)(struct lockstep_run *, const char *why);
    /* Return the number of objects that the pipeline would keep now, and read one of them; `seen`
     * returns false for an index beyond the last one. */
    size_t (*objects)(struct lockstep_run *);
    bool (*seen)(struct lockstep_run *, size_t i, struct lockstep_object *);
};

/* --- the table --- */

struct lockstep_plugin {
    int abi;                                     /* LOCKSTEP_PLUGIN_ABI */
    const char *name;                            /* consists of a-z, 0-9, - and _ */
    const char *version;                         /* such as "1.0"; written to run.json */
    const struct lockstep_op *ops;               /* ended by a NULL name; may be NULL */
    const struct lockstep_transform *transforms; /* ended by a NULL name; may be NULL */
};

extern const struct lockstep_plugin lockstep_plugin;

#endif
