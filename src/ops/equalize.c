/* equalize: each channel's levels are spread so that all are about as frequent. */
#include "../op.h"
#include "../op/actions.h"
#include "../op/rows.h"

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
    const uint32_t *levels; /* what each level becomes, channel after channel */
};

static double spread(const void *context, int channel, double level)
{
    const struct context *c = context;
    int i = channel * scene_levels(c->scene) + scene_index(c->scene, level);

    return c->levels[i] / pixel_type_unit(c->scene->type);
}

/* 8 bit: PIL's and torchvision's arithmetic, whole pixels a level. 16 bit: the same without the
 * whole step, which images of less than a pixel a level do not have and others overshoot with.
 * Pixels of the highest level are left out; a channel of too few others stays. */
static uint64_t spread_level(uint64_t below, uint64_t rest, uint64_t top, uint64_t level)
{
    uint64_t step = rest / top;

    if (top > 255)
        return rest ? (below * top + rest / 2) / rest : level;
    return step ? (below + step / 2) / step : level;
}

static void spread_channel(const uint32_t *count, int levels, uint32_t *to)
{
    uint64_t all = 0, last = 0, below = 0, top = (uint64_t)levels - 1;

    for (int i = 0; i < levels; i++) {
        all += count[i];
        last = count[i] ? count[i] : last;
    }
    for (int i = 0; i < levels; i++) {
        uint64_t level = spread_level(below, all - last, top, (uint64_t)i);

        to[i] = (uint32_t)(level < top ? level : top);
        below += count[i];
    }
}

/* OpenCV's: pixels of the lowest level that there is are left out, and become 0; rounded to the
 * nearest, halves to even. A channel of one level stays. */
static void spread_channel_cv(const uint32_t *count, int levels, uint32_t *to)
{
    uint64_t all = 0, first = 0, up_to = 0, top = (uint64_t)levels - 1;

    for (int i = 0; i < levels; i++) {
        first = first ? first : count[i];
        all += count[i];
    }
    for (int i = 0; i < levels; i++) {
        up_to += count[i];
        to[i] = all == first ? (uint32_t)i
                : up_to < first
                    ? 0
                    : (uint32_t)nearbyint((double)((up_to - first) * top) / (double)(all - first));
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    int levels = scene_levels(scene), colours = scene_colours(scene);
    uint32_t *to = ARENA_ARRAY(scene->arena, uint32_t, (size_t)(colours * levels));
    struct context context = { scene, to };
    const struct params *p = params;

    for (int c = 0; c < colours; c++)
        (p->mode == EQUALIZE_CV ? spread_channel_cv : spread_channel)(scene->histogram + c * levels,
                                                                      levels, to + c * levels);
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
