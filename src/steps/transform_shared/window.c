/* window: crop windows: of a given size, and around all boxes. */
#include "steps/transform.h"

void emit_crop(struct run *run, const struct window *w)
{
    emit(run, "crop", NUM("top", w->top), NUM("left", w->left), NUM("height", w->height),
         NUM("width", w->width));
}

/* Tolerance for rounding errors in pixels: a window may exceed the image by this much. */
static const double SLACK = 1e-9;

/* Returns the window about the middle that begins at column `left`. Its height is the largest that
 * fits into the canvas and into the image, rotated by an angle with this cosine and sine. The
 * height is 0 or less if nothing fits. */
static struct window window_from(struct frame f, double c, double s, int left)
{
    int width = f.width - 2 * left;
    double high = fmin((f.width - width * c + SLACK) / s, (f.height - width * s + SLACK) / c);
    int top = (int)ceil((f.height - fmin(f.height, fmax(high, -1))) / 2 - SLACK);

    return (struct window){ top, left, f.height - 2 * top, width };
}

/* Tries each width. Rounding inward keeps whole pixels inside the rotated image. */
void emit_without_border(struct run *run, double degrees)
{
    struct frame f = run->frame;
    double c = fabs(cos(radians(degrees))), s = fabs(sin(radians(degrees)));
    struct window best = { (f.height - 1) / 2, (f.width - 1) / 2, 1, 1 };

    for (int left = 0; 2 * left < f.width; left++) {
        struct window w = window_from(f, c, s, left);

        if ((int64_t)w.height * w.width > (int64_t)best.height * best.width && w.height > 0)
            best = w;
    }
    emit_crop(run, &best);
}

bool check_crop_size(struct run *run, int height, int width)
{
    bool fits = run->frame.height >= height && run->frame.width >= width;

    if (!fits)
        emit_refuse(run, "the image is %dx%d, smaller than the crop of %dx%d", run->frame.width,
                    run->frame.height, width, height);
    return fits;
}

/* Computes the bounding box of all boxes, each cut at the canvas; returns false if there are none.
 */
static bool bounds_of_boxes(struct run *run, struct box *bounds)
{
    struct box canvas = box_of_frame(run->frame);
    bool any = false;
    size_t n;
    const struct kept_object *seen = run_objects(run, &n);

    for (size_t i = 0; i < n; i++) {
        struct box b = box_intersect(seen[i].box, canvas);

        if (!seen[i].has_box || b.x1 < b.x0 || b.y1 < b.y0)
            continue;
        *bounds = any ? (struct box){ fmin(bounds->x0, b.x0), fmin(bounds->y0, b.y0),
                                      fmax(bounds->x1, b.x1), fmax(bounds->y1, b.y1) }
                      : b;
        any = true;
    }
    return any;
}

/* Draws an interval of whole pixels in a line of `n` pixels, at least one. It goes from a place
 * before `lo` to a place after `hi`, rounded outward so that all between them is kept. */
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
    struct box bounds;
    double dx, dy;

    if (!bounds_of_boxes(run, &bounds))
        return draw_free_window(run, erosion);
    dx = (bounds.x1 - bounds.x0) * erosion / 2;
    dy = (bounds.y1 - bounds.y0) * erosion / 2;
    draw_around(run->rng, bounds.x0 + dx, bounds.x1 - dx, run->frame.width, &w.left, &w.width);
    draw_around(run->rng, bounds.y0 + dy, bounds.y1 - dy, run->frame.height, &w.top, &w.height);
    return w;
}
