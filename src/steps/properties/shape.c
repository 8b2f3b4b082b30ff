/* shape: draws an outline as a bitmap, and compares two bitmaps of it. */
#include "steps/properties/shape.h"

#include <math.h>

struct shape {
    double area, x, y; /* sums of pixel centres */
};

struct plane shape_paint(struct pool *pool, const struct rings *rings, struct frame f)
{
    struct plane mask = pool_plane(pool, f, 1, PIXEL_U8);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++) {
            bool inside = false;

            for (size_t r = 0; r < rings->n && !inside; r++)
                inside = ring_contains(&rings->ring[r], (struct point){ x + 0.5, y + 0.5 });
            ((uint8_t *)mask.px)[(size_t)y * mask.stride + (size_t)x] = inside;
        }
    return mask;
}

static struct shape measure(const struct plane *mask)
{
    struct shape s = { 0 };

    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            if (((const uint8_t *)mask->px)[(size_t)y * mask->stride + (size_t)x]) {
                s.area++;
                s.x += x + 0.5;
                s.y += y + 0.5;
            }
    return s;
}

static double perimeter(const struct rings *rings)
{
    double sum = 0;

    for (size_t i = 0; i < rings->n; i++)
        sum += ring_perimeter(&rings->ring[i]);
    return sum;
}

void shape_compare_vector(struct walker *w, const struct rings *rings, const struct plane *mask,
                          double scale, struct drift *drift)
{
    struct plane vector = shape_paint(&w->pool, rings, (struct frame){ mask->width, mask->height });
    struct shape a = measure(&vector), b = measure(mask);
    double differ = 0;

    for (int y = 0; y < mask->height; y++)
        for (int x = 0; x < mask->width; x++)
            differ += ((const uint8_t *)mask->px)[(size_t)y * mask->stride + (size_t)x] !=
                      ((const uint8_t *)vector.px)[(size_t)y * vector.stride + (size_t)x];
    walk_check(w, differ <= perimeter(rings) * fmax(1, scale) + 1,
               "a moved polygon and the moved label mask cover the same pixels, except at the "
               "edge");
    if (a.area > 100 && b.area > 100) {
        drift->x += (a.x / a.area - b.x / b.area) / fmax(1, scale);
        drift->y += (a.y / a.area - b.y / b.area) / fmax(1, scale);
        drift->n++;
    }
    pool_return(&w->pool, &vector);
}

void shape_compare_runs(struct walker *w, const struct rle *rle, const struct plane *mask,
                        struct arena *arena)
{
    struct rle own =
        rle_from_bitmap(arena, mask->px, mask->stride, (struct frame){ mask->width, mask->height });

    walk_check(w, rle_equal(&own, rle), "moved RLE equals the moved label mask");
}
