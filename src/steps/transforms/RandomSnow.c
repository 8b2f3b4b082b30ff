/* RandomSnow: dark places bleached up to a random lightness, or a layer of snow of random
 * thickness.
 */
#include "steps/transform.h"

enum method { BLEACH, TEXTURE };

struct params {
    double brightness_coeff;
    struct range snow_point_range;
    int method;
};

static const struct choice methods[] = {
    { "bleach", BLEACH, "what is dark becomes lighter" },
    { "texture", TEXTURE, "a grainy layer, thicker above, and pixels that glitter" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, brightness_coeff, .preset = "2.5", .limit = { 0, 100 }, .usual = { 1, 4 },
           .help = "bleach: what the lightness is multiplied by; texture: the value of "
                   "HSV is multiplied by 1 + brightness_coeff * snow_point"),
    RANGE(struct params, snow_point_range, .preset = "[0.1, 0.3]", .limit = { 0, 1 },
          .help = "bleach: up to which lightness, 85 + 127.5 snow_point on the scale 0..255; "
                  "texture: how much snow there is"),
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
    .summary = "bleach what is dark, as under snow, or lay snow over all",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "gray images get snow, too (Albumentations refuses them); with `texture`, what is "
               "more than the largest value becomes that value (Albumentations' wraps around to "
               "dark)",
    .example = "{\"type\": \"RandomSnow\", \"p\": 0.5, \"snow_point_range\": [0.1, 0.4]}",
    .emits = (const char *const[]){ "snow", "snow_texture", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
