/* gray: converts to gray by a nonlinear function of the colors, in one channel or three.
 *
 * Source: Albumentations' ToGray, methods from_lab, desaturation and max. Lightness is CIE L* of
 * sRGB colors with white D65, as documented for OpenCV's RGB2LAB. With each color v in 0..1:
 *   linear(v) = v / 12.92 if v <= 0.04045, else ((v + 0.055) / 1.055)^2.4,
 *   Y = 0.212671 linear(R) + 0.715160 linear(G) + 0.072169 linear(B),
 *   L = 903.3 Y if Y <= 0.008856, else 116 Y^(1/3) - 16, of 100. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"
#include "pixels/samples.h"

struct params {
    int method, num_output_channels;
};

enum method { METHOD_FROM_LAB, METHOD_DESATURATION, METHOD_MAX };

static const struct choice methods[] = {
    { "from_lab", METHOD_FROM_LAB, "CIE lightness, L of LAB" },
    { "desaturation", METHOD_DESATURATION,
      "the mean of the largest and the smallest colour, rounded down" },
    { "max", METHOD_MAX, "the largest colour" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, method, .preset = "\"from_lab\"", .choices = methods,
           .help = "how gray is computed from the colours"),
    CHANNELS_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return num_output_channels_check(p->num_output_channels, step, faults);
}

/* Two functions of 0..1, with linear interpolation between points. 8-bit levels are points; at 16
 * bits the error is at most a third of a level. */
enum { POINTS = 255 * 16 };
struct curves {
    float linear[POINTS + 2], lightness[POINTS + 2];
};

static double linear_of(double v)
{
    return v <= 0.04045 ? v / 12.92 : number_power((v + 0.055) / 1.055, 2.4);
}

static double lightness_of(double y)
{
    return y <= 0.008856 ? 903.3 * y : 116 * number_power(y, 1. / 3) - 16;
}

static const struct curves *make_curves(struct arena *arena)
{
    struct curves *c = ARENA_NEW(arena, struct curves);

    for (int i = 0; i <= POINTS + 1; i++) {
        double at = fmin(1, (double)i / POINTS);

        c->linear[i] = (float)linear_of(at);
        c->lightness[i] = (float)(2.55 * lightness_of(at));
    }
    return c;
}

ALWAYS_INLINE float look_up(const float *curve, float at)
{
    float inside = at > 0 ? (at < POINTS ? at : POINTS) : 0;
    int first = (int)inside;

    return curve[first] + (curve[first + 1] - curve[first]) * (inside - (float)first);
}

VARIANTS static void lightness(const void *context, float *restrict r, float *restrict g,
                               float *restrict b, int n)
{
    const struct curves *c = context;
    const float points = POINTS / 255;

    for (int i = 0; i < n; i++) {
        float y = 0.212671f * look_up(c->linear, points * r[i]) +
                  0.715160f * look_up(c->linear, points * g[i]) +
                  0.072169f * look_up(c->linear, points * b[i]);

        r[i] = g[i] = b[i] = look_up(c->lightness, y * POINTS);
    }
}

ALWAYS_INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}

ALWAYS_INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

VARIANTS static void desaturation(const void *context, float *restrict r, float *restrict g,
                                  float *restrict b, int n)
{
    float less = *(const float *)context;

    for (int i = 0; i < n; i++) {
        float max = larger(larger(r[i], g[i]), b[i]), min = smaller(smaller(r[i], g[i]), b[i]);

        r[i] = g[i] = b[i] = (max + min) / 2 - less;
    }
}

VARIANTS static void largest(const void *context, float *restrict r, float *restrict g,
                             float *restrict b, int n)
{
    (void)context;
    for (int i = 0; i < n; i++)
        r[i] = g[i] = b[i] = larger(larger(r[i], g[i]), b[i]);
}

/* Returns the data that the method's function reads. */
static const void *context_of(enum method method, const struct scene *scene)
{
    float *less;

    if (method == METHOD_FROM_LAB)
        return make_curves(scene->arena);
    less =
        ARENA_NEW(scene->arena, float); /* a quarter of a level, so that halves are rounded down */
    *less = (float)(0.25 / pixel_type_unit(scene->type));
    return less;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    static colour_fn *const fn[] = {
        [METHOD_FROM_LAB] = lightness, [METHOD_DESATURATION] = desaturation, [METHOD_MAX] = largest
    };
    const struct params *p = params;
    bool alpha = scene->channels == 2 || scene->channels == 4;

    out->channels = p->num_output_channels + alpha;
    if (scene_colours(scene) == 1 && out->channels == scene->channels)
        return true;
    if (scene_colours(scene) == 1)
        action_colours(scene, out, colour_same, NULL, NULL);
    else
        action_colours(scene, out, fn[p->method], context_of((enum method)p->method, scene), NULL);
    return true;
}

const struct op gray_op = {
    .name = "gray",
    .summary = "convert to gray by lightness, desaturation or the largest colour; alpha is "
               "kept, and gray images keep their levels",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"gray\", \"method\": \"from_lab\", \"num_output_channels\": 3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
