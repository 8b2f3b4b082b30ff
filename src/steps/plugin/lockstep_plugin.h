/* lockstep_plugin: ops and transforms of your own for lockstep, as a shared object.
 *
 * A plugin is one file of C, built with `cc -shared -fPIC`, that exports one table:
 *
 *     const struct lockstep_plugin lockstep_plugin = { LOCKSTEP_PLUGIN_ABI, "swirl", "1.0", ops,
 * transforms };
 *
 * `lockstep run --plugin ./swirl.so ...` loads it, and its entries are steps like lockstep's own:
 * in `list`, `describe`, `schema`, `preview`, `explain`. `lockstep plugin-test ./swirl.so` tests
 * it.
 *
 * An op has concrete values and no randomness: `resolve` says for one image what is to be done. A
 * transform draws values from ranges and emits ops by name. Neither reads files, prints, or keeps
 * anything between calls: an image must come out the same in any process and any order. Plugins
 * are as trusted as lockstep itself: load only what you would run.
 *
 * Coordinates are continuous: the pixel in column j, row i covers [j, j + 1) x [i, i + 1). Colours
 * are floats on the scale 0..255, whatever the image's depth. Build with -ffp-contract=off, so that
 * results are the same on all machines. */
#ifndef LOCKSTEP_PLUGIN_H
#define LOCKSTEP_PLUGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOCKSTEP_PLUGIN_ABI 1

/* Before a loop over colours without branches: gcc compiles it for several kinds of processor. */
#if defined __clang__ || !defined __x86_64__ || !defined __GLIBC__ || !defined __GNUC__ ||         \
    __GNUC__ < 12
#define LOCKSTEP_VARIANTS
#else
#define LOCKSTEP_VARIANTS                                                                          \
    __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif

/* --- parameters --- */

/* What a parameter can be, and the type of its field. */
enum lockstep_kind {
    LOCKSTEP_NUMBER = 1, /* double */
    LOCKSTEP_INTEGER,    /* int */
    LOCKSTEP_WHOLE,      /* int64_t: for keys of noise; within -2^53..2^53 */
    LOCKSTEP_FLAG,       /* bool */
    LOCKSTEP_CHOICE,     /* int: the value of one of `choices` */
    LOCKSTEP_OPTIONAL,   /* struct lockstep_optional: a number, or null */
    LOCKSTEP_RANGE,      /* struct lockstep_range: [lo, hi], or one number */
    LOCKSTEP_COLOUR,     /* struct lockstep_colour: 0..255, one for all channels or one each */
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

/* One parameter: a field of the step's parameter struct. Tables end with LOCKSTEP_ROWS_END. */
struct lockstep_row {
    const char *name;
    int kind;            /* enum lockstep_kind */
    size_t offset, size; /* of the field */
    const char *help;
    const char *unit;            /* or NULL */
    const char *preset;          /* the default as JSON; NULL: it must be given */
    struct lockstep_range limit; /* of each number, inclusive; both 0: none */
    struct lockstep_range usual; /* what tests draw from, inside of limit; both 0: all of it */
    int least, most;             /* lengths of lists */
    bool symmetric;              /* ranges: one number v means [-v, v]; else [v, v] */
    const struct lockstep_choice *choices; /* ended by a NULL word */
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

struct lockstep_host; /* functions of lockstep, below */

/* The image that an op meets. */
struct lockstep_scene {
    int width, height; /* pixels */
    int channels;      /* 1 to 4; with 2 and 4, the last is alpha */
    int depth;         /* bits of a sample: 8 or 16; 32 for floats, which only maps meet */
    const struct lockstep_host *host;
    void *own; /* lockstep's */
};

/* Pixels in memory: rows of interleaved samples, uint8_t or uint16_t by depth. */
struct lockstep_plane {
    void *pixels;
    size_t stride; /* bytes from row to row */
    int width, height, channels, depth;
};

/* For a function that works on planes: where it gets memory from. */
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

/* What an op does to pixels. All functions are pure: what they give depends on context and
 * arguments alone. They may be called for any part of an image, in any order. */
enum lockstep_family {
    LOCKSTEP_COLOURS = 1, /* `colours`: a function of a pixel's colours */
    LOCKSTEP_PLACED,      /* `placed`: of a pixel's colours and its place */
    LOCKSTEP_RASTER,      /* `raster`: of the whole image; size, channels and depth stay */
    LOCKSTEP_MATRIX,      /* `matrix`: moves pixels and labels by a 3x3 matrix */
    LOCKSTEP_FIELD,       /* `source`, `target`: moves pixels and labels by a function */
    LOCKSTEP_LABELS,      /* `labels`: looks at objects and drops some; pixels stay */
};

/* n pixels in place, colour by colour, 0..255; results beyond are clamped. Of gray images all three
 * are the same, and the first counts. */
typedef void lockstep_colours_fn(const void *context, float *restrict r, float *restrict g,
                                 float *restrict b, int n);
/* The same for the n pixels from column x of row y on. */
typedef void lockstep_placed_fn(const void *context, int x, int y, float *restrict r,
                                float *restrict g, float *restrict b, int n);
/* From one plane to another of the same kind. Alpha is copied by lockstep afterwards. */
typedef void lockstep_raster_fn(const void *context, const struct lockstep_plane *in,
                                const struct lockstep_plane *out, const struct lockstep_work *);
/* Where a point goes to, or comes from; finite. */
typedef struct lockstep_point lockstep_map_fn(const void *context, struct lockstep_point);
/* Looks at objects by `host->object`, and drops some by `host->drop`. */
typedef void lockstep_labels_fn(const void *context, const struct lockstep_labels *);

/* What is to be done to one image. What `context` points to is the parameters, is constant, or was
 * taken by `host->memory`. */
struct lockstep_action {
    const void *context;
    lockstep_colours_fn *colours;
    lockstep_placed_fn *placed;
    lockstep_raster_fn *raster;
    lockstep_labels_fn *labels;

    double matrix[9];  /* input to output, row by row; preset to the identity */
    int width, height; /* MATRIX: of the output; preset to those of the input */
    /* FIELD: the output's point p shows the input's point source(p), which is asked for points a
     * little beyond the canvas, too. It is sampled: at the centres of pixels it is off by at most
     * about 0.02 pixels. `target` is the exact way back: the output's point that shows the input's
     * point p; with it labels need no search. NULL: the search. */
    lockstep_map_fn *source, *target;

    bool nearest;                /* MATRIX, FIELD: no blending; label masks never blend */
    struct lockstep_colour fill; /* of what comes from outside; preset to black */
    int fill_mask;               /* the label of what comes from outside; preset to 0 */
};

/* What `resolve` returns. */
enum lockstep_resolved {
    LOCKSTEP_REFUSED = -1, /* it cannot be done to this image: `host->refuse` said why */
    LOCKSTEP_IDLE = 0,     /* there is nothing to do to this image */
    LOCKSTEP_ACTS = 1,     /* the action says what */
};

/* What `lockstep list` puts an entry under; 0: maps under geometry, labels under labels, the others
 * under colour. */
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
    const char *name;                /* snake_case, as "swirl" */
    const char *summary;             /* a line, as "turn the middle of the image" */
    const char *example;             /* a step as JSON: {"type": "swirl", "degrees": 90} */
    int family;                      /* enum lockstep_family */
    int group;                       /* enum lockstep_group */
    bool mirrors;                    /* MATRIX: its maps may turn left to right */
    const struct lockstep_row *rows; /* NULL: no parameters */
    size_t params_size;              /* of the struct that rows are of */
    /* Conditions between parameters: NULL when they hold, else what is wrong, as "inner must be
     * less than outer". May be NULL. */
    const char *(*check)(const void *params);
    /* Fills in the action; see enum lockstep_resolved. */
    int (*resolve)(const void *params, const struct lockstep_scene *, struct lockstep_action *);
};

/* --- transforms --- */

/* A value for an op's parameter. */
struct lockstep_arg {
    const char *name;
    enum {
        LOCKSTEP_ARG_NUMBER,
        LOCKSTEP_ARG_FLAG,
        LOCKSTEP_ARG_WORD,
        LOCKSTEP_ARG_NUMBERS,
        LOCKSTEP_ARG_NULL,
    } kind;
    double number; /* of flags, too */
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

/* One step on one image. Emitting updates size and channels. */
struct lockstep_run {
    int width, height, channels, depth;
    bool labelled; /* there are objects, or a label mask */
    const struct lockstep_host *host;
    void *own; /* lockstep's */
};

/* Emit an op: lockstep_emit(run, "swirl", LOCKSTEP_NUM("degrees", d)). What is left out has its
 * default; with `shared`, the step's own value where it has a parameter of the same name and kind.
 */
#define lockstep_emit(run, op, ...)                                                                \
    ((run)->host->emit((run), (op), (struct lockstep_arg[]){ __VA_ARGS__, { 0 } }, false))
#define lockstep_emit_shared(run, op, ...)                                                         \
    ((run)->host->emit((run), (op), (struct lockstep_arg[]){ __VA_ARGS__, { 0 } }, true))

struct lockstep_transform {
    const char *name;    /* PascalCase, as "RandomSwirl" */
    const char *summary; /* a line */
    const char *example; /* a step as JSON */
    int group;           /* enum lockstep_group; 0: that of the first op that it emits */
    const struct lockstep_row *rows;
    size_t params_size;
    const char *const *emits; /* names of all ops that it may emit, ended by NULL: yours, or
                                 lockstep's that neither join images nor make several of one */
    double chance;            /* the default of `p`; 0 means 1: always */
    const char *(*check)(const void *params); /* as an op's */
    /* Draws in a fixed order, and emits. */
    void (*draw)(const void *params, struct lockstep_run *);
};

/* --- what lockstep offers --- */

/* An object as it is now, on the canvas of now. */
struct lockstep_object {
    bool has_box, has_score, crowd;
    double x, y, width, height; /* of its box */
    double area, visibility;    /* square pixels; 0..1 of what was annotated */
    double score;
    const char *category; /* NULL: none */
};

struct lockstep_host {
    /* In resolve: zeroed memory that lives as long as the image is worked on. */
    void *(*memory)(const struct lockstep_scene *, size_t bytes);
    /* Say why resolve is going to return LOCKSTEP_REFUSED, in a line. */
    void (*refuse)(const struct lockstep_scene *, const char *why);

    /* In raster: memory that is gone when it returns; not zeroed. */
    void *(*scratch)(const struct lockstep_work *, size_t bytes);

    /* In labels: object i; false when it is dropped already. */
    bool (*object)(const struct lockstep_labels *, size_t i, struct lockstep_object *);
    /* Drop it, with a reason for the manifest (a word of a-z, 0-9 and _) and the number that
     * decided. */
    void (*drop)(const struct lockstep_labels *, size_t i, const char *reason, double value);

    /* In draw: random numbers of this step. [0, 1); [lo, hi); whole [lo, hi); normal. */
    double (*unit)(struct lockstep_run *);
    double (*between)(struct lockstep_run *, double lo, double hi);
    int64_t (*integer)(struct lockstep_run *, int64_t lo, int64_t hi);
    double (*normal)(struct lockstep_run *, double mean, double deviation);
    void (*emit)(struct lockstep_run *, const char *op, const struct lockstep_arg *, bool shared);
    /* This image cannot be done, for a reason of one line: it fails. */
    void (*fail)(struct lockstep_run *, const char *why);
    /* How many objects the pipeline would keep now, and one of them; false beyond the last. */
    size_t (*objects)(struct lockstep_run *);
    bool (*seen)(struct lockstep_run *, size_t i, struct lockstep_object *);
};

/* --- the table --- */

struct lockstep_plugin {
    int abi;                                     /* LOCKSTEP_PLUGIN_ABI */
    const char *name;                            /* of a-z, 0-9, - and _ */
    const char *version;                         /* as "1.0"; it stands in run.json */
    const struct lockstep_op *ops;               /* ended by a NULL name; may be NULL */
    const struct lockstep_transform *transforms; /* ended by a NULL name; may be NULL */
};

extern const struct lockstep_plugin lockstep_plugin;

#endif
