/* camera: matrices of pinhole cameras. */
#include "geom/camera.h"

#include <math.h>

/* Numbers below this fraction of their row's diagonal count as 0. Several maps round a product to
 * about 1e-15; a camera's numbers are known to less than 1e-6. */
static const double TINY = 1e-12;

void camera_move(struct camera *c, const struct mat3 *map, bool index)
{
    const struct mat3 to_continuous = { { 1, 0, 0.5, 0, 1, 0.5, 0, 0, 1 } };
    const struct mat3 to_index = { { 1, 0, -0.5, 0, 1, -0.5, 0, 0, 1 } };
    struct mat3 m = *map;
    double last[3];

    if (index) {
        m = mat3_then(&to_continuous, &m);
        m = mat3_then(&m, &to_index);
    }
    c->matrix = mat3_then(&c->matrix, &m);
    for (int i = 0; i < 3; i++)
        last[i] =
            m.m[3 * i] * c->last[0] + m.m[3 * i + 1] * c->last[1] + m.m[3 * i + 2] * c->last[2];
    for (int i = 0; i < 3; i++)
        c->last[i] = last[i];
}

static bool is_tiny(double v, double beside)
{
    return fabs(v) <= TINY * fabs(beside);
}

bool camera_is_triangular(const struct camera *c)
{
    const double *m = c->matrix.m;

    return is_tiny(m[3], m[4]) && is_tiny(m[6], m[8]) && is_tiny(m[7], m[8]);
}

bool camera_four(const struct camera *c, double four[4])
{
    const double *m = c->matrix.m;

    if (!camera_is_triangular(c) || !is_tiny(m[1], m[0]) || !(m[8] > 0))
        return false;
    four[0] = m[0] / m[8];
    four[1] = m[4] / m[8];
    four[2] = m[2] / m[8];
    four[3] = m[5] / m[8];
    return true;
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *to)
{
    to[0] = a[1] * b[2] - a[2] * b[1];
    to[1] = a[2] * b[0] - a[0] * b[2];
    to[2] = a[0] * b[1] - a[1] * b[0];
}

bool camera_is_regular(const struct camera *c)
{
    struct mat3 inverse;

    return mat3_invert(&c->matrix, &inverse);
}

/* Applies Gram and Schmidt's method from below. The last row of the product is the last row of R,
 * scaled. The second row is a sum of the last two rows of R. The first row of R is their cross
 * product, since R does not mirror. */
struct posed_camera camera_split(const struct camera *c)
{
    const double *m = c->matrix.m;
    double scale = sqrt(dot(m + 6, m + 6)), v[3], along, beside, *r, *k, *t;
    struct posed_camera p = { .intrinsics = MAT3_IDENTITY };

    r = p.rotation.m;
    k = p.intrinsics.m;
    t = p.translation;
    for (int i = 0; i < 3; i++)
        r[6 + i] = m[6 + i] / scale;
    along = dot(m + 3, r + 6);
    for (int i = 0; i < 3; i++)
        v[i] = m[3 + i] - along * r[6 + i];
    beside = sqrt(dot(v, v));
    for (int i = 0; i < 3; i++)
        r[3 + i] = v[i] / beside;
    cross(r + 3, r + 6, r);
    k[0] = dot(m, r) / scale;
    k[1] = dot(m, r + 3) / scale;
    k[2] = dot(m, r + 6) / scale;
    k[4] = beside / scale;
    k[5] = along / scale;
    t[2] = c->last[2] / scale;
    t[1] = (c->last[1] / scale - k[5] * t[2]) / k[4];
    t[0] = (c->last[0] / scale - k[1] * t[1] - k[2] * t[2]) / k[0];
    return p;
}
