/* flat_list: a segmentation that is one list of numbers. */
#include "labels/coco/flat_list.h"

#include "base/number.h"
#include "json/members.h"

#include <math.h>

static bool has_counts(const double *v, size_t n, struct frame frame)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        if (v[i] < 0 || v[i] > UINT32_MAX || v[i] != floor(v[i]))
            return false;
        sum += v[i];
    }
    return n > 1 && frame.width && sum == (double)frame.width * (double)frame.height;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1;
}

/* True if box and area, where they are given, are those of the mask. */
static bool fits_mask(const double *v, size_t n, struct slice box, struct slice area,
                      struct frame frame, struct arena *arena)
{
    struct rle rle = { .width = frame.width, .height = frame.height, .n = n };
    struct box bounds;
    double b[4], given;

    rle.run = ARENA_ARRAY(arena, uint32_t, n);
    for (size_t i = 0; i < n; i++)
        rle.run[i] = (uint32_t)v[i];
    if (!rle_is_valid(&rle))
        return false;
    rle = rle_canonical(arena, &rle);
    bounds = rle_bounds(&rle);
    if (pick_four(box, b) && !(is_near(b[0], bounds.x0) && is_near(b[1], bounds.y0) &&
                               is_near(b[0] + b[2], bounds.x1) && is_near(b[1] + b[3], bounds.y1)))
        return false;
    return !area.length || !number_scan(area, &given) || is_near(given, (double)rle_area(&rle));
}

/* True if a side of the outline is no farther from the box than check's B009 allows. */
static bool sides_fit(double a0, double a1, double b0, double b1)
{
    double max = fmax(3, (a1 - a0) / 10);

    return fabs(a0 - b0) <= max && fabs(a1 - b1) <= max;
}

static bool fits_polygon(const double *v, size_t n, struct slice box)
{
    struct box bounds = { v[0], v[1], v[0], v[1] };
    double b[4];

    if (!pick_four(box, b) || (b[2] == 0 && b[3] == 0))
        return true;
    for (size_t i = 0; i + 1 < n; i += 2) {
        bounds.x0 = fmin(bounds.x0, v[i]);
        bounds.x1 = fmax(bounds.x1, v[i]);
        bounds.y0 = fmin(bounds.y0, v[i + 1]);
        bounds.y1 = fmax(bounds.y1, v[i + 1]);
    }
    return sides_fit(b[0], b[0] + b[2], bounds.x0, bounds.x1) &&
           sides_fit(b[1], b[1] + b[3], bounds.y0, bounds.y1);
}

enum flat_list flat_list_judge(struct slice list, struct slice box, struct slice area,
                               struct frame frame)
{
    enum { FEWEST = 6 };
    struct arena arena = { 0 };
    struct scan s = scan_start(list, 0);
    enum flat_list meant = FLAT_LIST_POLYGON;
    double *v;
    size_t n;

    if (pick_numbers(&s, UINT32_MAX, &arena, &v, &n)) {
        if (has_counts(v, n, frame) && fits_mask(v, n, box, area, frame, &arena))
            meant = FLAT_LIST_RLE;
        else if (n >= FEWEST && !fits_polygon(v, n, box))
            meant = FLAT_LIST_NEITHER;
    }
    arena_drop(&arena);
    return meant;
}

void flat_list_print_rle(struct slice list, struct frame frame, struct text *text)
{
    text_addf(text, "{\"size\": [%d, %d], \"counts\": ", frame.height, frame.width);
    text_add(text, list.at, list.length);
    text_addc(text, '}');
}
