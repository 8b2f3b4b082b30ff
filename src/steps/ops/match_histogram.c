/* match_histogram: gives each channel the histogram of a reference picture.
 *
 * Source: scikit-image's match_histograms, as in Albumentations. A level maps to the level of the
 * reference with the same cumulative share of pixels. Between two levels the shares are
 * interpolated linearly. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "steps/op_shared/stamps.h"

#include <string.h>

struct params {
    const char *stamp;
    double blend_ratio;
};

static const struct row rows[] = {
    TEXT(struct params, stamp, .preset = "\"\"",
         .help = "name of the reference picture, in the folder of --stamps; \"\": none"),
    NUMBER(struct params, blend_ratio, .preset = "1", .limit = { 0, 1 },
           .help = "share of the matched level; the rest is the original level"),
    ROWS_END,
};

/* Cumulative histogram of the reference: its levels in use, in order, and the share of pixels at or
 * below each. */
struct shares {
    int *level;
    double *up_to;
    int n;
};

struct context {
    const struct scene *scene;
    const double *matched; /* new level of each level, channel after channel */
    double ratio;
};

/* Ignores pixels that are less than half opaque. */
static struct shares shares_of(const struct stamp *stamp, const struct scene *scene, int channel)
{
    int levels = scene_levels(scene), colours = scene_colours(scene);
    double unit = pixel_type_unit(scene->type);
    uint64_t *count = ARENA_ARRAY(scene->arena, uint64_t, (size_t)levels), all = 0, below = 0;
    struct shares s = { .level = ARENA_ARRAY(scene->arena, int, (size_t)levels),
                        .up_to = ARENA_ARRAY(scene->arena, double, (size_t)levels) };

    memset(count, 0, (size_t)levels * sizeof *count);
    for (int y = 0; y < stamp->plane.height; y++)
        for (int x = 0; x < stamp->plane.width; x++) {
            double level[3];

            if (!stamp_colours(stamp, x, y, colours, level))
                continue;
            count[(int)fmin(levels - 1, level[channel] * unit + 0.5)]++;
            all++;
        }
    for (int i = 0; i < levels; i++)
        if (count[i]) {
            below += count[i];
            s.level[s.n] = i;
            s.up_to[s.n++] = (double)below / (double)all;
        }
    return s;
}

static void match(const uint32_t *count, int levels, const struct shares *to, double *matched)
{
    uint64_t all = 0, below = 0;
    int at = 0;

    for (int i = 0; i < levels; i++)
        all += count[i];
    for (int i = 0; i < levels; i++) {
        double share;

        below += count[i];
        share = all ? (double)below / (double)all : 0;
        while (at < to->n - 1 && to->up_to[at] < share)
            at++;
        matched[i] = to->level[at];
        if (at > 0 && share < to->up_to[at])
            matched[i] -= (to->level[at] - to->level[at - 1]) * (to->up_to[at] - share) /
                          (to->up_to[at] - to->up_to[at - 1]);
    }
}

static double value_of(const void *context, int channel, double level)
{
    const struct context *c = context;
    int i = channel * scene_levels(c->scene) + scene_index(c->scene, level);

    return c->ratio * c->matched[i] / pixel_type_unit(c->scene->type) + (1 - c->ratio) * level;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const struct stamp *stamp = stamp_find(p->stamp);
    int levels = scene_levels(scene), colours = scene_colours(scene);
    double *matched = ARENA_ARRAY(scene->arena, double, (size_t)(colours * levels));
    struct context context = { scene, matched, p->blend_ratio };

    if (!stamp && *p->stamp) {
        text_addf(scene->why, "there is no stamp \"%s\": see --stamps [stamp-missing]", p->stamp);
        return false;
    }
    if (!stamp || p->blend_ratio <= 0)
        return true;
    for (int c = 0; c < colours; c++) {
        struct shares to = shares_of(stamp, scene, c);

        if (!to.n)
            return true;
        match(scene->histogram + c * levels, levels, &to, matched + c * levels);
    }
    action_tables(scene, out, value_of, &context);
    return true;
}

const struct op match_histogram_op = {
    .name = "match_histogram",
    .summary = "match each channel's histogram to a reference picture",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"match_histogram\", \"stamp\": \"stamp.png\", \"blend_ratio\": 0.8}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_HISTOGRAM,
    .resolve = resolve,
};
