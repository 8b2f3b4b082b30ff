/* AugMix: blends the image with the results of chains of operations (Hendrycks et al. 2020). */
#include "steps/transform_shared/magnitudes.h"

enum { BINS = 10 };
enum geometry { GEOMETRY_AUTO, GEOMETRY_CHAINS, GEOMETRY_NONE };

static const struct choice geometry_choices[] = {
    { "auto", GEOMETRY_AUTO, "use them if a sample has neither objects nor a label mask" },
    { "chains", GEOMETRY_CHAINS,
      "always use them, as in torchvision; labels follow the image itself, so that they do not "
      "match what a chain moves" },
    { "none", GEOMETRY_NONE, "never use them: operations only change colours" },
    { 0 },
};

struct params {
    int severity, mixture_width, chain_depth, geometry, interpolation, fill_mask;
    double alpha;
    bool all_ops;
    struct colour fill;
};

static const struct row rows[] = {
    INTEGER(struct params, severity, .preset = "3", .limit = { 1, BINS },
            .help = "number of the weakest of ten strengths to draw from"),
    INTEGER(struct params, mixture_width, .preset = "3", .limit = { 1, 16 }, .usual = { 1, 4 },
            .help = "chains"),
    INTEGER(struct params, chain_depth, .preset = "-1", .limit = { -1, 100 }, .usual = { -1, 3 },
            .help = "operations per chain; -1 and 0: 1 to 3, drawn for each chain"),
    NUMBER(struct params, alpha, .preset = "1", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.2, 5 },
           .help = "parameter of the Dirichlet distributions of the weights, first of the "
                   "image and all chains, then of the chains; large values give equal weights"),
    FLAG(struct params, all_ops, .preset = "true",
         .help = "include adjust_brightness, adjust_saturation, adjust_contrast and "
                 "adjust_sharpness"),
    CHOICE(struct params, geometry, .preset = "\"auto\"", .choices = geometry_choices,
           .help = "when to use shear, shift and rotation, which would move objects away from "
                   "their labels"),
    OPERATION_ROWS(struct params, "bilinear"),
    ROWS_END,
};

static bool has_geometry(const struct run *run)
{
    const struct params *p = run->params;

    return p->geometry == GEOMETRY_CHAINS || (p->geometry == GEOMETRY_AUTO && !run->labelled);
}

/* The first chain is the image itself. */
static void chain(struct run *run, size_t i, const void *context)
{
    const struct params *p = context;
    const struct operations all = { STRENGTHS_MIX, BINS };
    int first = has_geometry(run) ? SHEAR_X : POSTERIZE, end = p->all_ops ? INVERT : BRIGHTNESS;
    int64_t depth = 0;

    if (i > 0)
        depth = p->chain_depth > 0 ? p->chain_depth : rng_integer(run->rng, 1, 4);
    for (int64_t k = 0; k < depth; k++) {
        enum operation operation = (enum operation)rng_integer(run->rng, first, end);
        int bin = 0;

        if (operation_has_magnitude(operation))
            bin = (int)rng_integer(run->rng, 0, p->severity);
        emit_operation(run, &all, operation, bin);
    }
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t n = (size_t)p->mixture_width + 1;
    struct weights weights = { ARENA_ARRAY(run->arena, double, n), n };
    double share[2];

    rng_dirichlet(run->rng, p->alpha, share, 2);
    rng_dirichlet(run->rng, p->alpha, weights.at + 1, n - 1);
    weights.at[0] = share[0];
    for (size_t i = 1; i < n; i++)
        weights.at[i] *= share[1];
    emit_mix(run, &weights, n, chain, p);
}

const struct transform AugMix_transform = {
    .name = "AugMix",
    .summary = "blend the image with several random chains of operations on it, with labels (which "
               "torchvision refuses)",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .differs = "shear, shift and rotation are not used if a sample has objects or a label mask "
               "(torchvision raises an error); see `geometry`",
    .example = "{\"type\": \"AugMix\", \"severity\": 5, \"mixture_width\": 2}",
    .emits = (const char *const[]){ "mix", OPERATION_OPS, NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
