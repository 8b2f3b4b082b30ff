/* transform: what several transforms share: draws, windows, larger canvases. */
#include "transform.h"

const struct seen *run_objects(struct run *run, size_t *n)
{
    return run->emitter->objects(run, n);
}

bool run_pixel_of_objects(struct run *run, const struct list *ignore, int *x, int *y)
{
    return run->emitter->pixel_of_objects(run, ignore, x, y);
}

void emit_resize(struct run *run, int height, int width)
{
    emit_shared(run, "resize", PAIR("size", height < 1 ? 1 : height, width < 1 ? 1 : width),
                NONE("max_size"));
}

/* --- larger canvases --- */

const struct choice position_choices[] = {
    { "center", POSITION_CENTER, "in the middle" },
    { "top_left", POSITION_TOP_LEFT, "the border is added at the bottom and on the right" },
    { "top_right", POSITION_TOP_RIGHT, "the border is added at the bottom and on the left" },
    { "bottom_left", POSITION_BOTTOM_LEFT, "the border is added at the top and on the right" },
    { "bottom_right", POSITION_BOTTOM_RIGHT, "the border is added at the top and on the left" },
    { "random", POSITION_RANDOM, "anywhere, all places alike" },
    { 0 },
};

void emit_canvas(struct run *run, struct frame to, int position)
{
    int x = to.width > run->frame.width ? to.width - run->frame.width : 0;
    int y = to.height > run->frame.height ? to.height - run->frame.height : 0;
    int left = x / 2, top = y / 2;

    if (position == POSITION_RANDOM) {
        top = (int)rng_integer(run->rng, 0, y + 1);
        left = (int)rng_integer(run->rng, 0, x + 1);
    } else if (position != POSITION_CENTER) {
        bool right = position == POSITION_TOP_RIGHT || position == POSITION_BOTTOM_RIGHT;
        bool bottom = position == POSITION_BOTTOM_LEFT || position == POSITION_BOTTOM_RIGHT;

        left = right ? x : 0;
        top = bottom ? y : 0;
    }
    if (x || y)
        emit_shared(run, "pad", NUMS("padding", 4, ((double[]){ left, top, x - left, y - top })));
}

/* --- resizing by one side --- */

const struct row side_rows[] = {
    OPTIONAL_LIST(struct side_params, max_size, .preset = "null", .least = 1, .most = 16,
                  .whole = true, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
                  .help =
                      "what the side becomes; of a list one is drawn, each with equal probability"),
    OPTIONAL_LIST(struct side_params, max_size_hw, .preset = "null", .least = 2, .most = 2,
                  .whole = true, .unit = "pixels", .limit = { 0, 65500 }, .usual = { 24, 140 },
                  .help = "instead, bounds: [height, width]; 0: no bound (Albumentations' "
                          "None)"),
    RESIZE_ROWS(struct side_params),
    ROWS_END,
};

bool side_check(const void *params, const struct value *step, struct faults *faults)
{
    const struct side_params *p = params;
    const double *hw = p->max_size_hw.list.at;

    if (p->max_size.given && p->max_size_hw.given)
        return value_fault(faults, value_get(step, "max_size_hw"), true, "param-conflict",
                           "goes without \"max_size\"");
    if (!p->max_size.given && !p->max_size_hw.given)
        return value_fault(faults, step, false, "param-missing",
                           "give \"max_size\" or \"max_size_hw\"");
    if (p->max_size_hw.given && hw[0] == 0 && hw[1] == 0)
        return value_fault(faults, value_get(step, "max_size_hw"), false, "param-range",
                           "one of the two must not be 0");
    return true;
}

void side_draw(struct run *run, bool longest)
{
    const struct side_params *p = run->params;
    double w = run->frame.width, h = run->frame.height;
    double to_h = p->max_size_hw.list.at[0], to_w = p->max_size_hw.list.at[1];
    bool by_height;

    if (p->max_size.given)
        to_h = to_w = p->max_size.list.at[rng_integer(run->rng, 0, p->max_size.list.n)];
    /* The one of the two scales, to_h / h and to_w / w, that is smaller is the one that fits. */
    by_height = to_w == 0 || (to_h != 0 && (to_h * w <= to_w * h) == longest);
    emit_resize(run, round_half_even(by_height ? to_h : h * to_w / w),
                round_half_even(by_height ? w * to_h / h : to_w));
}

bool ordered_check(const struct list *list, const char *name, const struct value *step,
                   struct faults *faults)
{
    if (list->at[0] > list->at[list->n - 1])
        return value_fault(faults, value_get(step, name), false, "param-order",
                           "the first number is larger than the second");
    return true;
}

bool roi_check(const struct list *list, const char *name, const struct value *step,
               struct faults *faults)
{
    if (list->at[0] > list->at[2] || list->at[1] > list->at[3])
        return value_fault(faults, value_get(step, name), false, "param-order",
                           "left must not be larger than right, nor top than bottom");
    return true;
}

int64_t draw_key(struct run *run)
{
    return rng_integer(run->rng, 0, (int64_t)1 << 32);
}

int draw_whole(struct run *run, const struct list *list)
{
    return (int)rng_integer(run->rng, (int64_t)list->at[0], (int64_t)list->at[list->n - 1] + 1);
}

int draw_odd(struct run *run, const struct list *list)
{
    int64_t lo = (int64_t)list->at[0] / 2, hi = (int64_t)list->at[list->n - 1] / 2;

    return (int)(2 * rng_integer(run->rng, lo, hi + 1) + 1);
}

void emit_permutation(struct run *run)
{
    size_t order[3];
    double permutation[3];

    if (run->bands < 3)
        return;
    rng_permutation(run->rng, order, 3);
    for (int i = 0; i < 3; i++)
        permutation[i] = (double)order[i];
    emit(run, "permute_channels", NUMS("permutation", 3, permutation));
}

/* --- windows --- */

void emit_crop(struct run *run, const struct window *w)
{
    emit(run, "crop", NUM("top", w->top), NUM("left", w->left), NUM("height", w->height),
         NUM("width", w->width));
}

bool crop_fits(struct run *run, int height, int width)
{
    bool fits = run->frame.height >= height && run->frame.width >= width;

    if (!fits)
        emit_refuse(run, "the image is %dx%d, smaller than the crop of %dx%d", run->frame.width,
                    run->frame.height, width, height);
    return fits;
}

/* The hull of all boxes, each cut at the canvas; false when there are none. */
static bool hull_of_boxes(struct run *run, struct box *hull)
{
    struct box canvas = box_of_frame(run->frame);
    bool any = false;
    size_t n;
    const struct seen *seen = run_objects(run, &n);

    for (size_t i = 0; i < n; i++) {
        struct box b = box_intersect(seen[i].box, canvas);

        if (!seen[i].has_box || b.x1 < b.x0 || b.y1 < b.y0)
            continue;
        *hull = any ? (struct box){ fmin(hull->x0, b.x0), fmin(hull->y0, b.y0),
                                    fmax(hull->x1, b.x1), fmax(hull->y1, b.y1) }
                    : b;
        any = true;
    }
    return any;
}

/* From a place before `lo` to one behind `hi`, of a line of `n` pixels: outward to whole pixels, so
 * that what lies between them stays whole; at least one pixel. */
static void draw_around(struct rng *rng, double lo, double hi, int n, int *begin, int *length)
{
    int end;

    *begin = (int)floor(lo * rng_unit(rng));
    end = (int)ceil(hi + (n - hi) * rng_unit(rng));
    *begin = *begin > n - 1 ? n - 1 : *begin;
    end = end > n ? n : end;
    *length = end > *begin ? end - *begin : 1;
}

static struct window draw_free_window(struct run *run, double erosion)
{
    int W = run->frame.width, H = run->frame.height, least = (int)(H * (1 - erosion));
    struct window w = { .height = least < H ? (int)rng_integer(run->rng, least, H + 1) : H };

    w.height = w.height < 1 ? 1 : w.height;
    w.width = (int)((double)w.height * W / H);
    w.width = w.width < 1 ? 1 : w.width;
    w.top = (int)rng_integer(run->rng, 0, H - w.height + 1);
    w.left = (int)rng_integer(run->rng, 0, W - w.width + 1);
    return w;
}

struct window draw_safe_window(struct run *run, double erosion)
{
    struct window w;
    struct box hull;
    double dx, dy;

    if (!hull_of_boxes(run, &hull))
        return draw_free_window(run, erosion);
    dx = (hull.x1 - hull.x0) * erosion / 2;
    dy = (hull.y1 - hull.y0) * erosion / 2;
    draw_around(run->rng, hull.x0 + dx, hull.x1 - dx, run->frame.width, &w.left, &w.width);
    draw_around(run->rng, hull.y0 + dy, hull.y1 - dy, run->frame.height, &w.top, &w.height);
    return w;
}

/* --- grids --- */

struct grid random_grid(struct run *run, int rows, int columns)
{
    size_t n = (size_t)rows * (size_t)columns;
    struct grid g = { rows, columns, ARENA_ARRAY(run->arena, double, n),
                      ARENA_ARRAY(run->arena, double, n) };

    for (size_t i = 0; i < n; i++) {
        g.dx[i] = rng_normal(run->rng, 0, 1);
        g.dy[i] = rng_normal(run->rng, 0, 1);
    }
    return g;
}
