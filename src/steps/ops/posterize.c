/* posterize: keeps only the highest bits of each color. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    int bits;
};

static const struct row rows[] = {
    INTEGER(struct params, bits, .limit = { 0, 8 },
            .help = "number of the highest bits that are kept: 0 is black, 8 changes nothing "
                    "(except in 16-bit images)"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int levels = scene_levels(scene);
    uint16_t mask = (uint16_t)(levels - (levels >> p->bits));

    if (mask != levels - 1)
        action_bits(out, &(struct sample_bits){ .keep = { mask, mask, mask } });
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
