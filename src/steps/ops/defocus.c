/* defocus: convolves with a disc, the image of a point that is out of focus. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/filters.h"
#include "pixels/samples.h"

struct params {
    int radius;
    double alias_blur;
};

static const struct row rows[] = {
    INTEGER(struct params, radius, .unit = "pixels", .limit = { 1, 60 }, .usual = { 1, 10 },
            .help = "radius of the disc"),
    NUMBER(struct params, alias_blur, .preset = "0.1", .unit = "pixels", .limit = { 0.01, 10 },
           .usual = { 0.1, 0.6 },
           .help = "standard deviation of the Gaussian that smooths the disc's edge, with 3 x "
                   "3 taps up to a radius of 8 and 5 x 5 above; the disc's table ends 8 "
                   "pixels, or the radius, from its middle, and is mirrored there"),
    ROWS_END,
};

struct disc_taps {
    int n;
    struct tap *tap;
};

/* Returns 1 if the pixel's center is on the disc, else 0. */
static bool on_disc(int x, int y, int radius)
{
    return x * x + y * y <= radius * radius;
}

/* Smooths the disc's weights as OpenCV's GaussianBlur smooths a table of them. */
static void smooth_disc(const struct params *p, struct arena *arena, struct disc_taps *taps)
{
    int half = p->radius <= 8 ? 8 : p->radius, side = 2 * half + 1, pixels = 0;
    int reach = p->radius <= 8 ? 1 : 2;
    const float *k = gaussian_kernel(arena, 2 * reach + 1, p->alias_blur);

    taps->tap = ARENA_ARRAY(arena, struct tap, (size_t)side * (size_t)side);
    for (int i = 0; i < side * side; i++)
        pixels += on_disc(i % side - half, i / side - half, p->radius);
    for (int i = 0; i < side * side; i++) {
        struct tap t = { .x = i % side - half, .y = i / side - half };
        double sum = 0;

        for (int v = -reach; v <= reach; v++)
            for (int u = -reach; u <= reach; u++)
                if (on_disc(mirrored(t.x + u + half, side) - half,
                            mirrored(t.y + v + half, side) - half, p->radius))
                    sum += (double)k[u + reach] * (double)k[v + reach];
        t.weight = (float)(sum / pixels);
        if (t.weight > 0)
            taps->tap[taps->n++] = t;
    }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct disc_taps *taps = context;

    plane_convolve_taps(in, out, taps->tap, taps->n, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    struct disc_taps *taps = ARENA_NEW(scene->arena, struct disc_taps);

    smooth_disc(params, scene->arena, taps);
    action_raster(out, raster, taps);
    return true;
}

const struct op defocus_op = {
    .name = "defocus",
    .summary = "blur with a disc; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"defocus\", \"radius\": 6, \"alias_blur\": 0.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
