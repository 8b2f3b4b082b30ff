/* chromatic_aberration: magnifies red and blue differently from green. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/filters.h"

struct params {
    double primary_distortion_red, secondary_distortion_red;
    double primary_distortion_blue, secondary_distortion_blue;
    int interpolation;
};

#define DISTORTION(f, what)                                                                        \
    NUMBER(struct params, f, .preset = "0", .limit = { -1, 1 }, .usual = { -0.1, 0.1 },            \
           .help = what)

static const struct row rows[] = {
    DISTORTION(primary_distortion_red,
               "red: the coefficient `primary`: the pixel at distance r from the middle, in "
               "units of the image's sides, comes from a distance of r * (1 + primary * r^2 + "
               "secondary * r^4)"),
    DISTORTION(secondary_distortion_red, "red: the coefficient `secondary` of the formula above"),
    DISTORTION(primary_distortion_blue, "blue: the coefficient `primary` of the same formula"),
    DISTORTION(secondary_distortion_blue, "blue: the coefficient `secondary`"),
    CHOICE(struct params, interpolation, .preset = "\"bilinear\"", .choices = interpolation_choices,
           .help = "interpolation of pixel values"),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct lens_channel red = { p->primary_distortion_red, p->secondary_distortion_red };
    struct lens_channel blue = { p->primary_distortion_blue, p->secondary_distortion_blue };

    (void)pool;
    plane_aberration(in, out, &red, &blue, (enum interpolation)p->interpolation);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (scene->channels >= 3 &&
        (p->primary_distortion_red != 0 || p->secondary_distortion_red != 0 ||
         p->primary_distortion_blue != 0 || p->secondary_distortion_blue != 0))
        action_raster(out, raster, p);
    return true;
}

const struct op chromatic_aberration_op = {
    .name = "chromatic_aberration",
    .summary = "refract red and blue differently from green; labels stay with green, and gray "
               "images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"chromatic_aberration\", \"primary_distortion_red\": 0.05, "
               "\"primary_distortion_blue\": -0.04, \"secondary_distortion_blue\": -0.02}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
