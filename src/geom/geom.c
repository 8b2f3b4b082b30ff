/* geom: points, frames, boxes and matrices, by value. */
#include "geom.h"

#include <math.h>

bool frame_equal(struct frame a, struct frame b)
{
    return a.width == b.width && a.height == b.height;
}

struct box box_of_frame(struct frame f)
{
    return (struct box){ 0, 0, f.width, f.height };
}

struct box box_intersect(struct box a, struct box b)
{
    return (struct box){ fmax(a.x0, b.x0), fmax(a.y0, b.y0), fmin(a.x1, b.x1), fmin(a.y1, b.y1) };
}

bool box_is_empty(struct box b)
{
    return !(b.x1 > b.x0 && b.y1 > b.y0);
}

double box_area(struct box b)
{
    return box_is_empty(b) ? 0 : (b.x1 - b.x0) * (b.y1 - b.y0);
}

bool box_contains(struct box outer, struct box inner, double slack)
{
    return inner.x0 >= outer.x0 - slack && inner.y0 >= outer.y0 - slack &&
           inner.x1 <= outer.x1 + slack && inner.y1 <= outer.y1 + slack;
}

struct box box_of_points(const struct point *p, size_t n)
{
    struct box b = { 0 };

    if (n)
        b = (struct box){ p->x, p->y, p->x, p->y };
    for (size_t i = 1; i < n; i++) {
        b.x0 = fmin(b.x0, p[i].x);
        b.y0 = fmin(b.y0, p[i].y);
        b.x1 = fmax(b.x1, p[i].x);
        b.y1 = fmax(b.y1, p[i].y);
    }
    return b;
}

struct point mat3_apply(const struct mat3 *map, struct point p)
{
    const double *m = map->m;
    double u = m[0] * p.x + m[1] * p.y + m[2], v = m[3] * p.x + m[4] * p.y + m[5];

    if (!mat3_is_affine(map)) {
        double w = m[6] * p.x + m[7] * p.y + m[8];

        u /= w;
        v /= w;
    }
    return (struct point){ u, v };
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

bool mat3_is_affine(const struct mat3 *map)
{
    return map->m[6] == 0 && map->m[7] == 0 && map->m[8] == 1;
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
