/* MedianBlur: the median of a square of random size. */
#include "steps/transform.h"

struct params {
    struct list blur_limit;
};

static const struct row rows[] = {
    BLUR_LIMIT_ROW(struct params),
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

    emit(run, "median_blur", NUM("kernel_size", draw_odd(run, &p->blur_limit)));
}

const struct transform MedianBlur_transform = {
    .name = "MedianBlur",
    .summary = "replace each pixel by the median of a square of random size",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"MedianBlur\", \"blur_limit\": [3, 9]}",
    .emits = (const char *const[]){ "median_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
