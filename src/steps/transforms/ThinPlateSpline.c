/* ThinPlateSpline: warps the image like a thin plate that is bent at random. */
#include "steps/transform.h"

struct params {
    struct range scale_range;
    int num_control_points, interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    RANGE(struct params, scale_range, .preset = "[0.2, 0.4]", .limit = { 0, 10 },
          .usual = { 0, 0.4 },
          .help = "ten standard deviations of a control point's displacement, as a share of "
                  "the sides. If that is large compared to the distance between points, the "
                  "image folds: outlines become RLE of the visible part, and keypoints follow "
                  "the nearest place that shows them"),
    INTEGER(struct params, num_control_points, .preset = "4", .limit = { 2, 20 }, .usual = { 2, 5 },
            .help = "number of rows and of columns of control points, from border to border"),
    FIELD_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double deviation = rng_between(run->rng, p->scale_range.lo, p->scale_range.hi) / 10;
    struct grid g = random_grid(run, p->num_control_points, p->num_control_points);
    size_t n = (size_t)g.rows * (size_t)g.columns;

    grid_scale(&g, deviation * run->frame.width, deviation * run->frame.height);
    emit_shared(run, "displace", PAIR("grid", g.rows, g.columns), NUMS("dx", n, g.dx),
                NUMS("dy", n, g.dy), WORD("between", between_choices, GRID_THIN_PLATE));
}

const struct transform ThinPlateSpline_transform = {
    .name = "ThinPlateSpline",
    .summary = "warp the image smoothly, like a thin plate that is bent at random points",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "a thin plate through the control points; Albumentations 2 interpolates them by "
               "another function, which at the same `scale_range` moves pixels twice as far "
               "with 4 control points per side, and 8 times with 8",
    .example = "{\"type\": \"ThinPlateSpline\", \"scale_range\": [0.3, 0.5]}",
    .emits = (const char *const[]){ "displace", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
