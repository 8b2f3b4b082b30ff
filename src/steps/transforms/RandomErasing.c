/* RandomErasing: paints over a rectangle of random place, area and shape with probability p. */
#include "steps/transform.h"

struct params {
    struct range scale, ratio;
    struct colour value;
    bool noise;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    RANGE(struct params, scale, .preset = "[0.02, 0.33]", .limit = { 0, 1 }, .above = true,
          .help = "range of the rectangle's share of the image's area"),
    RANGE(struct params, ratio, .preset = "[0.3, 3.3]", .limit = { 0, 1000 }, .above = true,
          .usual = { 0.3, 3 },
          .help = "range of the rectangle's height / width; its logarithm is uniform"),
    COLOUR(struct params, value, .preset = "0", .help = "the paint: a number, or one per channel"),
    FLAG(struct params, noise, .preset = "false",
         .help = "uniform noise over the full range instead of `value` (torchvision's "
                 "\"random\" is for normalized floats)"),
    HIDE_ROWS(struct params),
    ROWS_END,
};

/* Tries ten times to find a rectangle strictly smaller than the image; otherwise nothing is erased.
 */
static void draw(struct run *run)
{
    const struct params *p = run->params;
    int W = run->frame.width, H = run->frame.height;

    for (int i = 0; i < 10; i++) {
        double area = (double)W * H * rng_between(run->rng, p->scale.lo, p->scale.hi);
        double ratio = rng_log_between(run->rng, p->ratio.lo, p->ratio.hi);
        int h = round_half_even(sqrt(area * ratio)), w = round_half_even(sqrt(area / ratio));
        int64_t top, left, key;

        if (h < 1 || w < 1 || h >= H || w >= W)
            continue;
        top = rng_integer(run->rng, 0, H - h + 1);
        left = rng_integer(run->rng, 0, W - w + 1);
        key = p->noise ? draw_key(run) : 0;
        emit_shared(run, "erase", NUM("i", top), NUM("j", left), NUM("h", h), NUM("w", w),
                    arg_colour("v", &p->value), NUM("key", key));
        return;
    }
}

const struct transform RandomErasing_transform = {
    .name = "RandomErasing",
    .summary = "paint over a random rectangle with probability `p`",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_TORCHVISION,
    .differs = "`noise` is torchvision's value \"random\", over the full range; hidden objects "
               "lose visibility",
    .example = "{\"type\": \"RandomErasing\", \"p\": 0.5, \"scale\": [0.02, 0.2], \"value\": 127}",
    .emits = (const char *const[]){ "erase", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
