/* posterize: only the highest bits of each colour are kept. */
#include "../op.h"
#include "../op/actions.h"

struct params {
    int bits;
};

static const struct row rows[] = {
    INTEGER(struct params, bits, .limit = { 0, 8 },
            .help = "bits kept, of the highest: 0 is black, 8 changes nothing (but images of 16 "
                    "bit)"),
    ROWS_END,
};

struct context {
    const struct scene *scene;
    int mask;
};

static double masked(const void *context, double level)
{
    const struct context *c = context;

    return (scene_index(c->scene, level) & c->mask) / pixel_type_unit(c->scene->type);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int levels = scene_levels(scene);
    struct context context = { scene, levels - (levels >> p->bits) };

    if (context.mask != levels - 1)
        action_table(scene, out, masked, &context);
    return true;
}

const struct op posterize_op = {
    .name = "posterize",
    .summary = "keep only the highest bits of each colour",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"posterize\", \"bits\": 3}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
