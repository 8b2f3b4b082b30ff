/* AugMix: the image blended with what chains of operations make of it (Hendrycks et al. 2020). */
#include "steps/magnitudes.h"

enum { BINS = 10 };
enum geometry { GEOMETRY_AUTO, GEOMETRY_CHAINS, GEOMETRY_NONE };

static const struct choice geometry_choices[] = {
    { "auto", GEOMETRY_AUTO, "chains where a sample has neither objects nor a label mask" },
    { "chains", GEOMETRY_CHAINS,
      "among the operations, as in torchvision; labels stay with the image itself, and what a "
      "chain "
      "shows elsewhere is not theirs" },
    { "none", GEOMETRY_NONE, "left out: the operations only recolour" },
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
            .help = "of ten strengths, how many of the weakest are drawn from"),
    INTEGER(struct params, mixture_width, .preset = "3", .limit = { 1, 16 }, .usual = { 1, 4 },
            .help = "chains"),
    INTEGER(struct params, chain_depth, .preset = "-1", .limit = { -1, 100 }, .usual = { -1, 3 },
            .help = "operations a chain; -1 and 0: 1 to 3, drawn for each"),
    NUMBER(struct params, alpha, .preset = "1", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.2, 5 },
           .help = "of the Dirichlet distributions that weights are drawn from: how the image "
                   "and its chains, and then the chains, share; large values share evenly"),
    FLAG(struct params, all_ops, .preset = "true",
         .help = "are adjust_brightness, adjust_saturation, adjust_contrast and adjust_sharpness "
                 "among the operations?"),
    CHOICE(struct params, geometry, .preset = "\"auto\"", .choices = geometry_choices,
           .help = "shear, shift and rotation, which would show objects where no label is"),
    OPERATION_ROWS(struct params, "bilinear"),
    ROWS_END,
};

static bool has_geometry(const struct run *run)
{
    const struct params *p = run->params;

    return p->geometry == GEOMETRY_CHAINS || (p->geometry == GEOMETRY_AUTO && !run->labelled);
}

/* The first is the image itself. */
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
    .differs = "where a sample has objects or a label mask, shear, shift and rotation are left out "
               "(torchvision raises an error there); `geometry` says so",
    .example = "{\"type\": \"AugMix\", \"severity\": 5, \"mixture_width\": 2}",
    .emits = (const char *const[]){ "mix", OPERATION_OPS, NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
