/* emit: lets a step name the ops to apply, with their values, and run its nested steps. Whoever
 * applies steps provides a table of functions (struct emitter), so this header does not depend on
 * plans. A test can pass an emitter that only records. */
#pragma once

#include "param/param.h"

struct run;
struct transform;    /* transform.h */
struct object;       /* sample/sample.h */
struct op;           /* op.h */
struct conditions;   /* plan/plan.h */
struct joint;        /* steps/op_shared/join_params.h */
struct donors;       /* steps/op_shared/join_params.h */
struct label_shares; /* transform.h */

/* --- steps --- */

/* A step of a pipeline: a transform or an op, with its settings. */
struct step {
    const struct transform *transform; /* or NULL */
    const struct op *op;               /* or NULL */
    const void *params;
    double chance; /* `p`: the step runs if a random number in 0..1 is below it */
    const struct conditions
        *when;                  /* additional conditions on the sample before this step; or NULL */
    const char *id;             /* or NULL */
    const char *path;           /* its position, such as "#2.transforms.0" */
    uint32_t stream;            /* of its random numbers: rng_stream(id or path) */
    const struct value *source; /* the step in the pipeline's JSON */
    /* Prints the step as JSON; set by whoever read or made the step. */
    void (*print)(const struct step *, struct text *);
};

/* Values of two kinds of parameters: a list of steps, and several such lists. The `step` function
 * of struct reader reads each step. */
struct steps {
    const struct step *step;
    size_t n;
};
struct chains {
    const struct steps *at;
    size_t n;
};
extern const struct kind steps_kind, chains_kind;
#define STEPS(S, f, ...) ROW(S, f, struct steps, steps, __VA_ARGS__)
#define CHAINS(S, f, ...) ROW(S, f, struct chains, chains, __VA_ARGS__)

/* Prints a list of steps as JSON that steps_kind can read. */
void steps_print(const struct steps *, struct text *);

/* --- ops with their values --- */

struct arg {
    const char *name;
    enum {
        ARG_NUMBER,
        ARG_FLAG,
        ARG_WORD,
        ARG_NUMBERS,
        ARG_POINTS,
        ARG_RECTS,
        ARG_TUPLES,
        ARG_WORDS,
        ARG_NULL
    } kind;
    double number;
    const char *word;
    const char *const *words;
    const double *numbers;
    const struct point *points;
    const struct rects *rects;
    size_t n;     /* words, numbers, points or tuples */
    size_t width; /* numbers in each tuple, one tuple after the other */
};

#define NONE(as) ((struct arg){ .name = (as), .kind = ARG_NULL })
#define NUM(as, v) ((struct arg){ .name = (as), .kind = ARG_NUMBER, .number = (double)(v) })
#define YES(as, v) ((struct arg){ .name = (as), .kind = ARG_FLAG, .number = (v) })
#define WORD(as, choices, v)                                                                       \
    ((struct arg){ .name = (as), .kind = ARG_WORD, .word = choice_word((choices), (v)) })
#define NUMS(as, count, v)                                                                         \
    ((struct arg){ .name = (as), .kind = ARG_NUMBERS, .numbers = (v), .n = (count) })
#define PAIR(as, a, b) NUMS(as, 2, ((double[]){ (double)(a), (double)(b) }))
#define POINTS(as, count, v)                                                                       \
    ((struct arg){ .name = (as), .kind = ARG_POINTS, .points = (v), .n = (count) })
#define TUPLES_OF(as, length, count, v)                                                            \
    ((struct arg){                                                                                 \
        .name = (as), .kind = ARG_TUPLES, .numbers = (v), .n = (count), .width = (length) })
#define WORDS(as, count, v)                                                                        \
    ((struct arg){ .name = (as), .kind = ARG_WORDS, .words = (v), .n = (count) })
#define RECTANGLES(as, v) ((struct arg){ .name = (as), .kind = ARG_RECTS, .rects = (v) })
struct arg arg_optional(const char *name, const struct optional *);
struct arg arg_colour(const char *name, const struct colour *);
struct arg arg_optional_list(const char *name, const struct optional_list *);

/* Emits an op: emit(run, "rotate", NUM("angle", a)). Values are checked against the op's rows;
 * parameters without a value get their default. A wrong name or value is a defect and fails the
 * image, as does an op that cannot be applied to this frame. Anything emitted after that is
 * ignored. */
#define emit(run, op, ...) emit_args((run), (op), (struct arg[]){ __VA_ARGS__, { 0 } }, false)
void emit_args(struct run *, const char *op, const struct arg *, bool shared);
/* Emits the op with all its defaults. */
void emit_plain(struct run *, const char *op);

/* Emits an op as `emit` does, but a parameter without a value takes the step's value. The step must
 * have a parameter of the same name, kind, words and length (row_shared). */
#define emit_shared(run, op, ...) emit_args((run), (op), (struct arg[]){ __VA_ARGS__, { 0 } }, true)
/* The same without any explicit value. */
void emit_shared_only(struct run *, const char *op);

/* Applies nested step i to the sample, with the step's own random numbers, if its chance and
 * conditions allow it. */
void emit_step(struct run *, const struct steps *, size_t i);
/* Applies nested step i as emit_step does, but ignores its chance. */
void emit_step_surely(struct run *, const struct steps *, size_t i);
/* Applies nested step i again, after `before` earlier times in this draw. Each time has its own
 * random numbers. */
void emit_step_again(struct run *, const struct steps *, size_t i, size_t before);
/* Returns the nested step's `p`. */
double step_chance(const struct steps *, size_t i);

/* Emits `mix`: the sum of n images, each with its weight. `chain` emits the ops that make input i
 * of this image; `chain` is called for i = 0 .. n-1 in order, each time with a run of its own.
 * Weights count in proportion; none: all equal. Labels move as in the first input only. */
typedef void chain_fn(struct run *, size_t i, const void *context);
void emit_mix(struct run *, const struct weights *, size_t n, chain_fn *, const void *context);
/* The parameters of the op `mix`. */
struct mix {
    struct weights weights; /* none: all equal */
    struct chains inputs;
};

/* Refuses this sample; the message is a reason of one line. The image fails, and everything that
 * was emitted is discarded. */
void emit_refuse(struct run *, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- the sample's contents --- */

/* An object as the pipeline would keep it if it ended here. */
struct kept_object {
    bool has_box;
    struct box box; /* on the current canvas; its area may be 0 */
    double area, visibility;
    const char *category; /* NULL: none */
    bool crowd;
    size_t place;                   /* index in the sample's list of objects */
    const struct object *finalized; /* the outlines: its segmentation, rings and rle */
};

/* Returns the objects that the pipeline's rules would keep now, in the order of the source; sets *n
 * to their number. Each call builds the list again, in the arena. The sample is not changed. */
const struct kept_object *run_objects(struct run *, size_t *n);

/* --- the emitter --- */

/* The functions that a run gets from whoever applies steps (plan/apply.c; unit tests have their
 * own). They implement the functions of the same names above; run_objects, run_pixel_of_objects and
 * run_label_shares of transform.h; and run_donor and emit_join of steps/op_shared/join_params.h. */
struct emitter {
    void (*op)(struct run *, const char *name, const struct arg *, bool shared);
    void (*step)(struct run *, const struct step *, double chance, size_t before);
    void (*mix)(struct run *, const struct weights *, size_t n, chain_fn *, const void *context);
    void (*refuse)(struct run *, const char *reason);
    const struct kept_object *(*objects)(struct run *, size_t *n);
    bool (*pixel_of_objects)(struct run *, const struct list *ignore, int *x, int *y);
    bool (*label_shares)(struct run *, struct rect, int except, struct label_shares *);
    bool (*region)(struct run *, struct region *);
    void (*set_region)(struct run *, const struct region *);
    void (*join)(struct run *, const struct joint *, chain_fn *, const void *context);
    const char *(*donor)(struct run *, const struct donors *);
};

/* A step that runs on a sample. All pointers are borrowed. */
struct run {
    const struct emitter *emitter;
    const void *params;     /* from the pipeline: constant, shared by all samples */
    const struct row *rows; /* of `params`; NULL: no values are passed on to ops */
    struct frame frame;     /* the sample's canvas before this step; emitting updates it */
    int channels;    /* of the image before this step, 1 to 4, with alpha; emitting updates it */
    int type;        /* enum pixel_type of its samples; emitting updates it */
    bool labelled;   /* the sample has objects or a label mask */
    struct rng *rng; /* this step's own random numbers; NULL for an op */
    struct arena *arena;
    void *context; /* the emitter's own */
};
