/* PiecewiseAffine: displaces the nodes of a grid at random; each cell follows its corners. */
#include "steps/transform.h"

struct params {
    struct range scale, nb_rows, nb_cols;
    bool absolute_scale;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, scale, .preset = "[0.03, 0.05]", .limit = { 0, 1000 }, .usual = { 0, 0.2 },
          .scalar = SCALAR_FROM_0,
          .help = "three standard deviations of a node's displacement, as a share of the "
                  "shorter side; displacements that would fold the image are reduced; v means "
                  "[0, v], as in Albumentations"),
    RANGE(struct params, nb_rows, .preset = "4", .whole = true, .limit = { 2, 32 },
          .usual = { 2, 8 }, .help = "rows of nodes"),
    RANGE(struct params, nb_cols, .preset = "4", .whole = true, .limit = { 2, 32 },
          .usual = { 2, 8 }, .help = "columns of nodes"),
    FLAG(struct params, absolute_scale, .preset = "false", .help = "`scale` is in pixels"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static int count(struct run *run, const struct range *r)
{
    return (int)rng_integer(run->rng, (int64_t)r->lo, (int64_t)r->hi + 1);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int shorter = run->frame.width < run->frame.height ? run->frame.width : run->frame.height;
    double deviation = rng_between(run->rng, p->scale.lo, p->scale.hi) / 3;
    struct grid g = random_grid(run, count(run, &p->nb_rows), count(run, &p->nb_cols));
    size_t n = (size_t)g.rows * (size_t)g.columns;

    deviation *= p->absolute_scale ? 1 : shorter;
    grid_scale(&g, deviation, deviation);
    grid_unfold(&g, run->frame);
    emit_shared(run, "displace", PAIR("grid", g.rows, g.columns), NUMS("dx", n, g.dx),
                NUMS("dy", n, g.dy));
}

const struct transform PiecewiseAffine_transform = {
    .name = "PiecewiseAffine",
    .summary = "displace the nodes of a grid at random; bilinear in each cell",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "each cell follows its own corners; Albumentations 2 blends all nodes "
               "everywhere, which moves pixels about 8 times as far at the same `scale`",
    .example = "{\"type\": \"PiecewiseAffine\", \"scale\": [0.08, 0.12], \"nb_rows\": 5, "
               "\"nb_cols\": 5}",
    .emits = (const char *const[]){ "displace", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
