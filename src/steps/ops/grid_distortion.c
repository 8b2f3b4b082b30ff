/* grid_distortion: makes columns and rows of a grid wider and narrower. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct numbers steps_x, steps_y;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    NUMBERS(struct params, steps_x, .least = 1, .most = 64, .limit = { 0, 1000 }, .above = true,
            .usual = { 0.6, 1.4 },
            .help = "relative width of the part of the image that each column shows; in the "
                    "result all columns are equally wide"),
    NUMBERS(struct params, steps_y, .least = 1, .most = 64, .limit = { 0, 1000 }, .above = true,
            .usual = { 0.6, 1.4 }, .help = "the same for the rows' heights"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

/* Computes the displacement of each column of nodes to the right; the border stays. */
static void displacements(const struct numbers *steps, double side, double *d)
{
    double sum = 0, at = 0;

    for (size_t i = 0; i < steps->n; i++)
        sum += steps->at[i];
    for (size_t i = 0; i < steps->n; i++) {
        d[i] = side * (at / sum - (double)i / (double)steps->n);
        at += steps->at[i];
    }
    d[steps->n] = 0;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    size_t columns = p->steps_x.n + 1, rows_n = p->steps_y.n + 1;
    double *across = ARENA_ARRAY(scene->arena, double, columns);
    double *down = ARENA_ARRAY(scene->arena, double, rows_n);
    struct grid grid = { (int)rows_n, (int)columns,
                         ARENA_ARRAY(scene->arena, double, rows_n *columns),
                         ARENA_ARRAY(scene->arena, double, rows_n *columns) };

    displacements(&p->steps_x, scene->frame.width, across);
    displacements(&p->steps_y, scene->frame.height, down);
    for (size_t j = 0; j < rows_n; j++)
        for (size_t i = 0; i < columns; i++) {
            grid.dx[j * columns + i] = across[i];
            grid.dy[j * columns + i] = down[j];
        }
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_field(scene, out, grid_field(scene->arena, scene->frame, &grid, GRID_LINEAR),
                        (enum interpolation)p->interpolation);
}

const struct op grid_distortion_op = {
    .name = "grid_distortion",
    .summary = "make columns and rows of a grid wider and narrower",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"grid_distortion\", \"steps_x\": [1.3, 0.7, 1, 0.8], "
               "\"steps_y\": [0.7, 1.2, 1.1]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_FIELD,
    .effect = EFFECT_MOVES,
    .resolve = resolve,
};
