/* RandomSnow: dark places bleached up to a random lightness. */
#include "../transform.h"

enum method { BLEACH };

struct params {
    double brightness_coeff;
    struct range snow_point_range;
    int method;
};

static const struct choice methods[] = {
    { "bleach", BLEACH, "what is dark becomes lighter" },
    { 0 },
};

static const struct row rows[] = {
    NUMBER(struct params, brightness_coeff, .preset = "2.5", .limit = { 1, 100 }, .usual = { 1, 4 },
           .help = "what the lightness is multiplied by"),
    RANGE(struct params, snow_point_range, .preset = "[0.1, 0.3]", .limit = { 0, 1 },
          .help = "up to which lightness: 85 + 127.5 snow_point, on the scale 0..255"),
    CHOICE(struct params, method, .preset = "\"bleach\"", .choices = methods,
           .help = "how (Albumentations' `texture` is not there)"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(
        run, "snow",
        NUM("snow_point", rng_between(run->rng, p->snow_point_range.lo, p->snow_point_range.hi)));
}

const struct transform RandomSnow_transform = {
    .name = "RandomSnow",
    .summary = "bleach what is dark, as under snow, up to a random lightness",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"RandomSnow\", \"p\": 0.5, \"snow_point_range\": [0.1, 0.4]}",
    .emits = (const char *const[]){ "snow", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
