/* plan: a pipeline that has been read: constant, shared by all samples. */
#pragma once

#include "pixels/picture.h"
#include "steps/op_shared/join_params.h"
#include "steps/registry.h"

/* Conditions that a sample must meet for a step to be done; all of them must hold. See
 * plan/conditions.c.
 */
struct when {
    bool given;
    struct names has_category;
    struct optional min_objects, max_objects, min_size, max_size;
};

/* Kinds of parameters that only a pipeline has. */
extern const struct kind label_pairs_kind, when_kind, reject_rules_kind;
#define LABEL_PAIRS(S, f, ...) ROW(S, f, struct label_pairs, label_pairs, __VA_ARGS__)
#define WHEN(S, f, ...) ROW(S, f, struct when, when, __VA_ARGS__)
#define REJECT_RULES(S, f, ...) ROW(S, f, struct reject_rules, reject_rules, __VA_ARGS__)

/* How drawn ops are joined. */
enum optimize {
    OPTIMIZE_NONE,  /* op by op */
    OPTIMIZE_EXACT, /* neighbours joined where one pass over memory does for several: the same bits
                     */
    OPTIMIZE_FAST,  /* and where pixels then differ by a little: see fast_bounds.h */
};

/* What an image's EXIF orientation means. */
enum exif_rule { EXIF_APPLY, EXIF_IGNORE };
enum cmyk_rule { CMYK_PROFILE, CMYK_NAIVE };

/* What is written for an image that no op touched. */
enum untouched { UNTOUCHED_ENCODE, UNTOUCHED_COPY };

/* What becomes of what a file says of its pixels: colour profile and density. */
enum metadata { METADATA_KEEP, METADATA_STRIP };

/* The "output" section. */
struct output_rules {
    int format; /* enum picture_format */
    int quality;
    int subsampling; /* enum subsampling */
    int compression;
    int untouched;            /* enum untouched */
    int metadata;             /* enum metadata */
    struct colour background; /* what transparent pixels show, without alpha; n = 0: alpha stays */
    bool lossless;            /* turns and crops of a JPEG are made of its coefficients */
};

/* The defaults of each op of the registry, in its order: what emitting starts from. Reading those
 * of all would take a tenth of the time that one small image takes, so each is read when it is
 * first emitted. */
struct op_defaults {
    struct arena arena;
    void **at; /* NULL: not read yet */
};

struct plan {
    const char *file; /* what it was read from, for faults found later */
    struct slice text;
    int version;
    int64_t seed;
    int optimize; /* enum optimize */
    int exif;     /* enum exif_rule */
    int cmyk;     /* enum cmyk_rule */
    struct rules rules;
    struct output_rules output;
    struct steps transforms;
    unsigned fan_out;   /* samples that one becomes at most: see struct op */
    bool varies;        /* into how many an image becomes, it says itself */
    bool joins;         /* objects of several records, or one several times, may be in one sample */
    size_t images;      /* that may be joined in one sample, at most */
    struct arena arena; /* holds all of it */
    struct op_defaults *op_defaults;
};

extern const struct choice optimize_choices[];
extern const struct choice exif_choices[], cmyk_choices[];
extern const struct choice metadata_choices[];
extern const struct choice output_formats[]; /* same, jpeg, png, ... */
extern const struct row pipeline_rows[];     /* top level: version, seed, annotations, ... */
extern const struct row annotation_rows[];   /* into struct rules */
extern const struct row output_rows[];       /* into struct output_rules */
extern const struct row step_rows[];         /* what any step takes besides its own: id, p, when */

/* A background of one number or three as the fill of a plane of this many colours, on the 0..255
 * scale: gray planes get the luma of three. */
struct fill background_fill(const struct colour *, int colours, enum pixel_type);

/* Read faults->text. False, with all faults found, when it is not a pipeline. */
bool plan_read(struct faults *, struct plan *);
/* The plan of a run whose steps, in place of the pipeline's, are those that were drawn for one
 * output: ops with their values, as drawn_op_print has them, which need no random numbers. They
 * live in the arena; all else is that of `base`. False with faults. */
bool plan_read_recorded(const struct plan *base, const struct value *steps, struct arena *,
                        struct plan *, struct faults *);
/* A plan of no steps with all defaults. */
void plan_empty(struct plan *);
void plan_drop(struct plan *);
/* Parameters of an op with all defaults, op->params_size bytes; they live as long as the plan. */
const void *plan_op_defaults(const struct plan *, const struct op *);

/* The whole pipeline as JSON with every default written out. */
void plan_print(const struct plan *, struct text *);
/* The name a step goes by, and its rows. */
const char *step_name(const struct step *);
const struct row *step_own_rows(const struct step *);
/* Print one step as JSON: what struct step's `print` is here. */
void step_print(const struct step *, struct text *);
/* Where it stands, for people: "3", and "3.1" for the first step inside the third. */
void step_print_number(const struct step *, struct text *);
/* A step by itself from JSON text, as examples are. False when it is none. */
bool step_read_text(const char *json, struct arena *, struct step *);
/* The lists of steps that a parameter of a step holds: one, several, or (of other kinds) none. */
struct chains step_lists(const struct step *, const struct row *);
/* Gives the fields of the kind that this row has, in a copy of a step's parameters, other lists of
 * steps: `lists` has as many as step_lists returns. The lists are borrowed; arrays that hold them
 * are copied to the arena. */
void params_set_lists(const struct row *, void *params, const struct steps *lists, struct arena *);
/* Returns how many images the step joins at most, by the `images` hook of its transform or op; 1
 * for a step that joins none. */
size_t step_images(const struct step *);
/* True if the step may borrow images of other records. */
bool step_borrows(const struct step *);
/* May it let images show through each other, and refuses their label masks? */
bool step_refuses_masks(const struct step *);
/* Visit every step in order; the steps inside of one follow it, unless its visit returned false. */
void steps_walk(const struct steps *, bool (*visit)(const struct step *, void *context),
                void *context);
