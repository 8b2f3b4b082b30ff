/* window: windows: of the size asked for, and around all boxes. */
#include "../transform.h"

void emit_crop(struct run *run, const struct window *w)
{
    emit(run, "crop", NUM("top", w->top), NUM("left", w->left), NUM("height", w->height),
         NUM("width", w->width));
}

/* The rectangle of largest area in a rotated one touches it with two corners or with four. */
void emit_without_border(struct run *run, double degrees)
{
    double w = run->frame.width, h = run->frame.height;
    double c = fabs(cos(radians(degrees))), s = fabs(sin(radians(degrees)));
    double longer = fmax(w, h), shorter = fmin(w, h), across, down;
    struct window window;

    if (shorter <= 2 * s * c * longer || fabs(s - c) < 1e-10) {
        across = shorter / 2 / (w >= h ? s : c);
        down = shorter / 2 / (w >= h ? c : s);
    } else {
        across = (w * c - h * s) / (c * c - s * s);
        down = (h * c - w * s) / (c * c - s * s);
    }
    window.left = (int)fmax(0, floor((w - across) / 2));
    window.top = (int)fmax(0, floor((h - down) / 2));
    window.width = (int)fmax(1, fmin(w, floor((w + across) / 2)) - window.left);
    window.height = (int)fmax(1, fmin(h, floor((h + down) / 2)) - window.top);
    emit_crop(run, &window);
}

bool crop_fits(struct run *run, int height, int width)
{
    bool fits = run->frame.height >= height && run->frame.width >= width;

    if (!fits)
        emit_refuse(run, "the image is %dx%d, smaller than the crop of %dx%d", run->frame.width,
                    run->frame.height, width, height);
    return fits;
}

/* The bounding box of all boxes, each cut at the canvas; false when there are none. */
static bool bounds_of_boxes(struct run *run, struct box *bounds)
{
    struct box canvas = box_of_frame(run->frame);
    bool any = false;
    size_t n;
    const struct seen *seen = run_objects(run, &n);

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
