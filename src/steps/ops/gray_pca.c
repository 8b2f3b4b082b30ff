/* gray_pca: gray by a pixel's position along the axis on which the image's colors differ most.
 *
 * Source: Albumentations' ToGray, method pca. Let a be the first principal axis of the image's
 * colors and t = a . (R, G, B). A pixel becomes (t - min t) / (max t - min t) of the full range,
 * with min and max over the image. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/colour_pca.h"
#include "pixels/samples.h"

/* Receives a pixel's colors on the 0..255 scale. */
typedef void pixel_fn(void *context, const double colour[3]);

static void each_pixel(const struct plane *in, pixel_fn *f, void *context)
{
    double unit = pixel_type_unit(in->type);
    size_t channels = (size_t)in->channels, width = (size_t)in->width;

    for (int y = 0; y < in->height; y++) {
        const void *row = plane_row(in, y);

        for (size_t i = 0; i < width * channels; i += channels) {
            double colour[3];

            for (size_t b = 0; b < 3; b++)
                colour[b] = (double)sample_load(row, in->type, i + b) / unit;
            f(context, colour);
        }
    }
}

struct sums {
    double sum[3], product[3][3];
};

static void add(void *context, const double colour[3])
{
    struct sums *s = context;

    for (int i = 0; i < 3; i++) {
        s->sum[i] += colour[i];
        for (int k = i; k < 3; k++)
            s->product[i][k] += colour[i] * colour[k];
    }
}

struct extent {
    double axis[3], min, max;
};

static void find_axis(const struct plane *in, double axis[3])
{
    double n = (double)in->width * (double)in->height, covariance[3][3];
    struct principal_axes axes;
    struct sums s = { .sum = { 0 } };

    each_pixel(in, add, &s);
    for (int i = 0; i < 3; i++)
        for (int k = i; k < 3; k++)
            covariance[i][k] = covariance[k][i] =
                s.product[i][k] / n - s.sum[i] / n * (s.sum[k] / n);
    axes = principal_axes((const double(*)[3])covariance);
    for (int i = 0; i < 3; i++)
        axis[i] = axes.axis[0][i];
}

static void widen(void *context, const double colour[3])
{
    struct extent *e = context;
    double at = e->axis[0] * colour[0] + e->axis[1] * colour[1] + e->axis[2] * colour[2];

    e->min = at < e->min ? at : e->min;
    e->max = at > e->max ? at : e->max;
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    struct extent e = { .min = INFINITY, .max = -INFINITY };
    struct colour_matrix m = { 0 };

    (void)context;
    (void)pool;
    find_axis(in, e.axis);
    each_pixel(in, widen, &e);
    for (int i = 0; i < 3 && e.max > e.min; i++) {
        double scale = 255 / (e.max - e.min);

        for (int k = 0; k < 3; k++)
            m.m[i][k] = (float)(e.axis[k] * scale);
        m.m[i][3] = (float)(-e.min * scale);
    }
    plane_colour(in, out, colour_by_matrix, &m);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)params;
    if (scene_colours(scene) == 3)
        action_raster(out, raster, NULL);
    return true;
}

const struct op gray_pca_op = {
    .name = "gray_pca",
    .summary = "convert to gray by the position along the axis on which the image's colours "
               "differ most, stretched to the full range; the largest component of the axis is "
               "positive; an image of one colour becomes black, a gray image is unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"gray_pca\"}",
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
