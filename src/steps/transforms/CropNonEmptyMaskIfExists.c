/* CropNonEmptyMaskIfExists: a window of fixed size that holds a pixel of an object. */
#include "steps/transform.h"

struct params {
    int height, width;
    struct optional_list ignore_values;
};

static const struct row rows[] = {
    CROP_SIDE_ROWS(struct params, "of the window"),
    OPTIONAL_LIST(struct params, ignore_values, .preset = "null", .least = 1, .most = 8,
                  .whole = true, .limit = { 0, 65535 },
                  .help = "labels of the label mask that are as good as 0"),
    ROWS_END,
};

/* The window begins so that `at` is any of its pixels, evenly, and is then moved into the image. */
static int draw_begin(struct rng *rng, int at, int size, int n)
{
    int begin = at - (int)rng_integer(rng, 0, size);

    return begin < 0 ? 0 : begin > n - size ? n - size : begin;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window w = { .height = p->height, .width = p->width };
    int W = run->frame.width, H = run->frame.height, x, y;

    if (!crop_fits(run, w.height, w.width))
        return;
    if (run_pixel_of_objects(run, &p->ignore_values.list, &x, &y)) {
        w.left = draw_begin(run->rng, x, w.width, W);
        w.top = draw_begin(run->rng, y, w.height, H);
    } else {
        w.left = (int)rng_integer(run->rng, 0, W - w.width + 1);
        w.top = (int)rng_integer(run->rng, 0, H - w.height + 1);
    }
    emit_crop(run, &w);
}

const struct transform CropNonEmptyMaskIfExists_transform = {
    .name = "CropNonEmptyMaskIfExists",
    .summary = "cut out a window of fixed size that holds a pixel drawn evenly from all of the "
               "objects' outlines or, where no objects are annotated, from the label mask's that "
               "are not 0; without any, anywhere",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "looks at the objects' outlines, and at the label mask only where there are none",
    .example = "{\"type\": \"CropNonEmptyMaskIfExists\", \"height\": 60, \"width\": 80}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
