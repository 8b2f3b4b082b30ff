/* GlassBlur: the look of frosted glass. */
#include "steps/transform.h"

struct params {
    double sigma;
    int max_delta, iterations;
};

static const struct row rows[] = {
    NUMBER(struct params, sigma, .preset = "0.7", .unit = "pixels", .limit = { 0.1, 50 },
           .usual = { 0.3, 1.5 },
           .help = "standard deviation of the Gaussian blur before and after; its kernel ends "
                   "at 4 deviations"),
    INTEGER(struct params, max_delta, .preset = "4", .unit = "pixels", .limit = { 1, 100 },
            .usual = { 1, 4 }, .help = "maximum distance of a pixel's new colour, along x and y"),
    INTEGER(struct params, iterations, .preset = "2", .limit = { 1, 100 }, .usual = { 1, 3 },
            .help = "number of shuffles"),
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
    .differs = "pixels take a nearby pixel's colour one after the other, as in ImageNet-C; "
               "there is no `mode`, where `fast` exchanges them",
    .example = "{\"type\": \"GlassBlur\", \"max_delta\": 3}",
    .emits = (const char *const[]){ "glass_blur", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
