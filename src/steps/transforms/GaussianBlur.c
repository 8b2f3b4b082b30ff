/* GaussianBlur: a Gaussian of random width. */
#include "steps/transform.h"

struct params {
    struct optional_list kernel_size, blur_limit;
    struct optional_range sigma;
};

static const struct row rows[] = {
    OPTIONAL_LIST(struct params, kernel_size, .preset = "null", .least = 1, .most = 2,
                  .whole = true, .odd = true, .unit = "pixels", .limit = { 1, 999 },
                  .usual = { 1, 15 },
                  .help = "odd number of taps; [x, y] or one number for both; null: by "
                          "`blur_limit`, and without it all taps within 3.5 deviations"),
    OPTIONAL_LIST(struct params, blur_limit, .ends = true, .preset = "null", .least = 1, .most = 2,
                  .whole = true, .odd = true, .unit = "pixels", .limit = { 1, 999 },
                  .usual = { 1, 15 },
                  .help = "alternative to `kernel_size`: its range, odd and inclusive; one "
                          "value for x and y"),
    OPTIONAL_RANGE(struct params, sigma, .preset = "[0.1, 2]", .unit = "pixels",
                   .limit = { 0, 1000 }, .above = true, .usual = { 0.1, 3 },
                   .help = "range of the standard deviation; one value for x and y; null: from the "
                           "kernel, 0.15 * size + 0.35"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->kernel_size.given && p->blur_limit.given)
        return value_fault(faults, value_get(step, "blur_limit"), true, "param-conflict",
                           "cannot be combined with `kernel_size`");
    if (!p->kernel_size.given && !p->blur_limit.given && !p->sigma.given)
        return value_fault(faults, value_get(step, "sigma"), false, "param-conflict",
                           "without `sigma`, `kernel_size` or `blur_limit` is required");
    return !p->blur_limit.given || ordered_check(&p->blur_limit.list, "blur_limit", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct optional limit = { .given = p->blur_limit.given }, sigma = { .given = p->sigma.given };

    if (limit.given)
        limit.number = draw_odd(run, &p->blur_limit.list);
    if (sigma.given)
        sigma.number = rng_between(run->rng, p->sigma.range.lo, p->sigma.range.hi);
    if (limit.given)
        emit(run, "gaussian_blur", arg_optional("kernel_size", &limit),
             arg_optional("sigma", &sigma));
    else
        emit_shared(run, "gaussian_blur", arg_optional("sigma", &sigma));
}

const struct transform GaussianBlur_transform = {
    .name = "GaussianBlur",
    .summary = "blur with a Gaussian of random width",
    .group = GROUP_BLUR,
    .origin = ORIGIN_TORCHVISION,
    .note = "Albumentations has a transform of this name: its `sigma_limit` is `sigma` here, "
            "and its `blur_limit` of 0 is null",
    .example = "{\"type\": \"GaussianBlur\", \"kernel_size\": 5, \"sigma\": [0.1, 2]}",
    .emits = (const char *const[]){ "gaussian_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
