/* ChromaticAberration: refracts red and blue differently from green, at random. */
#include "steps/transform.h"

enum { GREEN_PURPLE, RED_BLUE, RANDOM };

struct params {
    struct range primary_distortion_limit, secondary_distortion_limit;
    int mode, interpolation;
};

static const struct choice modes[] = {
    { "green_purple", GREEN_PURPLE, "red and blue move in the same direction" },
    { "red_blue", RED_BLUE, "red and blue move in opposite directions" },
    { "random", RANDOM, "red and blue move independently" },
    { 0 },
};

static const struct row rows[] = {
    RANGE(struct params, primary_distortion_limit, .preset = "[-0.02, 0.02]", .limit = { -1, 1 },
          .usual = { -0.1, 0.1 }, .scalar = SCALAR_SYMMETRIC,
          .help = "range of the coefficients of distance^2, one for red and one for blue"),
    RANGE(struct params, secondary_distortion_limit, .preset = "[-0.05, 0.05]", .limit = { -1, 1 },
          .usual = { -0.1, 0.1 }, .scalar = SCALAR_SYMMETRIC,
          .help = "range of the coefficients of distance^4; they get the signs of the primary "
                  "ones"),
    CHOICE(struct params, mode, .preset = "\"green_purple\"", .choices = modes,
           .help = "colour of the fringes"),
    CHOICE(struct params, interpolation, .preset = "\"bilinear\"", .choices = interpolation_choices,
           .help = "interpolation of pixel values"),
    ROWS_END,
};

static double drawn(struct run *run, const struct range *range)
{
    return rng_between(run->rng, range->lo, range->hi);
}

/* Returns v with the sign of `of`, unless that is 0. */
static double with_sign(double v, double of)
{
    return of == 0 ? v : copysign(v, of);
}

/* Returns v with the opposite sign if both have the same sign. */
static double against(double v, double of)
{
    return v * of > 0 ? -v : v;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double red = drawn(run, &p->primary_distortion_limit);
    double red2 = with_sign(drawn(run, &p->secondary_distortion_limit), red);
    double blue = drawn(run, &p->primary_distortion_limit);
    double blue2 = with_sign(drawn(run, &p->secondary_distortion_limit), blue);

    if (p->mode == GREEN_PURPLE) {
        blue = with_sign(blue, red);
        blue2 = with_sign(blue2, red2);
    } else if (p->mode == RED_BLUE) {
        blue = against(blue, red);
        blue2 = against(blue2, red2);
    }
    emit_shared(run, "chromatic_aberration", NUM("primary_distortion_red", red),
                NUM("secondary_distortion_red", red2), NUM("primary_distortion_blue", blue),
                NUM("secondary_distortion_blue", blue2));
}

const struct transform ChromaticAberration_transform = {
    .name = "ChromaticAberration",
    .summary = "refract red and blue differently from green, at random; labels are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "gray images are unchanged (Albumentations refuses them); distortions are "
               "centred on the image's middle (Albumentations' centre is half a pixel off)",
    .example = "{\"type\": \"ChromaticAberration\", \"primary_distortion_limit\": 0.1, "
               "\"secondary_distortion_limit\": 0.2}",
    .emits = (const char *const[]){ "chromatic_aberration", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
