/* ZoomBlur: the blur of zooming by a random factor while the shutter is open. */
#include "steps/transform.h"

struct params {
    struct range max_factor, step_factor;
};

static const struct row rows[] = {
    RANGE(struct params, max_factor, .preset = "[1, 1.31]", .limit = { 1, 10 }, .usual = { 1, 1.3 },
          .scalar = SCALAR_FROM_1,
          .help = "range of the upper bound of the zoom factors; v "
                  "means [1, v]"),
    RANGE(struct params, step_factor, .preset = "[0.01, 0.03]", .limit = { 0.001, 10 },
          .usual = { 0.01, 0.03 }, .help = "range of the step from one zoom factor to the next"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double max = rng_between(run->rng, p->max_factor.lo, p->max_factor.hi);
    double step = rng_between(run->rng, p->step_factor.lo, p->step_factor.hi);

    emit(run, "zoom_blur", NUM("max_factor", max), NUM("step_factor", step));
}

const struct transform ZoomBlur_transform = {
    .name = "ZoomBlur",
    .summary = "blur outward from the middle, as by zooming in, by a random factor",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ZoomBlur\", \"max_factor\": [1.1, 1.4]}",
    .emits = (const char *const[]){ "zoom_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
