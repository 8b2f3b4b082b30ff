/* RingingOvershoot: waves next to edges, at random. */
#include "steps/transform.h"

struct params {
    struct list blur_limit;
    struct range cutoff;
};

static const struct row rows[] = {
    LIST(struct params, blur_limit, .ends = true, .preset = "[7, 15]", .least = 1, .most = 2,
         .whole = true, .odd = true, .unit = "pixels", .limit = { 3, 63 }, .usual = { 3, 15 },
         .scalar = SCALAR_FROM_3,
         .help = "range of the odd kernel size, inclusive; v means [3, v]"),
    RANGE(struct params, cutoff, .preset = "[0.7853981633974483, 1.5707963267948966]",
          .unit = "radians per pixel", .limit = { 0, M_PI }, .above = true, .usual = { 0.6, 2 },
          .help = "range of the cutoff frequency of the low-pass filter"),
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

    emit(run, "ringing", NUM("kernel_size", size),
         NUM("cutoff", rng_between(run->rng, p->cutoff.lo, p->cutoff.hi)));
}

const struct transform RingingOvershoot_transform = {
    .name = "RingingOvershoot",
    .summary = "make waves next to edges, with random strength",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RingingOvershoot\", \"blur_limit\": [13, 25], \"cutoff\": [0.5, 0.8]}",
    .emits = (const char *const[]){ "ringing", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
