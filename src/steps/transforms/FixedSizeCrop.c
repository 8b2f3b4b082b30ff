/* FixedSizeCrop: crops a window of fixed size, and pads missing pixels on the right and at the
 * bottom. */
#include "steps/transform.h"

struct params {
    struct size size;
    struct colour fill;
    int fill_mask, padding_mode;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 60 },
         .help = "[height, width], or one number for a square"),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* A random number places the window along both axes, as in the reference. */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window w = { .height = smaller(run->frame.height, p->size.height),
                        .width = smaller(run->frame.width, p->size.width) };
    double along = rng_unit(run->rng);
    int right = p->size.width - w.width, below = p->size.height - w.height;

    w.top = (int)((run->frame.height - w.height) * along);
    w.left = (int)((run->frame.width - w.width) * along);
    if (run->frame.height > w.height || run->frame.width > w.width)
        emit_crop(run, &w);
    if (right > 0 || below > 0)
        emit_shared(run, "pad", NUMS("padding", 4, ((double[]){ 0, 0, right, below })));
}

const struct transform FixedSizeCrop_transform = {
    .name = "FixedSizeCrop",
    .summary = "crop a window of fixed size, and pad missing pixels on the right and at the "
               "bottom: the last step of large-scale jittering",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .note = "it follows torchvision's reference training scripts; detectron2's fills with 128",
    .example = "{\"type\": \"FixedSizeCrop\", \"size\": [60, 80], \"fill\": 114}",
    .emits = (const char *const[]){ "crop", "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
