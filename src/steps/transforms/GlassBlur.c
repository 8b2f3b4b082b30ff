/* GlassBlur: frosted glass. */
#include "steps/transform.h"

struct params {
    double sigma;
    int max_delta, iterations;
};

static const struct row rows[] = {
    NUMBER(struct params, sigma, .preset = "0.7", .unit = "pixels", .limit = { 0.1, 50 },
           .usual = { 0.3, 1.5 },
           .help = "standard deviation of the Gaussian before and after; it reaches 4 of it"),
    INTEGER(struct params, max_delta, .preset = "4", .unit = "pixels", .limit = { 1, 100 },
            .usual = { 1, 4 },
            .help = "how far away a pixel's new colour may come from, along and down"),
    INTEGER(struct params, iterations, .preset = "2", .limit = { 1, 100 }, .usual = { 1, 3 },
            .help = "how often pixels are shuffled"),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared(run, "glass_blur", NUM("key", draw_key(run)));
}

const struct transform GlassBlur_transform = {
    .name = "GlassBlur",
    .summary = "shuffle pixels locally, as frosted glass does",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "pixels take a near one's colour one after the other, as in ImageNet-C; there is "
               "no `mode`, whose `fast` exchanges them",
    .example = "{\"type\": \"GlassBlur\", \"max_delta\": 3}",
    .emits = (const char *const[]){ "glass_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
