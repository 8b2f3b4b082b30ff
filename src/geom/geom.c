/* geom: points, frames, boxes and matrices, by value. */
#include "geom/geom.h"

#include <float.h>
#include <math.h>

bool frame_equal(struct frame a, struct frame b)
{
    return a.width == b.width && a.height == b.height;
}

void box_corners(struct box b, struct point corner[4])
{
    corner[0] = (struct point){ b.x0, b.y0 };
    corner[1] = (struct point){ b.x1, b.y0 };
    corner[2] = (struct point){ b.x1, b.y1 };
    corner[3] = (struct point){ b.x0, b.y1 };
}

struct box box_of_frame(struct frame f)
{
    return (struct box){ 0, 0, f.width, f.height };
}

struct box box_intersect(struct box a, struct box b)
{
    return (struct box){ fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1) };
}

struct box box_of_rect(struct rect r)
{
    return (struct box){ r.x, r.y, (double)r.x + r.w, (double)r.y + r.h };
}

bool box_is_empty(struct box b)
{
    return !(b.x1 > b.x0 && b.y1 > b.y0);
}

double box_area(struct box b)
{
    return box_is_empty(b) ? 0 : (b.x1 - b.x0) * (b.y1 - b.y0);
}

struct point box_extent(struct box b)
{
    return (struct point){ b.x1 - b.x0, b.y1 - b.y0 };
}

bool box_contains(struct box outer, struct box inner, double slack)
{
    return inner.x0 >= outer.x0 - slack && inner.y0 >= outer.y0 - slack &&
           inner.x1 <= outer.x1 + slack && inner.y1 <= outer.y1 + slack;
}

bool box_contains_small(struct box outer, struct box inner, double slack)
{
    struct point middle = { inner.x0 + (inner.x1 - inner.x0) / 2,
                            inner.y0 + (inner.y1 - inner.y0) / 2 };

    return box_contains(outer, inner, slack) && middle.x >= outer.x0 && middle.x <= outer.x1 &&
           middle.y >= outer.y0 && middle.y <= outer.y1;
}

/* fmin and fmax would be calls, four for each point of each polygon. */
static inline void include(struct box *b, struct point p)
{
    b->x0 = p.x < b->x0 ? p.x : b->x0;
    b->y0 = p.y < b->y0 ? p.y : b->y0;
    b->x1 = p.x > b->x1 ? p.x : b->x1;
    b->y1 = p.y > b->y1 ? p.y : b->y1;
}

struct box box_of_points(const struct point *p, size_t n)
{
    struct box b = { 0 }, other;
    size_t i = 0;

    if (n)
        b = (struct box){ p->x, p->y, p->x, p->y };
    other = b;
    for (; i + 1 < n; i += 2) { /* two at once: a comparison waits for the one before it */
        include(&b, p[i]);
        include(&other, p[i + 1]);
    }
    if (i < n)
        include(&b, p[i]);
    include(&b, (struct point){ other.x0, other.y0 });
    include(&b, (struct point){ other.x1, other.y1 });
    return b;
}

void mat3_apply_all(const struct mat3 *map, struct point *p, size_t n)
{
    const struct mat3 m = *map;

    if (mat3_is_affine(map)) {
        for (size_t i = 0; i < n; i++)
            p[i] = (struct point){ m.m[0] * p[i].x + m.m[1] * p[i].y + m.m[2],
                                   m.m[3] * p[i].x + m.m[4] * p[i].y + m.m[5] };
        return;
    }
    for (size_t i = 0; i < n; i++)
        p[i] = mat3_apply(map, p[i]);
}

struct mat3 mat3_then(const struct mat3 *first, const struct mat3 *then)
{
    const double *a = then->m, *b = first->m;
    struct mat3 product;

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            product.m[3 * i + j] =
                a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    return product;
}

static bool all_finite(const double *m)
{
    for (int i = 0; i < 9; i++)
        if (!isfinite(m[i]))
            return false;
    return true;
}

bool mat3_invert(const struct mat3 *map, struct mat3 *inverse)
{
    const double *m = map->m;
    double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8],
           c2 = m[3] * m[7] - m[4] * m[6];
    double det = m[0] * c0 + m[1] * c1 + m[2] * c2;
    struct mat3 r = { {
        c0 / det,
        (m[2] * m[7] - m[1] * m[8]) / det,
        (m[1] * m[5] - m[2] * m[4]) / det,
        c1 / det,
        (m[0] * m[8] - m[2] * m[6]) / det,
        (m[2] * m[3] - m[0] * m[5]) / det,
        c2 / det,
        (m[1] * m[6] - m[0] * m[7]) / det,
        (m[0] * m[4] - m[1] * m[3]) / det,
    } };

    if (mat3_is_affine(map)) {
        /* The inverse of an affine map is affine, to the bit. */
        r.m[6] = r.m[7] = 0;
        r.m[8] = 1;
    }
    if (det == 0 || !isfinite(det) || !all_finite(r.m))
        return false;
    *inverse = r;
    return true;
}

/* From the unit square's corners (0, 0), (1, 0), (1, 1), (0, 1). */
static struct mat3 mat3_of_square(const struct point p[4])
{
    struct point a = { p[1].x - p[2].x, p[1].y - p[2].y }, b = { p[3].x - p[2].x, p[3].y - p[2].y };
    struct point skew = { p[0].x - p[1].x + p[2].x - p[3].x, p[0].y - p[1].y + p[2].y - p[3].y };
    double area = a.x * b.y - b.x * a.y;
    double g = (skew.x * b.y - b.x * skew.y) / area, h = (a.x * skew.y - skew.x * a.y) / area;

    return (struct mat3){ { p[1].x - p[0].x + g * p[1].x, p[3].x - p[0].x + h * p[3].x, p[0].x,
                            p[1].y - p[0].y + g * p[1].y, p[3].y - p[0].y + h * p[3].y, p[0].y, g,
                            h, 1 } };
}

static bool same_shift(const struct point from[4], const struct point to[4])
{
    for (size_t i = 1; i < 4; i++)
        if (to[i].x - from[i].x != to[0].x - from[0].x ||
            to[i].y - from[i].y != to[0].y - from[0].y)
            return false;
    return true;
}

bool mat3_of_corners(const struct point from[4], const struct point to[4], struct mat3 *map)
{
    /* How much of W over the points is taken for rounding. */
    const double tiny = 1e-12;
    struct mat3 square, m;
    double x = 0, y = 0;

    if (same_shift(from, to)) {
        *map = (struct mat3){ { 1, 0, to[0].x - from[0].x, 0, 1, to[0].y - from[0].y, 0, 0, 1 } };
        return true;
    }
    square = mat3_of_square(from);
    if (!mat3_invert(&square, &m))
        return false;
    square = mat3_of_square(to);
    m = mat3_then(&m, &square);
    for (int i = 0; i < 9; i++)
        m.m[i] = i < 8 ? m.m[i] / m.m[8] : 1;
    for (int i = 0; i < 4; i++) {
        x = fmax(x, fabs(from[i].x));
        y = fmax(y, fabs(from[i].y));
    }
    if (fabs(m.m[6]) * x + fabs(m.m[7]) * y < tiny)
        m.m[6] = m.m[7] = 0;
    *map = m;
    return all_finite(m.m);
}

bool corners_are_flat(const struct point p[4])
{
    for (int i = 0; i < 4; i++) {
        struct point o = p[i], a = p[(i + 1) % 4], b = p[(i + 2) % 4];
        double ax = a.x - o.x, ay = a.y - o.y, bx = b.x - o.x, by = b.y - o.y;

        if (fabs(ax * by - ay * bx) <= 1e-9 * (hypot(ax, ay) * hypot(bx, by)))
            return true;
    }
    return false;
}

bool mat3_sees_all(const struct mat3 *map, const struct point *p, size_t n)
{
    const double *m = map->m, near = 1e-6; /* nearer to the horizon coordinates mean nothing */
    double lo = INFINITY, hi = -INFINITY;

    for (size_t i = 0; i < n; i++) {
        double w = m[6] * p[i].x + m[7] * p[i].y + m[8];

        lo = fmin(lo, w);
        hi = fmax(hi, w);
    }
    return !n || lo > near * hi || hi < near * lo;
}

bool mat3_sees(const struct mat3 *map, struct box b)
{
    struct point corner[4];

    box_corners(b, corner);
    return mat3_sees_all(map, corner, COUNTOF(corner));
}

bool mat3_is_identity(const struct mat3 *map)
{
    const double *m = map->m;

    return mat3_is_affine(map) && m[0] == 1 && m[1] == 0 && m[2] == 0 && m[3] == 0 && m[4] == 1 &&
           m[5] == 0;
}

bool mat3_is_axis_aligned(const struct mat3 *map)
{
    const double *m = map->m;

    return mat3_is_affine(map) && ((m[1] == 0 && m[3] == 0) || (m[0] == 0 && m[4] == 0));
}

bool mat3_is_placement(const struct mat3 *map)
{
    const double *m = map->m;
    bool upright = fabs(m[0]) == 1 && m[1] == 0 && m[3] == 0 && fabs(m[4]) == 1;
    bool turned = m[0] == 0 && fabs(m[1]) == 1 && fabs(m[3]) == 1 && m[4] == 0;

    return mat3_is_affine(map) && (upright || turned) && m[2] == nearbyint(m[2]) &&
           m[5] == nearbyint(m[5]) && fabs(m[2]) < 1e8 && fabs(m[5]) < 1e8;
}

double mat3_rounding(const struct mat3 *map, struct box b)
{
    const double *m = map->m, x = fmax(fabs(b.x0), fabs(b.x1)), y = fmax(fabs(b.y0), fabs(b.y1));
    double largest = fmax(x, y), sum = fabs(m[6]) * x + fabs(m[7]) * y + fabs(m[8]);
    struct point corner[4];

    box_corners(b, corner);
    for (int i = 0; i < 4; i++) {
        struct point p = mat3_apply(map, corner[i]);
        double w = fabs(m[6] * corner[i].x + m[7] * corner[i].y + m[8]);

        largest =
            fmax(largest, (fabs(m[0]) * x + fabs(m[1]) * y + fabs(m[2]) + sum * fabs(p.x)) / w);
        largest =
            fmax(largest, (fabs(m[3]) * x + fabs(m[4]) * y + fabs(m[5]) + sum * fabs(p.y)) / w);
    }
    return 16 * DBL_EPSILON * largest;
}

double mat3_scale_at(const struct mat3 *map, struct point p)
{
    const double *m = map->m;
    double det, w;

    if (mat3_is_affine(map))
        return m[0] * m[4] - m[1] * m[3];
    /* The Jacobian of a projective map has the determinant det(m) / W^3. */
    det = m[0] * (m[4] * m[8] - m[5] * m[7]) + m[1] * (m[5] * m[6] - m[3] * m[8]) +
          m[2] * (m[3] * m[7] - m[4] * m[6]);
    w = m[6] * p.x + m[7] * p.y + m[8];
    return det / (w * w * w);
}
