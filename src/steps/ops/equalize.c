/* equalize: makes all levels of each channel about equally frequent. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "steps/op_shared/equalize_levels.h"

struct params {
    int mode;
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"pil\"", .choices = equalize_choices,
           .help = "the formula"),
    ROWS_END,
};

struct context {
    const struct scene *scene;
    const uint32_t *levels; /* new value of each level, channel after channel */
};

static double spread(const void *context, int channel, double level)
{
    const struct context *c = context;
    int i = channel * scene_levels(c->scene) + scene_index(c->scene, level);

    return c->levels[i] / pixel_type_unit(c->scene->type);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    int levels = scene_levels(scene), colours = scene_colours(scene);
    uint32_t *to = ARENA_ARRAY(scene->arena, uint32_t, (size_t)(colours * levels));
    struct context context = { scene, to };
    const struct params *p = params;

    for (int c = 0; c < colours; c++)
        levels_spread(scene->histogram + c * levels, levels, p->mode, to + c * levels);
    action_tables(scene, out, spread, &context);
    return true;
}

const struct op equalize_op = {
    .name = "equalize",
    .summary = "spread each channel's levels evenly",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"equalize\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_HISTOGRAM,
    .resolve = resolve,
};
