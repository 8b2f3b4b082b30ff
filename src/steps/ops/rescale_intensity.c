/* rescale_intensity: stretches a range of levels to the full range, equally in all color channels.
 */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    struct optional_list in;
    struct list percentiles;
};

static const struct row rows[] = {
    OPTIONAL_LIST(struct params, in, .preset = "null", .least = 2, .most = 2, .unit = "levels",
                  .limit = { 0, 65535 }, .usual = { 0, 255 },
                  .help = "[lo, hi]: the levels of the file that become black and white "
                          "(0..255, or 0..65535 with 16 bits: [0, 4095] for 12 bits in 16); "
                          "levels outside are clamped. null: from the image's `percentiles`"),
    LIST(struct params, percentiles, .preset = "[0, 100]", .least = 2, .most = 2, .unit = "percent",
         .limit = { 0, 100 }, .usual = { 0, 100 },
         .help = "[lo, hi]: percentiles of the image's samples, over all colour channels; [0, 100] "
                 "is from the lowest level to the highest, [1, 99] ignores 1% at each end; an "
                 "image of one level is unchanged"),
    ROWS_END,
};

struct bounds {
    double lo, hi; /* on the 0..255 scale */
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct list *in = &p->in.list, *share = &p->percentiles;
    bool good = true;

    if (p->in.given && in->at[0] >= in->at[1])
        good = value_fault(faults, value_get(step, "in"), false, "param-order",
                           "the first level must be below the second");
    if (share->at[0] >= share->at[1])
        good = value_fault(faults, value_get(step, "percentiles"), false, "param-order",
                           "the first percentile must be below the second");
    return good;
}

/* Returns the lowest level in use at or below which there is this share of all samples. */
static int level_at(const struct scene *scene, double percent)
{
    int levels = scene_levels(scene), colours = scene_colours(scene), last = 0;
    double all = 0, below = 0;

    for (int i = 0; i < colours * levels; i++)
        all += scene->histogram[i];
    for (int level = 0; level < levels; level++) {
        double here = 0;

        for (int c = 0; c < colours; c++)
            here += scene->histogram[c * levels + level];
        if (here == 0)
            continue;
        below += here;
        last = level;
        if (below * 100 >= all * percent)
            return level;
    }
    return last;
}

static double stretched(const void *context, double level)
{
    const struct bounds *b = context;

    return (level - b->lo) * 255 / (b->hi - b->lo);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double unit = pixel_type_unit(scene->type);
    struct bounds bounds;

    if (p->in.given)
        bounds = (struct bounds){ p->in.list.at[0] / unit, p->in.list.at[1] / unit };
    else
        bounds = (struct bounds){ level_at(scene, p->percentiles.at[0]) / unit,
                                  level_at(scene, p->percentiles.at[1]) / unit };
    if (bounds.lo < bounds.hi) /* otherwise all samples have one level, and stay */
        action_table(scene, out, stretched, &bounds);
    return true;
}

const struct op rescale_intensity_op = {
    .name = "rescale_intensity",
    .summary = "stretch a range of levels to the full range, as for 12 bits in 16",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"rescale_intensity\", \"percentiles\": [1, 99]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_HISTOGRAM,
    .check = check,
    .resolve = resolve,
};
