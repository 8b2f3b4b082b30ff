/* ElasticTransform: displaces every pixel by smoothed noise. */
#include "steps/transform.h"

struct params {
    struct list alpha, sigma;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    LIST(struct params, alpha, .preset = "50", .least = 1, .most = 2, .limit = { 0, 100000 },
         .usual = { 10, 40 },
         .help = "strength, [x, y] or one number for both: before smoothing, displacements are "
                 "uniform in -alpha/2..alpha/2 pixels"),
    LIST(struct params, sigma, .preset = "5", .least = 1, .most = 2, .unit = "pixels",
         .limit = { 0, 200 }, .usual = { 5, 8 },
         .help = "standard deviation of the smoothing along x and y. If alpha exceeds about 5 * "
                 "sigma^2, the image may fold: outlines become RLE of the visible part, and "
                 "keypoints follow the nearest place that shows them"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared(run, "elastic", NUM("key", draw_key(run)));
}

const struct transform ElasticTransform_transform = {
    .name = "ElasticTransform",
    .summary = "displace pixels by smoothed noise; labels follow to a fraction of a pixel",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .note = "Albumentations has a transform of this name with `alpha` in pixels, twice as "
            "strong: write twice its number",
    .example = "{\"type\": \"ElasticTransform\", \"alpha\": 150, \"sigma\": 6}",
    .emits = (const char *const[]){ "elastic", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
