/* AdvancedBlur: blurs by a generalized Gaussian of random shape. */
#include "steps/transform.h"

struct params {
    struct list blur_limit;
    struct range sigma_x_limit, sigma_y_limit, rotate_limit, beta_limit, noise_limit;
};

static const struct row rows[] = {
    LIST(struct params, blur_limit, .ends = true, .preset = "[3, 7]", .least = 1, .most = 2,
         .whole = true, .odd = true, .unit = "pixels", .limit = { 3, 63 }, .usual = { 3, 15 },
         .scalar = SCALAR_FROM_3,
         .help = "range of the odd kernel size, inclusive; v means [3, v]"),
    RANGE(struct params, sigma_x_limit, .preset = "[0.2, 1]", .unit = "pixels", .limit = { 0, 100 },
          .usual = { 0.2, 3 }, .scalar = SCALAR_FROM_0,
          .help = "range of the standard deviation along the blur's first axis"),
    RANGE(struct params, sigma_y_limit, .preset = "[0.2, 1]", .unit = "pixels", .limit = { 0, 100 },
          .usual = { 0.2, 3 }, .scalar = SCALAR_FROM_0, .help = "the same along its second axis"),
    RANGE(struct params, rotate_limit, .preset = "[-90, 90]", .unit = "degrees",
          .limit = { -360, 360 }, .usual = { -90, 90 }, .scalar = SCALAR_SYMMETRIC,
          .help = "range of the rotation of the axes"),
    RANGE(struct params, beta_limit, .preset = "[0.5, 8]", .limit = { 0, 20 }, .above = true,
          .help = "range of the shape, which must contain 1: below 1 the tails are long, above "
                  "it the kernel is nearly a box; values below and above 1 are drawn with "
                  "probability 0.5 each"),
    RANGE(struct params, noise_limit, .preset = "[0.9, 1.1]", .limit = { 0, 10 }, .above = true,
          .usual = { 0.9, 1.1 }, .help = "range of the random factor of each weight"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->beta_limit.lo > 1 || p->beta_limit.hi < 1)
        return value_fault(faults, value_get(step, "beta_limit"), false, "param-range",
                           "the range must contain 1");
    return ordered_check(&p->blur_limit, "blur_limit", step, faults);
}

static double drawn(struct run *run, const struct range *range)
{
    return rng_between(run->rng, range->lo, range->hi);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int size = draw_odd(run, &p->blur_limit);
    double sigma_x = drawn(run, &p->sigma_x_limit), sigma_y = drawn(run, &p->sigma_y_limit);
    double angle = drawn(run, &p->rotate_limit);
    bool tails = rng_unit(run->rng) < 0.5;
    double beta = rng_between(run->rng, tails ? p->beta_limit.lo : 1, tails ? 1 : p->beta_limit.hi);

    emit(run, "advanced_blur", NUM("kernel_size", size), NUM("sigma_x", sigma_x),
         NUM("sigma_y", sigma_y), NUM("angle", angle), NUM("beta", beta),
         PAIR("noise", p->noise_limit.lo, p->noise_limit.hi), NUM("key", draw_key(run)));
}

const struct transform AdvancedBlur_transform = {
    .name = "AdvancedBlur",
    .summary = "blur by a generalized Gaussian of random shape",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"AdvancedBlur\", \"blur_limit\": [9, 15], \"sigma_x_limit\": [2, 4], "
               "\"sigma_y_limit\": [0.5, 1]}",
    .emits = (const char *const[]){ "advanced_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
