/* he_stain: changes the amounts of the stains of a tissue, hematoxylin and eosin. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    struct list hematoxylin, eosin, scale, shift;
    bool augment_background;
};

#define DENSITY(f, otherwise, what)                                                                \
    LIST(struct params, f, .preset = otherwise, .least = 3, .most = 3, .limit = { 0, 1 },          \
         .usual = { 0.1, 0.9 }, .help = what)

static const struct row rows[] = {
    DENSITY(hematoxylin, "[0.65, 0.7, 0.29]",
            "optical density of hematoxylin in red, green and blue; -ln(colour) is the sum of "
            "the stains' densities"),
    DENSITY(eosin, "[0.07, 0.99, 0.11]", "optical density of eosin"),
    LIST(struct params, scale, .preset = "[1, 1]", .least = 2, .most = 2, .limit = { 0, 10 },
         .usual = { 0.7, 1.3 }, .help = "factors for the amounts of hematoxylin and eosin"),
    LIST(struct params, shift, .preset = "[0, 0]", .least = 2, .most = 2, .limit = { -1, 1 },
         .usual = { -0.2, 0.2 }, .help = "then added to the amounts"),
    FLAG(struct params, augment_background, .preset = "false",
         .help = "also change pixels with a luma of 0.85 or more; false: their amounts are "
                 "unchanged"),
    ROWS_END,
};

/* Matrices. From densities to amounts: the rows are the stains' least-squares solution with a ridge
 * of 1e-6. From amounts to densities: the stains themselves. */
struct context {
    const struct params *params;
    double amounts[2][3];
};

static double density_of(float colour)
{
    return -number_log(fmax((double)colour / 255, 1e-6));
}

static void restain_pixel(const struct context *c, float colour[3])
{
    const struct params *p = c->params;
    double density[3], amount[2] = { 0 };
    float luma = 0.299f * colour[0] + 0.587f * colour[1] + 0.114f * colour[2];
    bool tissue = p->augment_background || luma < 0.85f * 255;

    for (int k = 0; k < 3; k++)
        density[k] = density_of(colour[k]);
    for (int s = 0; s < 2; s++) {
        for (int k = 0; k < 3; k++)
            amount[s] += c->amounts[s][k] * density[k];
        if (tissue)
            amount[s] = amount[s] * p->scale.at[s] + p->shift.at[s];
    }
    for (int k = 0; k < 3; k++)
        colour[k] = (float)(255 * number_exp(-amount[0] * p->hematoxylin.at[k] -
                                             amount[1] * p->eosin.at[k]));
}

static void restain(const void *context, float *restrict r, float *restrict g, float *restrict b,
                    int n)
{
    for (int i = 0; i < n; i++) {
        float colour[3] = { r[i], g[i], b[i] };

        restain_pixel(context, colour);
        r[i] = colour[0];
        g[i] = colour[1];
        b[i] = colour[2];
    }
}

static double product(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double *h = p->hematoxylin.at, *e = p->eosin.at;
    double hh = product(h, h) + 1e-6, ee = product(e, e) + 1e-6, he = product(h, e);
    double determinant = hh * ee - he * he;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    c->params = p;
    for (int k = 0; k < 3; k++) {
        c->amounts[0][k] = (ee * h[k] - he * e[k]) / determinant;
        c->amounts[1][k] = (hh * e[k] - he * h[k]) / determinant;
    }
    action_colours(scene, out, restain, c, NULL);
    return true;
}

const struct op he_stain_op = {
    .name = "he_stain",
    .summary = "change the amounts of hematoxylin and eosin in a tissue; a colour that is not "
               "a mixture of the two becomes the nearest mixture; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"he_stain\", \"scale\": [1.3, 0.7], \"shift\": [0.1, -0.1]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
