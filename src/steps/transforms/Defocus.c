/* Defocus: a disc of random radius. */
#include "steps/transform.h"

struct params {
    struct list radius;
    struct range alias_blur;
};

static const struct row rows[] = {
    LIST(struct params, radius, .ends = true, .preset = "[3, 10]", .least = 1, .most = 2,
         .whole = true, .unit = "pixels", .limit = { 1, 60 }, .usual = { 1, 10 },
         .scalar = SCALAR_FROM_1, .help = "range of the disc's radius, inclusive; v means [1, v]"),
    RANGE(struct params, alias_blur, .preset = "[0.1, 0.5]", .unit = "pixels",
          .limit = { 0.01, 10 }, .usual = { 0.1, 0.6 },
          .help = "range of the standard deviation of the Gaussian that smooths the disc's edge"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->radius, "radius", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int radius = draw_whole(run, &p->radius);

    emit(run, "defocus", NUM("radius", radius),
         NUM("alias_blur", rng_between(run->rng, p->alias_blur.lo, p->alias_blur.hi)));
}

const struct transform Defocus_transform = {
    .name = "Defocus",
    .summary = "blur with a disc of random radius, as out of focus",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Defocus\", \"radius\": [4, 8]}",
    .emits = (const char *const[]){ "defocus", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
