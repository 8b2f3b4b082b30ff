/* MotionBlur: a streak of random length and direction. */
#include "steps/transform.h"

struct params {
    struct list blur_limit;
    struct range angle_range, direction_range;
};

static const struct row rows[] = {
    BLUR_LIMIT_ROW(struct params),
    RANGE(struct params, angle_range, .preset = "[0, 360]", .unit = "degrees",
          .limit = { -360, 360 }, .usual = { 0, 360 },
          .help = "range of the streak's direction: 0 to the right, 90 down"),
    RANGE(struct params, direction_range, .preset = "[-1, 1]", .limit = { -1, 1 },
          .usual = { -1, 1 },
          .help = "range of the choice of half of the streak is used: 0 both halves, 1 the "
                  "half ahead, -1 the half to the rear; 0 keeps objects at their labels (there "
                  "is no allow_shifted of Albumentations, which shifts them farther)"),
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
    double angle = rng_between(run->rng, p->angle_range.lo, p->angle_range.hi);
    double direction = rng_between(run->rng, p->direction_range.lo, p->direction_range.hi);

    emit(run, "motion_blur", NUM("kernel_size", size), NUM("angle", angle),
         NUM("direction", direction));
}

const struct transform MotionBlur_transform = {
    .name = "MotionBlur",
    .summary = "smear along a line of random length and direction",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "the streak is drawn between pixels instead of on the nearest ones, and has "
               "half its length at a `direction` of 1 or -1; there is no allow_shifted, which "
               "moves the image off its labels",
    .example = "{\"type\": \"MotionBlur\", \"blur_limit\": [9, 21]}",
    .emits = (const char *const[]){ "motion_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
