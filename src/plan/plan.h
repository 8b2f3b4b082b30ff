/* plan: a pipeline that has been read. It is constant, and shared by all samples. */
#pragma once

#include "plan/kinds.h"
#include "pixels/picture.h"
#include "steps/op_shared/join_params.h"
#include "steps/registry.h"

/* Conditions that a sample must meet for a step to be done; all must hold. See plan/conditions.c.
 */
struct conditions {
    bool given;
    struct names has_category;
    struct optional min_objects, max_objects, min_size, max_size;
};

/* Kinds of parameters that only a pipeline has (plan/kinds.h). */
#define LABEL_PAIRS(S, f, ...) ROW(S, f, struct label_pairs, label_pairs, __VA_ARGS__)
#define WHEN(S, f, ...) ROW(S, f, struct conditions, when, __VA_ARGS__)
#define REJECT_RULES(S, f, ...) ROW(S, f, struct reject_rules, reject_rules, __VA_ARGS__)

/* How ops are joined to passes over memory. */
enum optimize {
    OPTIMIZE_NONE,  /* op by op */
    OPTIMIZE_EXACT, /* neighbors are joined where the bits stay the same */
    OPTIMIZE_FAST,  /* also where pixels change a little: see fast_bounds.h */
};

/* Meaning of an image's EXIF orientation. */
enum exif_rule { EXIF_APPLY, EXIF_IGNORE };
enum cmyk_rule { CMYK_PROFILE, CMYK_NAIVE };

/* Output for an image that no op changed. */
enum untouched_rule { UNTOUCHED_ENCODE, UNTOUCHED_COPY };

/* Whether the color profile and density of a file are kept. */
enum metadata { METADATA_KEEP, METADATA_STRIP };

/* The "output" section. */
struct output_rules {
    int format; /* enum picture_format */
    int quality;
    int subsampling; /* enum subsampling */
    int compression;
    int untouched;            /* enum untouched_rule */
    int metadata;             /* enum metadata */
    struct colour background; /* replaces transparency; n = 0: alpha is kept */
    bool lossless;            /* turn and crop JPEGs by their coefficients */
};

/* The default parameters of each op of the registry, in its order, from which emitted ops start.
 * Each is read when it is first needed: reading all would take a tenth of the time of one small
 * image. */
struct op_defaults {
    struct arena arena;
    void **at; /* NULL: not read yet */
};

struct plan {
    const char *file; /* the file's name, for later faults */
    struct slice text;
    int version;
    int64_t seed;
    int optimize; /* enum optimize */
    int exif;     /* enum exif_rule */
    int cmyk;     /* enum cmyk_rule */
    struct rules rules;
    struct output_rules output;
    struct steps transforms;
    unsigned fan_out; /* largest number of samples per image: see struct op */
    bool varies;      /* the number of samples depends on the image */
    bool joins;       /* a sample may have objects of several images, or an object several times */
    size_t images;    /* largest number of images in one sample */
    struct arena arena; /* owns all memory of the plan */
    struct op_defaults *op_defaults;
};

extern const struct choice optimize_choices[];
extern const struct choice exif_choices[], cmyk_choices[];
extern const struct choice metadata_choices[];
extern const struct choice output_formats[]; /* same, jpeg, png, ... */
extern const struct row pipeline_rows[];     /* top level: version, seed, annotations, ... */
extern const struct row annotation_rows[];   /* into struct rules */
extern const struct row output_rows[];       /* into struct output_rules */
extern const struct row step_rows[]; /* rows that every step has besides its own: id, p, when */

/* Returns a background of one number or three, on the 0..255 scale, as the fill of a plane with
 * this many colors. Gray planes get the luma of three numbers. */
struct fill background_fill(const struct colour *, int colours, enum pixel_type);

/* Reads a pipeline from faults->text. Returns false, with all faults, if it is not valid. */
bool plan_read(struct faults *, struct plan *);
/* Makes a plan from the steps that were recorded for one output: ops with their values, as
 * resolved_op_print writes them, which need no random numbers. The steps live in the arena; the
 * rest is shared with `base`. Returns false with faults. */
bool plan_read_recorded(const struct plan *base, const struct value *steps, struct arena *,
                        struct plan *, struct faults *);
/* Makes a plan without steps, with all defaults. */
void plan_empty(struct plan *);
void plan_drop(struct plan *);
/* Returns the default parameters of an op, op->params_size bytes. They live as long as the plan. */
const void *plan_op_defaults(const struct plan *, const struct op *);

/* Prints the whole pipeline as JSON, with all defaults. */
void plan_print(const struct plan *, struct text *);
/* Return the name of a step's transform or op, and its rows. */
const char *step_name(const struct step *);
const struct row *step_own_rows(const struct step *);
/* Prints a step as JSON; the `print` of struct step for a plan's steps. */
void step_print(const struct step *, struct text *);
/* Prints the step's position for people: "3", or "3.1" for the first step inside the third. */
void step_print_number(const struct step *, struct text *);
/* Reads a step from JSON text, such as an example. Returns false if it is not valid. */
bool step_read_text(const char *json, struct arena *, struct step *);
/* Returns the lists of steps that a parameter contains: one, several or, for other kinds, none. */
struct chains step_lists(const struct step *, const struct row *);
/* Replaces the lists of steps in the fields of this row's kind, in a copy of a step's parameters.
 * `lists` has as many lists as step_lists returns. The lists are borrowed; arrays that contain them
 * are copied to the arena. */
void params_set_lists(const struct row *, void *params, const struct steps *lists, struct arena *);
/* Returns the largest number of images that the step joins, by the `images` hook of its transform
 * or op; 1 if the step joins none. */
size_t step_images(const struct step *);
/* True if the step may borrow other images. */
bool step_borrows(const struct step *);
/* True if the step may show images through each other and refuses their label masks. */
bool step_refuses_masks(const struct step *);
/* Visits all steps in order. Steps inside a step follow it, unless its visit returned false. */
void steps_walk(const struct steps *, bool (*visit)(const struct step *, void *context),
                void *context);
