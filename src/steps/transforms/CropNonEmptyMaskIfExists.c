/* CropNonEmptyMaskIfExists: crops a window of fixed size that contains a pixel of an object. */
#include "steps/transform.h"

struct params {
    int height, width;
    struct optional_list ignore_values;
};

static const struct row rows[] = {
    CROP_SIDE_ROWS(struct params, "of the window"),
    OPTIONAL_LIST(struct params, ignore_values, .preset = "null", .least = 1, .most = 8,
                  .whole = true, .limit = { 0, 65535 },
                  .help = "labels of the label mask that count as background, like 0"),
    ROWS_END,
};

/* Draws the begin of the window so that `at` is any of its pixels with equal probability, then
 * moves it into the image. */
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

    if (!check_crop_size(run, w.height, w.width))
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
    .summary = "crop a window of fixed size that contains a random pixel of all objects' "
               "outlines or, without objects, of the nonzero labels of the label mask; without "
               "any, at a random place",
    .group = GROUP_CROP,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "uses the objects' outlines, and the label mask only if there are no objects",
    .example = "{\"type\": \"CropNonEmptyMaskIfExists\", \"height\": 60, \"width\": 80}",
    .emits = (const char *const[]){ "crop", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
