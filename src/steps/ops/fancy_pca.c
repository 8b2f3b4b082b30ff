/* fancy_pca: shifts all pixels along the principal axes of the image's colors (Krizhevsky,
 * Sutskever, Hinton, NIPS 2012, section 4.1). */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/colour_pca.h"

struct params {
    struct list alpha;
};

static const struct row rows[] = {
    LIST(struct params, alpha, .least = 3, .most = 3, .usual = { -3, 3 },
         .help = "shift along each axis, the longest first, in multiples of the variance along it, "
                 "with colours in 0..1 (the largest component of an axis is positive); a gray "
                 "image has one axis"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct principal_axes axes = principal_axes(scene->moments->covariance);
    double offset[3] = { 0 };

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            offset[i] += p->alpha.at[k] * axes.variance[k] / 255 * axes.axis[k][i];
    action_lines(scene, out, (double[]){ 1, 1, 1 }, offset);
    return true;
}

const struct op fancy_pca_op = {
    .name = "fancy_pca",
    .summary = "shift all pixels along the principal axes of the image's colours",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"fancy_pca\", \"alpha\": [1.5, -3, 2]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_COVARIANCE,
    .resolve = resolve,
};
