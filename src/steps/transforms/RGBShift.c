/* RGBShift: adds a random number of levels to each color. */
#include "steps/transform.h"

struct params {
    struct range r_shift_limit, g_shift_limit, b_shift_limit;
};

#define LIMIT_ROW(f, colour)                                                                       \
    RANGE(struct params, f, .preset = "[-20, 20]", .unit = "levels", .limit = { -255, 255 },       \
          .scalar = SCALAR_SYMMETRIC,                                                              \
          .help = "range of the number added to " colour ", on the scale 0..255; v means "         \
                  "[-v, v]")

static const struct row rows[] = {
    LIMIT_ROW(r_shift_limit, "red"),
    LIMIT_ROW(g_shift_limit, "green"),
    LIMIT_ROW(b_shift_limit, "blue"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double r = rng_between(run->rng, p->r_shift_limit.lo, p->r_shift_limit.hi);
    double g = rng_between(run->rng, p->g_shift_limit.lo, p->g_shift_limit.hi);
    double b = rng_between(run->rng, p->b_shift_limit.lo, p->b_shift_limit.hi);

    emit(run, "shift_rgb", NUM("r_shift", r), NUM("g_shift", g), NUM("b_shift", b));
}

const struct transform RGBShift_transform = {
    .name = "RGBShift",
    .summary = "add random levels to each colour; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RGBShift\", \"r_shift_limit\": 40, \"b_shift_limit\": 40}",
    .emits = (const char *const[]){ "shift_rgb", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
