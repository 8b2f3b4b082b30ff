/* PixelDropout: paints over single pixels with probability p. */
#include "steps/transform.h"

struct params {
    double dropout_prob;
    bool per_channel;
    struct colour drop_value;
    struct optional mask_drop_value;
};

static const struct row rows[] = {
    SPECKLE_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return mask_drop_check(p->per_channel, &p->mask_drop_value, step, faults);
}

static void draw(struct run *run)
{
    emit_shared(run, "pixel_dropout", NUM("key", draw_key(run)));
}

const struct transform PixelDropout_transform = {
    .name = "PixelDropout",
    .summary = "paint over random single pixels with probability `p`; objects and their visibility "
               "are unchanged",
    .group = GROUP_DROPOUT,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "a `drop_value` of null draws a value for each pixel; Albumentations draws one "
               "colour per image",
    .example = "{\"type\": \"PixelDropout\", \"p\": 1, \"dropout_prob\": 0.1}",
    .emits = (const char *const[]){ "pixel_dropout", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
