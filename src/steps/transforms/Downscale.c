/* Downscale: shrinks the image and enlarges it again. */
#include "steps/transform.h"

struct params {
    struct range scale_range;
    int downscale, upscale;
    bool antialias;
};

static const struct row rows[] = {
    RANGE(struct params, scale_range, .preset = "[0.25, 0.25]", .limit = { 0, 1 }, .above = true,
          .usual = { 0.1, 0.9 }, .help = "range of the scale of the smaller image's sides"),
    CHOICE(struct params, downscale, .preset = "\"nearest\"", .choices = resize_choices,
           .help = "interpolation for shrinking (Albumentations: in interpolation_pair)"),
    CHOICE(struct params, upscale, .preset = "\"nearest\"", .choices = resize_choices,
           .help = "interpolation for enlarging"),
    FLAG(struct params, antialias, .preset = "true", .help = "widen the filter when shrinking"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "downscale",
                NUM("scale", rng_between(run->rng, p->scale_range.lo, p->scale_range.hi)));
}

const struct transform Downscale_transform = {
    .name = "Downscale",
    .summary = "lose detail: shrink and enlarge again",
    .group = GROUP_NOISE,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Downscale\", \"scale_range\": [0.2, 0.5]}",
    .emits = (const char *const[]){ "downscale", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
