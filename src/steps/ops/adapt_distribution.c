/* adapt_distribution: matches the distribution of colors to a reference picture, by a linear map.
 *
 * Source: qudida's DomainAdapter, as in Albumentations: a transform is fitted to each picture; the
 * image's colors go through its own transform and back through the reference's. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/colour_pca.h"
#include "steps/op_shared/rows.h"
#include "steps/op_shared/stamps.h"

struct params {
    const char *stamp;
    int transform_type;
    double blend_ratio;
};

static const struct row rows[] = {
    TEXT(struct params, stamp, .preset = "\"\"",
         .help = "name of the reference picture, in the folder of --stamps; \"\": none"),
    CHOICE(struct params, transform_type, .preset = "\"pca\"", .choices = adaptation_choices,
           .help = "the statistics that become equal"),
    NUMBER(struct params, blend_ratio, .preset = "1", .limit = { 0, 1 },
           .help = "share of the adapted colours; the rest is the original colours"),
    ROWS_END,
};

/* Statistics of the colors: levels on the 0..255 scale. */
struct spread {
    struct colour_moments moments;
    double min[3], max[3];
    uint64_t pixels;
};

static struct spread spread_of_stamp(const struct stamp *stamp, int colours)
{
    struct spread s = { .pixels = 0 };
    double level[3], sum[3] = { 0 }, product[3][3] = { { 0 } };

    for (int y = 0; y < stamp->plane.height; y++)
        for (int x = 0; x < stamp->plane.width; x++) {
            if (!stamp_colours(stamp, x, y, colours, level))
                continue;
            for (int i = 0; i < colours; i++) {
                s.min[i] = s.pixels ? fmin(s.min[i], level[i]) : level[i];
                s.max[i] = s.pixels ? fmax(s.max[i], level[i]) : level[i];
                sum[i] += level[i];
                for (int j = 0; j < colours; j++)
                    product[i][j] += level[i] * level[j];
            }
            s.pixels++;
        }
    for (int i = 0; i < colours && s.pixels; i++)
        s.moments.mean[i] = sum[i] / (double)s.pixels;
    for (int i = 0; i < colours && s.pixels; i++)
        for (int j = 0; j < colours; j++)
            s.moments.covariance[i][j] =
                product[i][j] / (double)s.pixels - s.moments.mean[i] * s.moments.mean[j];
    return s;
}

static struct spread spread_of_scene(const struct scene *scene, int colours)
{
    struct spread s = { .moments = *scene->moments, .pixels = 1 };
    int levels = scene_levels(scene);
    double unit = pixel_type_unit(scene->type);

    for (int c = 0; c < colours; c++) {
        const uint32_t *count = scene->histogram + (ptrdiff_t)c * levels;
        int lo = 0, hi = levels - 1;

        while (lo < hi && !count[lo])
            lo++;
        while (hi > lo && !count[hi])
            hi--;
        s.min[c] = lo / unit;
        s.max[c] = hi / unit;
    }
    return s;
}

/* A channel of one level keeps one level: the reference's mean or minimum. */
static double ratio_of(double wanted, double own)
{
    return own > 0 && wanted > 0 ? wanted / own : 0;
}

/* Aligns the signs of the axes, which are arbitrary: flips all axes of the reference if the traces
 * differ in sign, as in the source. */
static void turn_axes(const struct spread *own, const struct spread *to, int colours,
                      double m[3][3])
{
    struct principal_axes a = principal_axes(own->moments.covariance);
    struct principal_axes b = principal_axes(to->moments.covariance);
    double traces =
        (a.axis[0][0] + a.axis[1][1] + a.axis[2][2]) * (b.axis[0][0] + b.axis[1][1] + b.axis[2][2]);

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                m[i][j] += (colours > 1 && traces < 0 ? -1 : 1) * b.axis[k][i] * a.axis[k][j];
}

/* out = m * (in - from) + to, blended with `in`. */
static struct colour_matrix blended(double m[3][3], const double *from, const double *to,
                                    double ratio)
{
    struct colour_matrix out;

    for (int i = 0; i < 3; i++) {
        double offset = to[i];

        for (int j = 0; j < 3; j++) {
            offset -= m[i][j] * from[j];
            out.m[i][j] = (float)(ratio * m[i][j] + (i == j ? 1 - ratio : 0));
        }
        out.m[i][3] = (float)(ratio * offset);
    }
    return out;
}

static struct colour_matrix adapt(const struct params *p, const struct spread *own,
                                  const struct spread *to, int colours)
{
    bool minmax = p->transform_type == ADAPT_MINMAX;
    double m[3][3] = { { 0 } };

    if (p->transform_type == ADAPT_PCA)
        turn_axes(own, to, colours, m);
    for (int i = 0; i < colours && p->transform_type != ADAPT_PCA; i++)
        m[i][i] = minmax
                      ? ratio_of(to->max[i] - to->min[i], own->max[i] - own->min[i])
                      : sqrt(ratio_of(to->moments.covariance[i][i], own->moments.covariance[i][i]));
    return blended(m, minmax ? own->min : own->moments.mean, minmax ? to->min : to->moments.mean,
                   p->blend_ratio);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const struct stamp *stamp = stamp_find(p->stamp);
    int colours = scene_colours(scene);
    struct spread own, to;
    struct colour_matrix *m;

    if (!stamp && *p->stamp) {
        text_addf(scene->why, "there is no stamp \"%s\": see --stamps [stamp-missing]", p->stamp);
        return false;
    }
    if (!stamp || p->blend_ratio <= 0)
        return true;
    to = spread_of_stamp(stamp, colours);
    if (!to.pixels)
        return true;
    own = spread_of_scene(scene, colours);
    m = ARENA_NEW(scene->arena, struct colour_matrix);
    *m = adapt(p, &own, &to, colours);
    if (colours == 1)
        action_line(scene, out, (double)m->m[0][0], (double)m->m[0][3]);
    else
        action_colours(scene, out, colour_by_matrix, m, m);
    return true;
}

const struct op adapt_distribution_op = {
    .name = "adapt_distribution",
    .summary = "match the distribution of colours to a reference picture, by a linear map",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"adapt_distribution\", \"stamp\": \"stamp.png\", "
               "\"transform_type\": \"standard\", \"blend_ratio\": 0.7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .needs = NEEDS_HISTOGRAM | NEEDS_COVARIANCE,
    .resolve = resolve,
};
