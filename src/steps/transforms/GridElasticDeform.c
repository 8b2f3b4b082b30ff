/* GridElasticDeform: displaces the inner nodes of a grid at random. */
#include "steps/transform.h"

struct params {
    struct list num_grid_xy;
    int magnitude, interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    LIST(struct params, num_grid_xy, .least = 2, .most = 2, .whole = true, .limit = { 1, 63 },
         .usual = { 2, 6 }, .help = "[columns, rows] of cells"),
    INTEGER(struct params, magnitude, .unit = "pixels", .limit = { 1, 100000 }, .usual = { 1, 10 },
            .help = "maximum displacement of a node along x and along y; displacements that "
                    "would fold the image are reduced"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int columns = (int)p->num_grid_xy.at[0] + 1, rows_n = (int)p->num_grid_xy.at[1] + 1;
    size_t n = (size_t)rows_n * (size_t)columns;
    struct grid g = { rows_n, columns, ARENA_ARRAY(run->arena, double, n),
                      ARENA_ARRAY(run->arena, double, n) };

    for (int row = 1; row < rows_n - 1; row++)
        for (int column = 1; column < columns - 1; column++) {
            size_t at = (size_t)row * (size_t)columns + (size_t)column;

            g.dx[at] = (double)rng_integer(run->rng, -p->magnitude, p->magnitude + 1);
            g.dy[at] = (double)rng_integer(run->rng, -p->magnitude, p->magnitude + 1);
        }
    grid_unfold(&g, run->frame);
    emit_shared(run, "displace", PAIR("grid", g.rows, g.columns), NUMS("dx", n, g.dx),
                NUMS("dy", n, g.dy));
}

const struct transform GridElasticDeform_transform = {
    .name = "GridElasticDeform",
    .summary = "displace the inner nodes of a grid at random; bilinear in each cell",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "displacements say where a node's pixels come from, and cells are bilinear "
               "(Albumentations moves the nodes, and cells are perspective); the distribution "
               "is the same; the image never folds, and labels follow the pixels",
    .example = "{\"type\": \"GridElasticDeform\", \"num_grid_xy\": [4, 4], \"magnitude\": 12}",
    .emits = (const char *const[]){ "displace", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
