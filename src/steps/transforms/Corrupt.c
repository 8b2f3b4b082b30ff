/* Corrupt: the common corruptions of ImageNet-C, at their five strengths (Hendrycks and Dietterich,
 * Benchmarking neural network robustness to common corruptions and perturbations, ICLR 2019; the
 * parameters are those of hendrycks/robustness, ImageNet-C/create_c/make_imagenet_c.py). */
#include "steps/transform.h"

enum corruption {
    GAUSSIAN_NOISE,
    SHOT_NOISE,
    IMPULSE_NOISE,
    SPECKLE_NOISE,
    DEFOCUS_BLUR,
    GLASS_BLUR,
    MOTION_BLUR,
    ZOOM_BLUR,
    GAUSSIAN_BLUR,
    SNOW,
    FROST,
    FOG,
    BRIGHTNESS,
    CONTRAST,
    ELASTIC_TRANSFORM,
    PIXELATE,
    JPEG_COMPRESSION,
    SPATTER,
    SATURATE,
    CORRUPTIONS,
};

enum { SEVERITIES = 5, VALUES = 7 };

/* Parameters of each corruption at severity 1, 2, ...: the numbers of its source, in the same
 * order. */
static const double strength[CORRUPTIONS][SEVERITIES][VALUES] = {
    [GAUSSIAN_NOISE] = { { .08 }, { .12 }, { .18 }, { .26 }, { .38 } },
    [SHOT_NOISE] = { { 60 }, { 25 }, { 12 }, { 5 }, { 3 } },
    [IMPULSE_NOISE] = { { .03 }, { .06 }, { .09 }, { .17 }, { .27 } },
    [SPECKLE_NOISE] = { { .15 }, { .2 }, { .35 }, { .45 }, { .6 } },
    [DEFOCUS_BLUR] = { { 3, .1 }, { 4, .5 }, { 6, .5 }, { 8, .5 }, { 10, .5 } },
    [GLASS_BLUR] = { { .7, 1, 2 }, { .9, 2, 1 }, { 1, 2, 3 }, { 1.1, 3, 2 }, { 1.5, 4, 2 } },
    [MOTION_BLUR] = { { 10, 3 }, { 15, 5 }, { 15, 8 }, { 15, 12 }, { 20, 15 } },
    [ZOOM_BLUR] = { { 1.11, .01 }, { 1.16, .01 }, { 1.21, .02 }, { 1.26, .02 }, { 1.31, .03 } },
    [GAUSSIAN_BLUR] = { { 1 }, { 2 }, { 3 }, { 4 }, { 6 } },
    [SNOW] = { { .1, .3, 3, .5, 10, 4, .8 },
               { .2, .3, 2, .5, 12, 4, .7 },
               { .55, .3, 4, .9, 12, 8, .7 },
               { .55, .3, 4.5, .85, 12, 8, .65 },
               { .55, .3, 2.5, .85, 12, 12, .55 } },
    [FROST] = { { 1, .4 }, { .8, .6 }, { .7, .7 }, { .65, .7 }, { .6, .75 } },
    [FOG] = { { 1.5, 2 }, { 2, 2 }, { 2.5, 1.7 }, { 2.5, 1.5 }, { 3, 1.4 } },
    [BRIGHTNESS] = { { .1 }, { .2 }, { .3 }, { .4 }, { .5 } },
    [CONTRAST] = { { .4 }, { .3 }, { .2 }, { .1 }, { .05 } },
    [ELASTIC_TRANSFORM] = { { 244 * 2, 244 * .7, 244 * .1 },
                            { 244 * 2, 244 * .08, 244 * .2 },
                            { 244 * .05, 244 * .01, 244 * .02 },
                            { 244 * .07, 244 * .01, 244 * .02 },
                            { 244 * .12, 244 * .01, 244 * .02 } },
    [PIXELATE] = { { .6 }, { .5 }, { .4 }, { .3 }, { .25 } },
    [JPEG_COMPRESSION] = { { 25 }, { 18 }, { 15 }, { 10 }, { 7 } },
    [SPATTER] = { { .65, .3, 4, .69, .6, 0 },
                  { .65, .3, 3, .68, .6, 0 },
                  { .65, .3, 2, .68, .5, 0 },
                  { .65, .3, 1, .65, 1.5, 1 },
                  { .67, .4, 1, .65, 1.5, 1 } },
    [SATURATE] = { { .3, 0 }, { .1, 0 }, { 2, 0 }, { 5, .1 }, { 20, .2 } },
};

struct params {
    int name, severity;
};

static const struct choice names[] = {
    { "gaussian_noise", GAUSSIAN_NOISE, "normal noise" },
    { "shot_noise", SHOT_NOISE, "counts of photons" },
    { "impulse_noise", IMPULSE_NOISE, "samples that become the maximum or 0" },
    { "speckle_noise", SPECKLE_NOISE, "normal noise proportional to the value" },
    { "defocus_blur", DEFOCUS_BLUR, "a disc" },
    { "glass_blur", GLASS_BLUR, "frosted glass" },
    { "motion_blur", MOTION_BLUR, "a streak" },
    { "zoom_blur", ZOOM_BLUR, "outward from the middle" },
    { "gaussian_blur", GAUSSIAN_BLUR, "a Gaussian" },
    { "snow", SNOW, "flakes, and a whiter image" },
    { "frost", FROST,
      "made of fractals, not of the benchmark's photographs, so that scores cannot be compared" },
    { "fog", FOG, "clouds of a plasma fractal" },
    { "brightness", BRIGHTNESS, "higher value of HSV" },
    { "contrast", CONTRAST, "lower contrast" },
    { "elastic_transform", ELASTIC_TRANSFORM,
      "an affine map and a displacement field, which labels follow" },
    { "pixelate", PIXELATE, "blocks" },
    { "jpeg_compression", JPEG_COMPRESSION, "artifacts of a JPEG of low quality" },
    { "spatter", SPATTER, "rain, from severity 4 on mud, on the lens" },
    { "saturate", SATURATE, "lower saturation of HSV, from severity 3 on higher" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, name, .choices = names, .help = "the corruption"),
    INTEGER(struct params, severity, .preset = "1", .limit = { 1, SEVERITIES }, .usual = { 1, 5 },
            .help = "strength; lengths are in pixels, as for the benchmark's images of 224 x "
                    "224, whatever the size of the image"),
    ROWS_END,
};

static void emit_noise(struct run *run, int name, const double *c)
{
    struct arg key = NUM("key", draw_key(run));

    if (name == GAUSSIAN_NOISE)
        emit(run, "gaussian_noise", NUM("sigma", c[0]), key);
    else if (name == SHOT_NOISE)
        emit(run, "poisson_noise", NUM("photons", c[0]), key);
    else if (name == IMPULSE_NOISE)
        emit(run, "impulse_noise", NUM("amount", c[0]), key);
    else
        emit(run, "speckle_noise", NUM("sigma", c[0]), key);
}

/* scikit-image's Gaussian extends over 4 standard deviations. */
static void emit_gaussian(struct run *run, double sigma)
{
    emit(run, "gaussian_blur", NUMS("kernel_size", 1, (double[]){ 8 * sigma + 1 }),
         NUMS("sigma", 1, &sigma));
}

static void emit_blur(struct run *run, int name, const double *c)
{
    if (name == DEFOCUS_BLUR)
        emit(run, "defocus", NUM("radius", c[0]), NUM("alias_blur", c[1]));
    else if (name == GLASS_BLUR)
        emit(run, "glass_blur", NUM("sigma", c[0]), NUM("max_delta", c[1]), NUM("iterations", c[2]),
             NUM("key", draw_key(run)));
    else if (name == MOTION_BLUR)
        emit(run, "motion_streak", NUM("radius", c[0]), NUM("sigma", c[1]),
             NUM("angle", rng_between(run->rng, -45, 45)));
    else if (name == ZOOM_BLUR)
        emit(run, "zoom_blur", NUM("max_factor", c[0]), NUM("step_factor", c[1]));
    else
        emit_gaussian(run, c[0]);
}

static void emit_snow(struct run *run, const double *c)
{
    struct arg key = NUM("key", draw_key(run));
    double angle = rng_between(run->rng, -135, -45);

    emit(run, "snowfall", NUM("mean", c[0]), NUM("std", c[1]), NUM("zoom", c[2]),
         NUM("threshold", c[3]), NUM("radius", c[4]), NUM("sigma", c[5]), NUM("angle", angle),
         NUM("whitening", 1 - c[6]), key);
}

static void emit_weather(struct run *run, int name, const double *c)
{
    if (name == SNOW)
        emit_snow(run, c);
    else if (name == FROST)
        emit(run, "frost", NUM("image_share", c[0]), NUM("frost_share", c[1]),
             NUM("key", draw_key(run)));
    else if (name == FOG)
        emit(run, "plasma_fog", NUM("strength", c[0]), NUM("decay", c[1]),
             NUM("key", draw_key(run)));
    else
        emit(run, "spatter", NUM("mean", c[0]), NUM("std", c[1]), NUM("gauss_sigma", c[2]),
             NUM("cutout_threshold", c[3]), NUM("intensity", c[4]),
             (struct arg){ .name = "mode", .kind = ARG_WORD, .word = c[5] > 0 ? "mud" : "rain" },
             NUM("key", draw_key(run)));
}

/* --- elastic_transform --- */

/* Draws an affine map that moves three points about the image's middle by up to `shift` pixels. The
 * fourth corner of their square follows from them. Returns false if the points are on a line. */
static bool draw_affine(struct run *run, double shift, struct point from[4], struct point to[4])
{
    int w = run->frame.width, h = run->frame.height, side = (w < h ? w : h) / 3;
    struct point middle = { w / 2 + 0.5, h / 2 + 0.5 };

    for (int i = 0; i < 4; i++) {
        from[i].x = middle.x + (i < 2 ? side : -side);
        from[i].y = middle.y + (i == 0 || i == 3 ? side : -side);
    }
    for (int i = 0; i < 3; i++) {
        to[i].x = from[i].x + rng_between(run->rng, -shift, shift);
        to[i].y = from[i].y + rng_between(run->rng, -shift, shift);
    }
    to[3].x = to[0].x + to[2].x - to[1].x;
    to[3].y = to[0].y + to[2].y - to[1].y;
    return !corners_are_flat(from) && !corners_are_flat(to);
}

/* Returns how far outside of the image the warp reads. */
static double reach_of(struct frame f, const struct mat3 *forward)
{
    struct mat3 inverse;
    double reach = 0;

    if (!mat3_invert(forward, &inverse))
        return 0;
    for (int i = 0; i < 4; i++) {
        struct point corner = { i % 2 ? f.width : 0, i / 2 ? f.height : 0 };
        struct point p = mat3_apply(&inverse, corner);

        reach = fmax(reach, fmax(fmax(-p.x, p.x - f.width), fmax(-p.y, p.y - f.height)));
    }
    return reach;
}

/* The source mirrors the image at its border: pads a border before the warp, and crops it
 * afterwards. */
static void emit_elastic(struct run *run, const double *c)
{
    struct frame f = run->frame;
    struct point from[4], to[4];
    struct mat3 forward = MAT3_IDENTITY;
    bool tilts = draw_affine(run, c[2], from, to) && mat3_of_corners(from, to, &forward);
    int64_t key = draw_key(run);
    /* Five standard deviations of the field: smoothed noise has a deviation of 0.163 / sigma. */
    double reach = 5 * 0.163 * c[0] / c[1] + 2 + reach_of(f, &forward);
    int across = (int)fmin(ceil(reach), f.width - 1), down = (int)fmin(ceil(reach), f.height - 1);
    struct window window = { down, across, f.height, f.width };

    emit(run, "pad", PAIR("padding", across, down),
         WORD("padding_mode", padding_choices, PADDING_REFLECT));
    for (int i = 0; i < 4; i++) {
        from[i] = (struct point){ from[i].x + across, from[i].y + down };
        to[i] = (struct point){ to[i].x + across, to[i].y + down };
    }
    if (tilts)
        emit(run, "perspective", POINTS("startpoints", 4, from), POINTS("endpoints", 4, to));
    emit(run, "elastic", NUMS("alpha", 1, (double[]){ 2 * c[0] }), NUMS("sigma", 1, &c[1]),
         NUM("key", key));
    emit_crop(run, &window);
}

static void emit_digital(struct run *run, int name, const double *c)
{
    if (name == BRIGHTNESS)
        emit(run, "shift_hsv", NUM("val_shift", 255 * c[0]));
    else if (name == CONTRAST)
        emit(run, "scale_contrast", NUM("factor", c[0]));
    else if (name == ELASTIC_TRANSFORM)
        emit_elastic(run, c);
    else if (name == PIXELATE)
        emit(run, "pixelate", NUM("scale", c[0]));
    else if (name == JPEG_COMPRESSION)
        emit(run, "jpeg", NUM("quality", c[0]));
    else
        emit(run, "saturate", NUM("factor", c[0]), NUM("offset", c[1]));
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const double *c = strength[p->name][p->severity - 1];

    switch ((enum corruption)p->name) {
    case GAUSSIAN_NOISE:
    case SHOT_NOISE:
    case IMPULSE_NOISE:
    case SPECKLE_NOISE:
        emit_noise(run, p->name, c);
        break;
    case DEFOCUS_BLUR:
    case GLASS_BLUR:
    case MOTION_BLUR:
    case ZOOM_BLUR:
    case GAUSSIAN_BLUR:
        emit_blur(run, p->name, c);
        break;
    case SNOW:
    case FROST:
    case FOG:
    case SPATTER:
        emit_weather(run, p->name, c);
        break;
    default:
        emit_digital(run, p->name, c);
    }
}

const struct transform Corrupt_transform = {
    .name = "Corrupt",
    .summary = "one of ImageNet-C's 19 corruptions at one of 5 severities",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .differs = "blurs mirror the border, where ImageNet-C's Gaussians and streaks repeat the "
               "edge; results are not saved as JPEG; frost is made of fractals, so that scores "
               "cannot be compared",
    .example = "{\"type\": \"Corrupt\", \"name\": \"spatter\", \"severity\": 4}",
    .emits = (const char *const[]){ "gaussian_noise",
                                    "poisson_noise",
                                    "impulse_noise",
                                    "speckle_noise",
                                    "defocus",
                                    "glass_blur",
                                    "motion_streak",
                                    "zoom_blur",
                                    "gaussian_blur",
                                    "snowfall",
                                    "frost",
                                    "plasma_fog",
                                    "shift_hsv",
                                    "scale_contrast",
                                    "pad",
                                    "perspective",
                                    "elastic",
                                    "crop",
                                    "pixelate",
                                    "jpeg",
                                    "spatter",
                                    "saturate",
                                    NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
