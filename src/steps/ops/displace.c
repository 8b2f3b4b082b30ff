/* displace: moves pixels by a grid of displacements and an interpolation between them. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct list grid;
    struct numbers dx, dy;
    int between, interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    LIST(struct params, grid, .least = 2, .most = 2, .whole = true, .limit = { 2, 64 },
         .usual = { 3, 5 },
         .help = "[rows, columns] of nodes; the outermost are on the image's border"),
    NUMBERS(struct params, dx, .least = 4, .most = 4096, .unit = "pixels",
            .limit = { -1000000, 1000000 }, .usual = { -2.5, 2.5 },
            .help = "for each node, row by row: horizontal distance, to the right, of the "
                    "place that it shows"),
    NUMBERS(struct params, dy, .least = 4, .most = 4096, .unit = "pixels",
            .limit = { -1000000, 1000000 }, .usual = { -2.5, 2.5 },
            .help = "the same vertically, downward"),
    CHOICE(struct params, between, .preset = "\"linear\"", .choices = between_choices,
           .help = "interpolation between nodes. If displacements differ by more than the "
                   "distance of their nodes, the image folds: outlines become RLE of the "
                   "visible part, and keypoints follow the nearest place that shows them"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static bool check_count(const struct params *p, const struct numbers *d, const char *name,
                        const struct value *step, struct faults *faults)
{
    int rows_n = (int)p->grid.at[0], columns = (int)p->grid.at[1];

    if (d->n != (size_t)rows_n * (size_t)columns)
        return value_fault(faults, value_get(step, name), false, "param-length",
                           "%zu numbers for a grid of %d rows and %d columns", d->n, rows_n,
                           columns);
    return true;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = check_count(p, &p->dx, "dx", step, faults);

    if (p->between == GRID_THIN_PLATE && p->dx.n > 400)
        return value_fault(faults, value_get(step, "grid"), false, "param-range",
                           "%zu nodes; a thin plate has at most 400", p->dx.n);
    return check_count(p, &p->dy, "dy", step, faults) && good;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct grid grid = { (int)p->grid.at[0], (int)p->grid.at[1], p->dx.at, p->dy.at };
    const struct field *field =
        grid_field(scene->arena, scene->frame, &grid, (enum grid_surface)p->between);

    if (!field) {
        text_adds(scene->why, "the thin plate has no solution");
        return false;
    }
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_field(scene, out, field, (enum interpolation)p->interpolation);
}

const struct op displace_op = {
    .name = "displace",
    .summary = "displace pixels by a grid of displacements",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"displace\", \"grid\": [2, 3], \"dx\": [12, -8, 6, -10, 9, -12], "
               "\"dy\": [6, 10, -9, -8, -6, 10], \"between\": \"cubic\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_FIELD,
    .effect = EFFECT_MOVES,
    .check = check,
    .resolve = resolve,
};
