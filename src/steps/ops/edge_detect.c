/* edge_detect: shows where values change. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double alpha;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .limit = { 0, 1 }, .usual = { 0.1, 0.6 },
           .help = "share of the filtered image"),
    ROWS_END,
};

/* imgaug's kernel, the Laplacian, blended with the pixel by alpha. */
static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double effect[9] = { 0, 1, 0, 1, -4, 1, 0, 1, 0 };

    action_kernel(scene, out, effect, p->alpha);
    return true;
}

const struct op edge_detect_op = {
    .name = "edge_detect",
    .summary = "show edges, by a kernel of 3x3 pixels; borders are mirrored",
    .group = GROUP_BLUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"edge_detect\", \"alpha\": 0.5}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
