/* RandomResizedCrop: crops a window of random area and aspect ratio, and resizes it. */
#include "steps/transform.h"

struct params {
    struct size size;
    struct range scale, ratio;
    int interpolation;
    bool antialias;
};

static const struct row rows[] = {
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "[height, width] of the result, or one number for a square"),
    RANGE(struct params, scale, .preset = "[0.08, 1]", .limit = { 0, 1 }, .above = true,
          .help = "range of the window's share of the image's area"),
    RANGE(struct params, ratio, .preset = "[0.75, 1.3333333333333333]", .limit = { 0, 1000 },
          .above = true, .usual = { 0.5, 2 },
          .help = "range of the window's width / height; its logarithm is uniform"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

/* Tries ten times, then takes the largest window in the middle within the ratios, as torchvision
 * does. */
static struct window find_window(struct run *run, const struct params *p)
{
    int W = run->frame.width, H = run->frame.height;
    double in = (double)W / H;
    struct window win = { 0, 0, H, W };

    for (int i = 0; i < 10; i++) {
        double area = (double)W * H * rng_between(run->rng, p->scale.lo, p->scale.hi);
        double ratio = rng_log_between(run->rng, p->ratio.lo, p->ratio.hi);
        int w = round_half_even(sqrt(area * ratio)), h = round_half_even(sqrt(area / ratio));

        if (w < 1 || h < 1 || w > W || h > H)
            continue;
        win.top = (int)rng_integer(run->rng, 0, H - h + 1);
        win.left = (int)rng_integer(run->rng, 0, W - w + 1);
        win.height = h;
        win.width = w;
        return win;
    }
    if (in < p->ratio.lo)
        win.height = round_half_even(W / p->ratio.lo);
    else if (in > p->ratio.hi)
        win.width = round_half_even(H * p->ratio.hi);
    win.height = win.height < 1 ? 1 : win.height;
    win.width = win.width < 1 ? 1 : win.width;
    win.top = (H - win.height) / 2;
    win.left = (W - win.width) / 2;
    return win;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct window win = find_window(run, p);

    emit_crop(run, &win);
    emit_shared(run, "resize", PAIR("size", p->size.height, p->size.width));
}

const struct transform RandomResizedCrop_transform = {
    .name = "RandomResizedCrop",
    .summary = "crop a window of random area and shape, and resize it",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomResizedCrop\", \"size\": [96, 96], \"scale\": [0.3, 1]}",
    .emits = (const char *const[]){ "crop", "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
