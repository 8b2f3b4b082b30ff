/* Mosaic: puts the image and others into the cells of a grid. */
#include "steps/transform.h"

enum { MAX_CELLS = 36 };

/* In addition to fit_choices. */
enum { FIT_CORNER = FIT_CONTAIN + 1 };
static const struct choice cell_fits[] = {
    { "cover", FIT_COVER, "scaled to fill the cell, and cropped at a random place" },
    { "contain", FIT_CONTAIN, "scaled to be completely visible, and centered" },
    { "corner", FIT_CORNER,
      "not scaled: placed against the centre of a grid of 2 x 2, cropped to its cell or padded "
      "to it, as YOLO trainers do" },
    { 0 },
};

struct params {
    struct size target_size;
    struct list grid_yx;
    struct list center_range;
    struct donors donors;
    struct steps donor_transforms;
    int fit_mode, interpolation, fill_mask;
    bool antialias;
    struct colour fill;
};

static const struct row rows[] = {
    SIZE(struct params, target_size, .preset = "512", .unit = "pixels", .limit = { 1, 65500 },
         .usual = { 40, 120 }, .help = "[height, width] of the result, or one number for a square"),
    LIST(struct params, grid_yx, .preset = "[2, 2]", .least = 2, .most = 2, .whole = true,
         .limit = { 1, 6 }, .usual = { 1, 3 }, .help = "rows and columns of the grid"),
    LIST(struct params, center_range, .ends = true, .preset = "[0.3, 0.7]", .least = 2, .most = 2,
         .limit = { 0, 1 },
         .help = "range of the position of the grid's centre, as a share of the height and of "
                 "the width"),
    CHOICE(struct params, fit_mode, .preset = "\"cover\"", .choices = cell_fits,
           .help = "how to fit an image of another size or aspect ratio"),
    DONOR_ROWS(struct params),
    RESIZE_ROWS(struct params),
    FILL_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->fit_mode == FIT_CORNER && (p->grid_yx.at[0] != 2 || p->grid_yx.at[1] != 2))
        return value_fault(faults, value_get(step, "grid_yx"), false, "param-range",
                           "\"fit_mode\": \"corner\" needs a grid of [2, 2]");
    return ordered_check(&p->center_range, "center_range", step, faults);
}

static int images(const void *params)
{
    const struct params *p = params;

    return (int)(p->grid_yx.at[0] * p->grid_yx.at[1]) + 1;
}

/* Cells that have a pixel, and the frames into which their images are fitted. */
struct cells {
    const struct params *params;
    const struct run *own;
    size_t cell[MAX_CELLS]; /* index in the grid of each input's cell */
    size_t own_cell;        /* cell of the image itself */
    struct frame frame[MAX_CELLS];
};

/* Returns the position of line i of n. Lines are as far apart as in a regular grid, except at the
 * edges. */
static int line_at(int i, int n, double middle, int length)
{
    double at = (middle + ((double)i / n - 0.5)) * length;

    if (i == 0 || i == n)
        return i ? length : 0;
    return (int)fmin(fmax(nearbyint(at), 0), length);
}

/* For a 2 x 2 grid: crops each input to the corner that touches the center. */
static void emit_corner(struct run *run, struct frame to, size_t cell)
{
    static const int positions[] = { POSITION_BOTTOM_RIGHT, POSITION_BOTTOM_LEFT,
                                     POSITION_TOP_RIGHT, POSITION_TOP_LEFT };
    int width = run->frame.width < to.width ? run->frame.width : to.width;
    int height = run->frame.height < to.height ? run->frame.height : to.height;
    struct window w = { cell < 2 ? run->frame.height - height : 0,
                        cell % 2 == 0 ? run->frame.width - width : 0, height, width };

    if (width < run->frame.width || height < run->frame.height)
        emit_crop(run, &w);
    if (width < to.width || height < to.height)
        emit_canvas(run, to, positions[cell]);
}

static void chain(struct run *run, size_t i, const void *context)
{
    const struct cells *c = context;

    if (c->cell[i] != c->own_cell)
        emit_borrowed(run, c->own, &c->params->donor_transforms, c->cell[i]);
    if (c->params->fit_mode == FIT_CORNER)
        emit_corner(run, c->frame[i], c->cell[i]);
    else
        emit_fit(run, c->frame[i], c->params->fit_mode);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int ny = (int)p->grid_yx.at[0], nx = (int)p->grid_yx.at[1];
    double y = rng_between(run->rng, p->center_range.at[0], p->center_range.at[1]);
    double x = rng_between(run->rng, p->center_range.at[0], p->center_range.at[1]);
    int64_t own = rng_integer(run->rng, 0, ny * nx);
    struct cells cells = { .params = p, .own = run, .own_cell = (size_t)own };
    struct joint joint = { .height = p->target_size.height,
                           .width = p->target_size.width,
                           .fill = p->fill,
                           .fill_mask = p->fill_mask,
                           .labels = LABELS_SHRINK };

    joint.inputs = inputs_take(run->arena, (size_t)(ny * nx));
    joint.inputs.n = 0;
    for (int i = 0; i < ny * nx; i++) {
        int top = line_at(i / nx, ny, y, joint.height), left = line_at(i % nx, nx, x, joint.width);
        struct frame frame = { line_at(i % nx + 1, nx, x, joint.width) - left,
                               line_at(i / nx + 1, ny, y, joint.height) - top };
        const char *source = i == own ? "" : run_donor(run, &p->donors);
        size_t n = joint.inputs.n;

        if (!source)
            return;
        if (frame.width < 1 || frame.height < 1)
            continue;
        cells.cell[n] = (size_t)i;
        cells.frame[n] = frame;
        joint.inputs.at[n] =
            (struct input){ .source = source, .top = top, .left = left, .opacity = 1 };
        joint.inputs.n++;
    }
    emit_join(run, &joint, chain, &cells);
}

const struct transform Mosaic_transform = {
    .name = "Mosaic",
    .summary = "put the image and others into the cells of a grid, with the labels of all",
    .group = GROUP_JOIN,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "an image is fitted into the visible part of its cell (no `cell_shape`), the "
               "cell of the image itself is random, and other images come from the dataset; "
               "all targets are supported",
    .example = "{\"type\": \"Mosaic\", \"target_size\": [160, 160]}",
    .emits = (const char *const[]){ "join", "grayscale_to_rgb", "rgb_to_grayscale", "to_dtype",
                                    "resize", "crop", "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .images = images,
    .check = check,
    .draw = draw,
};
