/* coverage: the share of each pixel that a shape covers. */
#include "pixels/coverage.h"

#include "base/rng.h"
#include "pixels/samples.h"

#include <math.h>
#include <string.h>

ALWAYS_INLINE double smaller(double a, double b)
{
    return a < b ? a : b;
}

ALWAYS_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

/* --- streaks --- */

/* Returns the share of a pixel, `away` from the center line, that a bar of this width covers. Both
 * are seen along the bar. */
static double share_across(double away, double width)
{
    return larger(0, smaller(smaller(1, width), width / 2 + 0.5 - fabs(away)));
}

/* Sets `begin` and `end` to the range of integers in [middle - reach, middle + reach] and [0, n);
 * `end` is exclusive. */
static void span(double middle, double reach, int n, int *begin, int *end)
{
    *begin = (int)larger(0, smaller(n, floor(middle - reach)));
    *end = (int)larger(0, smaller(n, ceil(middle + reach)));
}

static void paint_streak(struct plane *plane, const struct streaks *s, double cx, double cy)
{
    double max = pixel_type_max(plane->type), reach_x, reach_y;
    int x0, x1, y0, y1;

    reach_x = (s->length * fabs(s->dx) + s->width * s->dy) / 2 + 1;
    reach_y = (s->length * s->dy + s->width * fabs(s->dx)) / 2 + 1;
    span(cy, reach_y, plane->height, &y0, &y1);
    for (int y = y0; y < y1; y++) {
        unsigned char *row = plane_row(plane, y);
        double py = y + 0.5 - cy, middle = cx, reach = reach_x;

        /* A streak that is not level meets a row only in a short piece. */
        if (s->dy > 0.1) {
            middle += py * s->dx / s->dy;
            reach = (s->width / 2 + 0.5) / s->dy + 1;
        }
        span(middle, reach, plane->width, &x0, &x1);
        for (int x = x0; x < x1; x++) {
            double px = x + 0.5 - cx;
            double share = share_across(px * s->dy - py * s->dx, s->width) *
                           share_across(px * s->dx + py * s->dy, s->length);
            float v = (float)(share * max);

            if (v > sample_load(row, plane->type, (size_t)x))
                sample_store(row, plane->type, (size_t)x, v);
        }
    }
}

void cover_streaks(struct plane *plane, const struct streaks *s)
{
    double around_x = s->length * fabs(s->dx) + s->width * s->dy;
    double around_y = s->length * s->dy + s->width * fabs(s->dx);

    for (int y = 0; y < plane->height; y++)
        memset(plane_row(plane, y), 0, (size_t)plane->width * pixel_type_size(plane->type));
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t word[4];

        philox4x32((uint32_t[4]){ i, 0, 0, 0 }, (uint32_t[2]){ s->key, 0 }, word);
        paint_streak(plane, s, (plane->width + around_x) * word[0] * 0x1p-32 - around_x / 2,
                     (plane->height + around_y) * word[1] * 0x1p-32 - around_y / 2);
    }
}

void cover_load(const struct plane *plane, int x, int y, int n, float *share)
{
    float unit = (float)(1 / pixel_type_max(plane->type));
    size_t size = pixel_type_size(plane->type);

    row_load(plane_row(plane, y) + (size_t)x * size, plane->type, share, (size_t)n);
    for (int i = 0; i < n; i++)
        share[i] *= unit;
}

/* --- polygons --- */

/* Adds a piece of an outline inside one row, from x0 to x1 >= x0 while y grows by `high`. To its
 * right, the shape covers that much more. `gain`, with room for width + 1 numbers, gets the gain of
 * each column. Pieces left of the row count from its first column on. */
static void add_piece(double x0, double x1, double high, int width, float *gain)
{
    double per = x1 > x0 ? high / (x1 - x0) : 0;

    if (x0 < 0) {
        gain[0] += (float)(x1 > 0 ? -x0 * per : high);
        if (x1 <= 0)
            return;
        high += x0 * per;
        x0 = 0;
    }
    for (int i = (int)smaller(x0, width); i < width && (i == (int)x0 || i < x1); i++) {
        double a = larger(x0, i), b = smaller(x1, i + 1);
        double part = x1 > x0 ? (b - a) * per : high, right = (a + b) / 2 - i;

        gain[i] += (float)(part * (1 - right));
        gain[i + 1] += (float)(part * right);
    }
}

/* Adds the edge's piece in this row, if there is one. */
static void add_edge(struct point p, struct point q, int y, int width, float *gain)
{
    bool down = q.y > p.y;
    struct point top = down ? p : q, bottom = down ? q : p;
    double y0 = larger(top.y, y), y1 = smaller(bottom.y, y + 1), slope, a, b;

    if (y1 <= y0)
        return;
    slope = (bottom.x - top.x) / (bottom.y - top.y);
    a = top.x + (y0 - top.y) * slope;
    b = top.x + (y1 - top.y) * slope;
    add_piece(smaller(a, b), larger(a, b), down ? y1 - y0 : y0 - y1, width, gain);
}

/* Converts the gains of a row to shares. */
static void sum_up(int width, float *share)
{
    float sum = 0;

    for (int i = 0; i < width; i++) {
        float inside;

        sum += share[i];
        inside = fabsf(sum);
        share[i] = inside < 1 ? inside : 1;
    }
}

void cover_polygon(const struct point *at, size_t n, int y, int width, float *share)
{
    for (int i = 0; i <= width; i++)
        share[i] = 0;
    for (size_t i = 0; i < n; i++)
        add_edge(at[i], at[i + 1 < n ? i + 1 : 0], y, width, share);
    sum_up(width, share);
}

void cover_add_polygon(const struct point *at, size_t n, int width, int height, float *gain)
{
    for (size_t i = 0; i < n; i++) {
        struct point p = at[i], q = at[i + 1 < n ? i + 1 : 0];
        int y0 = (int)smaller(height, larger(0, floor(smaller(p.y, q.y))));
        int y1 = (int)smaller(height, larger(0, ceil(larger(p.y, q.y))));

        for (int y = y0; y < y1; y++)
            add_edge(p, q, y, width, gain + (size_t)y * ((size_t)width + 1));
    }
}

void cover_shares(int width, int height, float *gain)
{
    for (int y = 0; y < height; y++)
        sum_up(width, gain + (size_t)y * ((size_t)width + 1));
}

/* --- discs --- */

void cover_disc(const struct disc *disc, int x, int y, int n, float *restrict share)
{
    float dy = (float)y + 0.5f - disc->y, dx = (float)x + 0.5f - disc->x;
    float edge = disc->radius + 0.5f, top = 2 * disc->radius < 1 ? 2 * disc->radius : 1;

    for (int i = 0; i < n; i++) {
        float px = dx + (float)i;
        float s = edge - sqrtf(px * px + dy * dy);

        s = s > 0 ? s : 0;
        share[i] = s < top ? s : top;
    }
}
