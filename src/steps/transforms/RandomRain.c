/* RandomRain: rain of random slant. */
#include "steps/transform.h"

enum rain_type { DEFAULT, DRIZZLE, HEAVY, TORRENTIAL };
enum slant_unit { DEGREES, PIXELS };
enum { LONGEST = 10000 };

struct params {
    struct range slant_range;
    struct optional drop_length;
    double drop_width, brightness_coefficient;
    struct colour drop_color;
    int blur_value, rain_type, slant_unit;
};

static const struct choice types[] = {
    { "default", DEFAULT, "a streak for every three rows of the image" },
    { "drizzle", DRIZZLE, "for every four" },
    { "heavy", HEAVY, "for each row" },
    { "torrential", TORRENTIAL, "two for each row" },
    { 0 },
};

static const struct choice units[] = {
    { "degrees", DEGREES, "`drop_length` is the length of the streak" },
    { "pixels", PIXELS,
      "pixels from a streak's beginning to its end, as in Albumentations; `drop_length` is in "
      "rows" },
    { 0 },
};

static const struct row rows[] = {
    RANGE(struct params, slant_range, .preset = "[-10, 10]", .limit = { -90, 90 },
          .usual = { -20, 20 },
          .help = "range of the slant of streaks from the vertical, in `slant_unit`; above 0 "
                  "they fall to the right"),
    OPTIONAL(struct params, drop_length, .preset = "null", .unit = "pixels",
             .limit = { 0, LONGEST }, .above = true, .usual = { 5, 30 },
             .help = "length of a streak; null: an eighth of the image's height, at least 1"),
    NUMBER(struct params, drop_width, .preset = "1", .unit = "pixels", .limit = { 0, 1000 },
           .above = true, .usual = { 0.5, 3 }, .help = "width of a streak"),
    COLOUR(struct params, drop_color, .preset = "200",
           .help = "added by a streak: a number, or one per channel"),
    INTEGER(struct params, blur_value, .preset = "7", .odd = true, .unit = "pixels",
            .limit = { 1, 99 }, .usual = { 1, 9 },
            .help = "side of the box filter that blurs the streaks"),
    NUMBER(struct params, brightness_coefficient, .preset = "0.7", .limit = { 0, 1 },
           .usual = { 0.5, 1 }, .help = "factor for all values, including the streaks"),
    CHOICE(struct params, rain_type, .preset = "\"default\"", .choices = types,
           .help = "number of streaks"),
    CHOICE(struct params, slant_unit, .preset = "\"degrees\"", .choices = units,
           .help = "of `slant_range`"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int height = run->frame.height;
    int drops[] = { height / 3, height / 4, height, 2 * height };
    double slant = rng_between(run->rng, p->slant_range.lo, p->slant_range.hi);
    double length = p->drop_length.given ? p->drop_length.number : height < 8 ? 1 : height / 8;

    if (p->slant_unit == PIXELS) {
        double sideways = slant;

        slant = atan2(sideways, length) * 180 / M_PI;
        length = fmin(sqrt(sideways * sideways + length * length), LONGEST);
    }
    emit_shared(run, "rain", NUM("slant", slant), NUM("drop_length", length),
                NUM("drops", drops[p->rain_type]), NUM("key", draw_key(run)));
}

const struct transform RandomRain_transform = {
    .name = "RandomRain",
    .summary = "rain of random slant",
    .group = GROUP_WEATHER,
    .origin = ORIGIN_ALBUMENTATIONS,
    .note = "streaks are `drop_width` wide; Albumentations' are 1, 3, 5, 5 and 7 pixels wide "
            "for 1 to 5, and its slant is in pixels to the side, as with a `slant_unit` of "
            "pixels",
    .example =
        "{\"type\": \"RandomRain\", \"p\": 0.5, \"rain_type\": \"heavy\", \"blur_value\": 3}",
    .emits = (const char *const[]){ "rain", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
