/* GridDistortion: makes columns and rows of a grid wider and narrower at random. */
#include "steps/transform.h"

struct params {
    int num_steps, interpolation, padding_mode, fill_mask;
    struct range distort_limit;
    struct colour fill;
};

static const struct row rows[] = {
    INTEGER(struct params, num_steps, .preset = "5", .limit = { 1, 64 }, .usual = { 2, 8 },
            .help = "number of columns and of rows"),
    RANGE(struct params, distort_limit, .preset = "[-0.3, 0.3]", .limit = { -0.95, 0.95 },
          .scalar = SCALAR_SYMMETRIC, .usual = { -0.4, 0.4 },
          .help = "range of the relative change of a column's width or a row's height, before "
                  "all are scaled to fit the image (Albumentations' `normalized`)"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static const double *steps(struct run *run)
{
    const struct params *p = run->params;
    double *step = ARENA_ARRAY(run->arena, double, (size_t)p->num_steps);

    for (int i = 0; i < p->num_steps; i++)
        step[i] = 1 + rng_between(run->rng, p->distort_limit.lo, p->distort_limit.hi);
    return step;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t n = (size_t)p->num_steps;
    const double *x = steps(run), *y = steps(run);

    emit_shared(run, "grid_distortion", NUMS("steps_x", n, x), NUMS("steps_y", n, y));
}

const struct transform GridDistortion_transform = {
    .name = "GridDistortion",
    .summary = "make columns and rows of a grid wider and narrower at random",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"GridDistortion\", \"num_steps\": 4, \"distort_limit\": 0.5}",
    .emits = (const char *const[]){ "grid_distortion", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
