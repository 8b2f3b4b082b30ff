/* transform: what a file of transforms/ may see. A transform is random policy: from parameter
 * ranges it draws concrete values for one sample and emits ops by name. It never touches a pixel or
 * a box, has no memory of its own to free, and cannot fail. */
#pragma once

#include "base/rng.h"
#include "op.h"

/* One transform meeting one sample. All of it is borrowed. */
struct run {
    const void *params; /* what the pipeline says: shared by all samples, const */
    struct frame frame; /* the sample's canvas now; emitting moves it on */
    int bands;          /* the image's now, 1 to 4, alpha among them; likewise */
    struct rng *rng;    /* this step's own numbers */
    struct arena *arena;
    void *apply; /* plan/apply.c's own */
};

struct transform {
    const char *name, *summary;
    const char *example;      /* a step, as JSON */
    const char *const *emits; /* names of ops it may emit, ended by NULL; NULL for containers */
    const struct row *params;
    size_t params_size;
    double chance; /* the default of `p`; 0 stands for 1: always */
    /* Conditions between parameters, when the pipeline is read; may be NULL. */
    bool (*check)(const void *params, const struct value *step, struct faults *);
    void (*draw)(struct run *);
};

/* --- emitting --- */

struct arg {
    const char *name;
    enum { ARG_NUMBER, ARG_FLAG, ARG_WORD, ARG_NUMBERS, ARG_NULL } kind;
    double number;
    const char *word;
    const double *numbers;
    size_t n;
};

#define NUM(as, v) ((struct arg){ .name = (as), .kind = ARG_NUMBER, .number = (double)(v) })
#define YES(as, v) ((struct arg){ .name = (as), .kind = ARG_FLAG, .number = (v) })
#define WORD(as, choices, v)                                                                       \
    ((struct arg){ .name = (as), .kind = ARG_WORD, .word = choice_word((choices), (v)) })
#define NUMS(as, count, v)                                                                         \
    ((struct arg){ .name = (as), .kind = ARG_NUMBERS, .numbers = (v), .n = (count) })
#define PAIR(as, a, b) NUMS(as, 2, ((double[]){ (double)(a), (double)(b) }))
struct arg arg_colour(const char *name, const struct colour *);
struct arg arg_optional_list(const char *name, const struct optional_list *);

/* Emit an op: emit(run, "rotate", NUM("angle", a)). Values are checked against the op's rows; what
 * is left out has its default. A wrong name or value is a defect and ends the image, as does an op
 * that cannot be done to this frame; what is emitted after that is ignored. */
#define emit(run, op, ...) emit_args((run), (op), (struct arg[]){ __VA_ARGS__, { 0 } })
void emit_args(struct run *, const char *op, const struct arg *);
/* The op with all its defaults. */
void emit_plain(struct run *, const char *op);
/* This sample cannot be done; says why. The image fails, with what was emitted. */
void emit_refuse(struct run *, const char *format, ...) PRINTF_LIKE(2, 3);
/* Do a nested step on the sample: its chance, its draw, with its own numbers. */
void emit_step(struct run *, const struct steps *, size_t i);
