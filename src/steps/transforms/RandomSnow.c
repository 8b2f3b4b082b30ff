/* RandomSnow: bleaches dark pixels up to a random lightness, or adds a layer of snow of random
 * density. */
#include "steps/transform.h"

enum method { BLEACH, TEXTURE };

struct params {
    double brightness_coeff;
    struct range snow_point_range;
    int method;
};

static const struct choice methods[] = {
    { "bleach", BLEACH, "dark pixels become lighter" },
    { "texture", TEXTURE, "a grainy layer, thicker at the top, and pixels that glitter" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, brightness_coeff, .preset = "2.5", .limit = { 0, 100 }, .usual = { 1, 4 },
           .help = "bleach: factor for the lightness; texture: the factor for the value of HSV "
                   "is 1 + brightness_coeff * snow_point"),
    RANGE(struct params, snow_point_range, .preset = "[0.1, 0.3]", .limit = { 0, 1 },
          .help = "range of snow_point. bleach: pixels change up to a lightness of 85 + 127.5 "
                  "snow_point on the scale 0..255; texture: the amount of snow"),
    CHOICE(struct params, method, .preset = "\"bleach\"", .choices = methods, .help = "how"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double snow_point = rng_between(run->rng, p->snow_point_range.lo, p->snow_point_range.hi);

    if (p->method == TEXTURE)
        emit_shared(run, "snow_texture", NUM("snow_point", snow_point), NUM("key", draw_key(run)));
    else
        emit_shared(run, "snow", NUM("snow_point", snow_point));
}

const struct transform RandomSnow_transform = {
    .name = "RandomSnow",
    .summary = "bleach dark pixels, as under snow, or add a layer of snow",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "gray images get snow too (Albumentations refuses them); with `texture`, values "
               "are clamped to the maximum (Albumentations' wrap around to dark)",
    .example = "{\"type\": \"RandomSnow\", \"p\": 0.5, \"snow_point_range\": [0.1, 0.4]}",
    .emits = (const char *const[]){ "snow", "snow_texture", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
