/* UnsharpMask: moves pixels away from a Gaussian blur, with random strength. */
#include "steps/transform.h"

struct params {
    struct list blur_limit;
    struct range sigma_limit, alpha;
    double threshold;
};

static const struct row rows[] = {
    BLUR_LIMIT_ROW(struct params),
    RANGE(struct params, sigma_limit, .preset = "[0, 0]", .unit = "pixels", .limit = { 0, 1000 },
          .usual = { 0.5, 3 }, .scalar = SCALAR_FROM_0,
          .help = "range of the standard deviation of the blur; 0: 0.15 * kernel size + 0.35; "
                  "v means [0, v], as in Albumentations"),
    RANGE(struct params, alpha, .preset = "[0.2, 0.5]", .limit = { 0, 10 }, .usual = { 0.1, 1 },
          .scalar = SCALAR_FROM_0,
          .help = "range of the share of the difference from the blur that is added; v means "
                  "[0, v], as in Albumentations"),
    NUMBER(struct params, threshold, .preset = "10", .unit = "levels", .limit = { 0, 255 },
           .usual = { 0, 20 },
           .help = "pixels that differ from the blur by at most this are unchanged"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->blur_limit, "blur_limit", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int size = draw_odd(run, &p->blur_limit);
    double sigma = rng_between(run->rng, p->sigma_limit.lo, p->sigma_limit.hi);
    double alpha = rng_between(run->rng, p->alpha.lo, p->alpha.hi);

    emit_shared(run, "unsharp_mask", NUM("kernel_size", size), NUM("sigma", sigma),
                NUM("alpha", alpha));
}

const struct transform UnsharpMask_transform = {
    .name = "UnsharpMask",
    .summary = "add a random share of the difference from a blur",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"UnsharpMask\", \"alpha\": [0.5, 1]}",
    .emits = (const char *const[]){ "unsharp_mask", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
