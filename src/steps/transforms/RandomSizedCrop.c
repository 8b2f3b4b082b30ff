/* RandomSizedCrop: crops a window of random height and fixed aspect ratio at a random place, and
 * resizes it. */
#include "steps/transform.h"

struct params {
    struct list min_max_height;
    struct size size;
    double w2h_ratio;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    LIST(struct params, min_max_height, .ends = true, .least = 2, .most = 2, .whole = true,
         .unit = "pixels", .limit = { 1, 65500 }, .usual = { 16, 40 },
         .help = "range of the window's height, inclusive"),
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 60 },
         .help = "[height, width] of the result, or one number for a square"),
    NUMBER(struct params, w2h_ratio, .preset = "1", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.5, 1.5 }, .help = "width / height of the window"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->min_max_height, "min_max_height", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window w = { .height = draw_whole(run, &p->min_max_height) };

    w.width = (int)fmax(1, floor(w.height * p->w2h_ratio));
    if (!check_crop_size(run, w.height, w.width))
        return;
    w.top = (int)rng_integer(run->rng, 0, run->frame.height - w.height + 1);
    w.left = (int)rng_integer(run->rng, 0, run->frame.width - w.width + 1);
    emit_crop(run, &w);
    emit_resize(run, p->size.height, p->size.width);
}

const struct transform RandomSizedCrop_transform = {
    .name = "RandomSizedCrop",
    .summary = "crop a window of random height at a random place, and resize it",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomSizedCrop\", \"min_max_height\": [24, 40], \"size\": [60, 80]}",
    .emits = (const char *const[]){ "crop", "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
