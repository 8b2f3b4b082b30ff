/* RandomGridShuffle: shuffles the cells of a grid. */
#include "steps/transform.h"

enum { MAX_LINES = 6, MAX_CELLS = MAX_LINES * MAX_LINES };

struct params {
    struct list grid;
    int pieces;
};

static const struct row rows[] = {
    LIST(struct params, grid, .preset = "[3, 3]", .least = 2, .most = 2, .whole = true,
         .limit = { 1, MAX_LINES }, .usual = { 1, 4 }, .help = "rows and columns of the grid"),
    PIECES_ROW(struct params),
    ROWS_END,
};

static int images(const void *params)
{
    const struct params *p = params;

    return (int)(p->grid.at[0] * p->grid.at[1]);
}

/* Places the lines of a grid: n parts of a length that differ by at most one pixel. Which parts are
 * longer is random. */
static void draw_lines(struct run *run, int n, int length, int *at)
{
    size_t order[MAX_LINES];

    rng_permutation(run->rng, order, (size_t)n);
    at[0] = 0;
    for (int i = 0; i < n; i++)
        at[i + 1] = at[i] + length / n + ((int)order[i] < length % n);
}

struct cells {
    struct window from[MAX_CELLS];
};

static void chain(struct run *run, size_t i, const void *context)
{
    const struct cells *cells = context;

    emit_crop(run, &cells->from[i]);
}

/* Gives each place another cell of the same size, or its own cell: a random permutation of equal
 * cells. */
static void draw_order(struct run *run, const struct window *cell, size_t n, size_t *from)
{
    bool done[MAX_CELLS] = { false };

    for (size_t i = 0; i < n; i++) {
        size_t alike[MAX_CELLS], order[MAX_CELLS], n_alike = 0;

        for (size_t k = i; k < n && !done[i]; k++)
            if (cell[k].width == cell[i].width && cell[k].height == cell[i].height) {
                alike[n_alike++] = k;
                done[k] = k > i;
            }
        rng_permutation(run->rng, order, n_alike);
        for (size_t k = 0; k < n_alike; k++)
            from[alike[k]] = alike[order[k]];
    }
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int ny = (int)p->grid.at[0], nx = (int)p->grid.at[1];
    int y[MAX_LINES + 1], x[MAX_LINES + 1];
    struct window cell[MAX_CELLS];
    size_t n = 0, from[MAX_CELLS];
    struct cells cells;
    struct joint joint = { .height = run->frame.height,
                           .width = run->frame.width,
                           .pieces = p->pieces };
    bool moved = false;

    draw_lines(run, ny, joint.height, y);
    draw_lines(run, nx, joint.width, x);
    for (int i = 0; i < ny * nx; i++) {
        int r = i / nx, c = i % nx;

        cell[n] = (struct window){ y[r], x[c], y[r + 1] - y[r], x[c + 1] - x[c] };
        n += cell[n].width > 0 && cell[n].height > 0;
    }
    draw_order(run, cell, n, from);
    joint.inputs = inputs_take(run->arena, n);
    for (size_t i = 0; i < n; i++) {
        cells.from[i] = cell[from[i]];
        joint.inputs.at[i] =
            (struct input){ .source = "", .top = cell[i].top, .left = cell[i].left, .opacity = 1 };
        moved |= from[i] != i;
    }
    if (moved)
        emit_join(run, &joint, chain, &cells);
}

const struct transform RandomGridShuffle_transform = {
    .name = "RandomGridShuffle",
    .summary = "shuffle the cells of a grid, with the parts of labels in them",
    .group = GROUP_JOIN,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "boxes and polygons are cut at the cells, and `pieces` says what happens to "
               "objects in several cells (Albumentations does not support boxes and polygons); "
               "at most 6 rows and columns",
    .example = "{\"type\": \"RandomGridShuffle\", \"grid\": [2, 3]}",
    .emits = (const char *const[]){ "join", "crop", NULL },
    .chance = 0.5,
    .params = rows,
    .params_size = sizeof(struct params),
    .images = images,
    .draw = draw,
};
