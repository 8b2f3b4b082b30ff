/* emit: how a step says which ops are to be done, by their names and values. */
#pragma once

#include "param.h"

struct run; /* a step that meets a sample: see transform.h */

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
        ARG_NULL
    } kind;
    double number;
    const char *word;
    const double *numbers;
    const struct point *points;
    const struct rects *rects;
    size_t n;     /* numbers, points or tuples */
    size_t width; /* numbers in each tuple, one tuple after the other */
};

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
#define RECTANGLES(as, v) ((struct arg){ .name = (as), .kind = ARG_RECTS, .rects = (v) })
struct arg arg_optional(const char *name, const struct optional *);
struct arg arg_colour(const char *name, const struct colour *);
struct arg arg_optional_list(const char *name, const struct optional_list *);

/* Emit an op: emit(run, "rotate", NUM("angle", a)). Values are checked against the op's rows; what
 * is left out has its default. A wrong name or value is a defect and ends the image, as does an op
 * that cannot be done to this frame; what is emitted after that is ignored. */
#define emit(run, op, ...) emit_args((run), (op), (struct arg[]){ __VA_ARGS__, { 0 } })
void emit_args(struct run *, const char *op, const struct arg *);
/* The op with all its defaults. */
void emit_plain(struct run *, const char *op);
/* Do a nested step on the sample: its chance, its draw, with its own numbers. */
void emit_step(struct run *, const struct steps *, size_t i);

/* Emit a mix: the sum of images, each with its weight, that the ops make of this one which `chain`
 * emits for input i of n (in a row, from 0 on, for the run that it is given). Weights count in
 * proportion; none: all alike. Labels move as in the first input, and not in the others. */
typedef void chain_fn(struct run *, size_t i, const void *context);
void emit_mix(struct run *, const struct weights *, size_t n, chain_fn *, const void *context);

/* The parameters of the op `mix`. */
struct mix {
    struct weights weights; /* none: all alike */
    struct chains inputs;
};

/* This sample cannot be done; says why. The image fails, with what was emitted. */
void emit_refuse(struct run *, const char *format, ...) PRINTF_LIKE(2, 3);
