/* rle: masks of pixels that are looked up one by one in another mask. */
#include "geom/rle.h"

#include "geom/runs.h"

#include <math.h>

/* True if a pixel of the mask's frame is 1. */
static bool is_one(const struct columns *c, int x, int32_t y)
{
    size_t from = c->start[x], end = c->start[x + 1], low = from;

    /* Counts the changes of the column at or above the row: an odd number means inside. */
    while (low < end) {
        size_t middle = low + (end - low) / 2;

        if (c->row[middle] <= y)
            low = middle + 1;
        else
            end = middle;
    }
    return (low - from) & 1;
}

static double share(const struct columns *c, int x, int y, int y1, double across)
{
    return (1 - across) * is_one(c, x, y) + across * is_one(c, x, y1);
}

/* True if the mask, interpolated between the centers of the four pixels around the point, is at
 * least one half. Pixels at the frame's edge extend beyond it. */
static bool is_half_covered(const struct columns *c, struct frame frame, struct point p)
{
    const double tie = 1e-9;
    double x = fmin(fmax(p.x - 0.5, 0), frame.width - 1);
    double y = fmin(fmax(p.y - 0.5, 0), frame.height - 1);
    int x0 = (int)x, y0 = (int)y;
    int x1 = x0 + 1 < frame.width ? x0 + 1 : x0, y1 = y0 + 1 < frame.height ? y0 + 1 : y0;
    double left = share(c, x0, y0, y1, y - y0), right = share(c, x1, y0, y1, y - y0);
    double there = left + (right - left) * (x - x0);

    return fabs(there - 0.5) > tie ? there > 0.5 : is_one(c, (int)p.x, (int32_t)p.y);
}

struct rle rle_sampled(struct arena *arena, const struct rle *m, struct frame out,
                       struct box region, find_fn *find, const void *context)
{
    struct runs runs = { .arena = arena };
    struct columns c = columns_of(m);
    struct frame frame = m->n ? (struct frame){ m->width, m->height } : (struct frame){ 0, 0 };
    uint64_t height = (uint64_t)out.height;

    region = box_intersect(region, box_of_frame(out));
    if (box_is_empty(region))
        region = (struct box){ 0 };
    runs_add(&runs, false, height * (uint64_t)region.x0);
    for (int x = (int)region.x0; x < (int)region.x1; x++) {
        runs_add(&runs, false, (uint64_t)region.y0);
        for (int y = (int)region.y0; y < (int)region.y1; y++) {
            struct point p = { x + 0.5, y + 0.5 };
            bool found = find(context, &p) && p.x >= 0 && p.y >= 0 && p.x < frame.width &&
                         p.y < frame.height;

            runs_add(&runs, found && is_half_covered(&c, frame, p), 1);
        }
        runs_add(&runs, false, height - (uint64_t)region.y1);
    }
    runs_add(&runs, false, height * (uint64_t)(out.width - (int)region.x1));
    columns_drop(&c);
    return runs_end(&runs, out.height, out.width);
}
