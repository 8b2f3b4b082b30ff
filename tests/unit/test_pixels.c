/* test_pixels: the loops over planes against slow and plain versions of themselves. */
#include "unit.h"

#include "pixels/filters.h"
#include "pixels/plane.h"
#include "pixels/move/warp_stepper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct pool pool;

static double uniform(double a, double b)
{
    return a + (b - a) * (double)(unit_random() >> 11) * 0x1p-53;
}

static double get(const struct plane *p, int x, int y, int b)
{
    const unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + b;

    return p->type == PIXEL_U8    ? ((const uint8_t *)row)[i]
           : p->type == PIXEL_U16 ? ((const uint16_t *)(const void *)row)[i]
                                  : (double)((const float *)(const void *)row)[i];
}

static void set(const struct plane *p, int x, int y, int b, double v)
{
    unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + b;

    if (p->type == PIXEL_U8)
        ((uint8_t *)row)[i] = (uint8_t)v;
    else if (p->type == PIXEL_U16)
        ((uint16_t *)(void *)row)[i] = (uint16_t)v;
    else
        ((float *)(void *)row)[i] = (float)v;
}

static struct plane noise(int w, int h, int channels, enum pixel_type type)
{
    struct plane p = pool_plane(&pool, (struct frame){ w, h }, channels, type);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int b = 0; b < channels; b++)
                set(&p, x, y, b, uniform(0, type == PIXEL_F32 ? 1 : pixel_type_max(type) + 0.99));
    return p;
}

static double clamped(double v, enum pixel_type type)
{
    double max = pixel_type_max(type);

    return type == PIXEL_F32 ? v : v < 0 ? 0 : v > max ? max : v;
}

/* The largest difference of any sample, in units of the last place for integers. */
static double furthest(const struct plane *a, const struct plane *b)
{
    double worst = 0;

    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            for (int c = 0; c < a->channels; c++)
                worst = fmax(worst, fabs(get(a, x, y, c) - get(b, x, y, c)));
    return worst;
}

/* Every kind of plane in turn. */
typedef void kind_fn(enum pixel_type, int channels);

static void every_kind(kind_fn *test)
{
    for (int type = PIXEL_U8; type <= PIXEL_F32; type++)
        for (int channels = 1; channels <= 4; channels++)
            test((enum pixel_type)type, channels);
}

static struct mat3 random_inverse(int w, int h, bool projective)
{
    double t = uniform(-3.2, 3.2), s = uniform(0.4, 2.5), k = uniform(-0.4, 0.4);
    struct mat3 m = { { s * cos(t), s * (k * cos(t) - sin(t)), 0, s * sin(t),
                        s * (k * sin(t) + cos(t)), 0, 0, 0, 1 } };

    m.m[2] = w / 2.0 - m.m[0] * w / 2 - m.m[1] * h / 2 + uniform(-8, 8);
    m.m[5] = h / 2.0 - m.m[3] * w / 2 - m.m[4] * h / 2 + uniform(-8, 8);
    if (projective) {
        m.m[6] = uniform(-2e-3, 2e-3);
        m.m[7] = uniform(-2e-3, 2e-3);
        m.m[8] = uniform(0.9, 1.1);
    }
    return m;
}

/* A wave of columns (or rows) that is 0 at even and `top` at odd centres, linear between. */
static double wave(double position, double top)
{
    double p = fabs(fmod(position, 2));

    return top * (p < 1 ? p : 2 - p);
}

static void wave_kind(enum pixel_type type, int channels)
{
    double top = type == PIXEL_F32 ? 1 : pixel_type_max(type) - 5;
    struct plane in = noise(61, 47, channels, type), out = noise(70, 50, channels, type);
    struct fill fill = { .channel = { 0 } };

    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++)
            for (int b = 0; b < channels; b++)
                set(&in, x, y, b, wave(b % 2 ? y : x, top));
    for (int n = 0; n < 12; n++) {
        struct mat3 m = random_inverse(61, 47, n % 2);
        double worst = 0;
        int seen = 0;

        plane_warp(&in, &out, &m, INTERPOLATION_BILINEAR, &fill);
        for (int y = 0; y < out.height; y++)
            for (int x = 0; x < out.width; x++) {
                struct point p = mat3_apply_centre(&m, x, y);

                if (p.x < 0.5 || p.x > 60.5 || p.y < 0.5 || p.y > 46.5)
                    continue;
                seen++;
                for (int b = 0; b < channels; b++)
                    worst = fmax(worst,
                                 fabs(get(&out, x, y, b) - wave((b % 2 ? p.y : p.x) - 0.5, top)));
            }
        CHECK(seen > 50);
        CHECK(worst / top < 0.005); /* pixels, as the wave's slope is `top` */
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

static void check_nearest(const struct plane *in, struct plane *out, const struct mat3 *m)
{
    struct fill fill = { .channel = { 7, 8, 9, 10 } };
    int wrong = 0;

    plane_warp(in, out, m, INTERPOLATION_NEAREST, &fill);
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            struct point p = mat3_apply_centre(m, x, y);
            double u = floor(p.x), v = floor(p.y);
            bool inside = u >= 0 && u < in->width && v >= 0 && v < in->height;

            for (int b = 0; b < in->channels; b++)
                wrong +=
                    get(out, x, y, b) != (inside ? get(in, (int)u, (int)v, b) : fill.channel[b]);
        }
    CHECK(wrong == 0);
}

static void nearest_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(61, 47, channels, type), out = noise(70, 50, channels, type);
    struct mat3 odd[] = {
        { { 0, 0, 5, 0, 0, 6, 0, 0, 1 } },         { { NAN, 0, 0, 0, 1, 0, 0, 0, 1 } },
        { { 1e300, 0, 0, 0, 1e300, 0, 0, 0, 1 } }, { { 0, 1, 0, 1, 0, 0, 0, 0, 1 } },
        { { 1e-9, 0, 3, 0, -1, 47, 0, 0, 1 } },    { { -1, 0, 61, 0, 1, 0, 0, 0, 1 } },
        { { 1, 0, 0, 0, 1, 0, -0.05, 0.01, 1 } },  { { 1, 0, 0, 0, 1, 0, 0, 0, 0 } },
        { { 1, 0, 1e18, 0, 1, -1e18, 0, 0, 1 } },  { { 0.5, 0, 0, 0, 0.5, 0, 0, 0, 1 } },
        { { 0, -1, 47, 1, 0, 0, 0, 0, 1 } },       { { 1, 0, 1e-17, 0, 1, -1e-17, 0, 0, 1 } },
        { { 1, 0, -0.5, 0, 1, -0.5, 0, 0, 1 } },   { { 2, 0, -1, 0, 2, -1, 0, 0, 2 } },
    };

    for (size_t i = 0; i < COUNTOF(odd); i++) {
        check_nearest(&in, &out, &odd[i]);
        plane_warp(&in, &out, &odd[i], INTERPOLATION_BILINEAR,
                   &(struct fill){ .channel = { 0 } }); /* survives */
    }
    for (int n = 0; n < 10; n++) {
        struct mat3 m = random_inverse(61, 47, n % 2);

        check_nearest(&in, &out, &m);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* Rows of many pixels; steps of halves, thirds and tenths meet the edges of source pixels, where
 * positions that are a little off give another one. */
static void test_nearest_rows(void)
{
    static const double grid[] = { 1, 2, 3, 10 };

    for (int n = 0; n < 300; n++) {
        struct plane in =
            noise(unit_int(1, 300), unit_int(1, 90), unit_int(1, 4), n % 4 ? PIXEL_U8 : PIXEL_U16);
        struct plane out = noise(unit_int(60, 400), 6, in.channels, in.type);
        struct mat3 m = random_inverse(in.width, in.height, false);
        double part = grid[n % 4];

        for (int i = 0; n % 3 && i < 6; i++)
            m.m[i] = nearbyint(m.m[i] * part) / part;
        check_nearest(&in, &out, &m);
        pool_return(&pool, &in);
        pool_return(&pool, &out);
    }
}

static void paint_all(struct plane *p, double value)
{
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int b = 0; b < p->channels; b++)
                set(p, x, y, b, value);
}

static void fringe_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(20, 10, channels, type), out = noise(30, 30, channels, type), same;
    struct fill hundred = { .channel = { 100, 100, 100, 100 } }, none = { .channel = { 0 } };
    struct mat3 half = { { 1, 0, 0.5, 0, 1, 0, 0, 0, 1 } };

    paint_all(&in, 100);
    same = noise(30, 30, channels, type);
    paint_all(&same, 100);
    for (int n = 0; n < 10; n++) {
        struct mat3 m = random_inverse(20, 10, n % 2);

        plane_warp(&in, &out, &m, INTERPOLATION_BILINEAR, &hundred);
        CHECK(furthest(&out, &same) <= (type == PIXEL_F32 ? 1e-4 : 0));
    }
    plane_warp(&in, &out, &half, INTERPOLATION_BILINEAR, &none);
    CHECK(get(&out, 18, 5, 0) == 100);
    CHECK(get(&out, 19, 5, channels - 1) == 50);
    CHECK(get(&out, 20, 5, 0) == 0);
    CHECK(get(&out, 3, 10, 0) == 0);
    pool_return(&pool, &in);
    pool_return(&pool, &out);
    pool_return(&pool, &same);
}

/* The filters of torch's antialiased resize, as its sources define them. */
static double filter(enum interpolation interpolation, double x)
{
    double a = -0.5, pi = 3.14159265358979323846;

    x = fabs(x);
    switch (interpolation) {
    case INTERPOLATION_BICUBIC:
        return x < 1   ? ((a + 2) * x - (a + 3)) * x * x + 1
               : x < 2 ? (((x - 5) * x + 8) * x - 4) * a
                       : 0;
    case INTERPOLATION_LANCZOS:
        return x == 0 ? 1 : x < 3 ? 3 * sin(pi * x) * sin(pi * x / 3) / (pi * pi * x * x) : 0;
    case INTERPOLATION_HAMMING: /* Pillow's */
        return x == 0 ? 1 : x < 1 ? sin(pi * x) / (pi * x) * (0.54 + 0.46 * cos(pi * x)) : 0;
    default:
        return x < 1 ? 1 - x : 0;
    }
}

static double cubic_75(double x)
{
    double a = -0.75;

    x = fabs(x);
    return x < 1   ? (a + 2) * x * x * x - (a + 3) * x * x + 1
           : x < 2 ? a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a
                   : 0;
}

/* OpenCV's INTER_AREA, along one side. */
static void slow_area(int k, int in, int out, double *w)
{
    bool means = out <= in;
    double scale = (double)in / out, beyond;
    int at = (int)floor(k * scale);

    for (int j = 0; means && j < in; j++) {
        double lo = j > k * scale ? j : k * scale, hi = j + 1;

        hi = hi < (k + 1) * scale ? hi : (k + 1) * scale;
        w[j] = hi > lo ? (hi - lo) / scale : 0;
    }
    if (means)
        return;
    beyond = (k + 1) - (at + 1) / scale;
    beyond = beyond <= 0 ? 0 : beyond - floor(beyond);
    w[at] += 1 - beyond;
    w[at + 1 < in ? at + 1 : at] += beyond;
}

/* Pillow's box: pixels whose middle is within half a step of it, or on its right end. */
static void slow_box(bool antialias, int k, int in, int out, double *w)
{
    double scale = (double)in / out, reach = (antialias && scale > 1 ? scale : 1) / 2, n = 0;

    for (int j = 0; j < in; j++)
        n += w[j] = j + 0.5 - scale * (k + 0.5) > -reach && j + 0.5 - scale * (k + 0.5) <= reach;
    for (int j = 0; j < in; j++)
        w[j] /= n;
}

/* The weight of source index j in output index k, before normalisation to `sum`. */
static void slow_weights(enum interpolation interpolation, bool antialias, int k, int in, int out,
                         double *w)
{
    double scale = (double)in / out, support = interpolation == INTERPOLATION_BICUBIC   ? 2
                                               : interpolation == INTERPOLATION_LANCZOS ? 3
                                                                                        : 1;
    double wide = antialias && scale > 1 ? scale : 1, sum = 0, u = scale * (k + 0.5) - 0.5;

    memset(w, 0, (size_t)in * sizeof *w);
    if (interpolation == INTERPOLATION_BOX) {
        slow_box(antialias, k, in, out, w);
        return;
    }
    if (!antialias && interpolation <= INTERPOLATION_BICUBIC) {
        if (interpolation == INTERPOLATION_BILINEAR && u < 0)
            u = 0;
        for (int j = (int)floor(u) - 2; j <= (int)floor(u) + 3; j++)
            w[j < 0     ? 0
              : j >= in ? in - 1
                        : j] += interpolation == INTERPOLATION_BICUBIC
                                    ? cubic_75(u - j)
                                    : filter(INTERPOLATION_BILINEAR, u - j);
        return;
    }
    for (int j = 0; j < in; j++)
        if (fabs(j - u) < support * wide)
            sum += w[j] = filter(interpolation, (j - u) / wide);
    for (int j = 0; j < in; j++)
        w[j] /= sum;
}

static void slow_resize(const struct plane *in, struct plane *out, enum interpolation interpolation,
                        bool antialias)
{
    double *wx = malloc(sizeof(double) * (size_t)(in->width * out->width));
    double *wy = malloc(sizeof(double) * (size_t)in->height);

    bool area = interpolation == INTERPOLATION_AREA;

    for (int x = 0; x < out->width; x++) {
        slow_weights(interpolation, antialias, x, in->width, out->width, wx + x * in->width);
        memset(wx + x * in->width, 0, area ? sizeof(double) * (size_t)in->width : 0);
        if (area)
            slow_area(x, in->width, out->width, wx + x * in->width);
    }
    for (int y = 0; y < out->height; y++) {
        slow_weights(interpolation, antialias, y, in->height, out->height, wy);
        memset(wy, 0, area ? sizeof(double) * (size_t)in->height : 0);
        if (area)
            slow_area(y, in->height, out->height, wy);
        for (int x = 0; x < out->width; x++)
            for (int b = 0; b < in->channels; b++) {
                double sum = 0;

                for (int i = 0; i < in->height; i++)
                    for (int j = 0; j < in->width && wy[i] != 0; j++)
                        sum += wy[i] * wx[x * in->width + j] * get(in, j, i, b);
                sum = clamped(sum, in->type);
                set(out, x, y, b, in->type == PIXEL_F32 ? sum : floor(sum + 0.5));
            }
    }
    free(wx);
    free(wy);
}

static void resize_kind(enum pixel_type type, int channels)
{
    static const struct frame SIZES[] = { { 17, 13 }, { 40, 5 }, { 7, 40 }, { 1, 1 },
                                          { 23, 19 }, { 3, 2 },  { 46, 38 } };
    struct plane in = noise(23, 19, channels, type), dot = noise(1, 1, channels, type);
    double slack = type == PIXEL_F32 ? 1e-5 : 1;

    for (size_t i = 0; i < COUNTOF(SIZES); i++)
        for (int interpolation = INTERPOLATION_BILINEAR; interpolation <= INTERPOLATION_AREA;
             interpolation++)
            for (int antialias = 0; antialias < 2; antialias++) {
                struct plane fast = noise(SIZES[i].width, SIZES[i].height, channels, type);
                struct plane slow = noise(SIZES[i].width, SIZES[i].height, channels, type);

                slow_resize(&in, &slow, (enum interpolation)interpolation, antialias);
                plane_resize(&in, &fast, (enum interpolation)interpolation, antialias);
                CHECK(furthest(&fast, &slow) <= slack);
                if (SIZES[i].width == 23 && SIZES[i].height == 19)
                    CHECK(furthest(&fast, &in) == 0);
                slow_resize(&dot, &slow, (enum interpolation)interpolation, antialias);
                plane_resize(&dot, &fast, (enum interpolation)interpolation, antialias);
                CHECK(furthest(&fast, &slow) <= slack);
                pool_return(&pool, &fast);
                pool_return(&pool, &slow);
            }
    pool_return(&pool, &in);
    pool_return(&pool, &dot);
}

/* Bytes are resized in fixed point: within a quarter of a level of the exact sum, before they are
 * rounded; flat colours stay. */
static void test_resize_bytes(void)
{
    static const struct frame SIZES[] = { { 30, 20 }, { 31, 60 }, { 9, 5 }, { 70, 90 }, { 5, 4 } };

    for (int n = 0; n < 8 * (int)COUNTOF(SIZES); n++) {
        int channels = n % 4 + 1, level = unit_int(0, 255);
        struct frame size = SIZES[n / 8];
        struct plane in = noise(60, 40, channels, PIXEL_U8);
        struct plane exact = noise(60, 40, channels, PIXEL_F32);
        struct plane fast = noise(size.width, size.height, channels, PIXEL_U8);
        struct plane slow = noise(size.width, size.height, channels, PIXEL_F32);

        for (int y = 0; y < 40; y++)
            for (int i = 0; i < 60 * channels; i++)
                set(&exact, i / channels, y, i % channels, get(&in, i / channels, y, i % channels));
        plane_resize(&in, &fast, INTERPOLATION_BILINEAR, n % 8 < 4);
        slow_resize(&exact, &slow, INTERPOLATION_BILINEAR, n % 8 < 4);
        CHECK(furthest(&fast, &slow) <= 0.75);
        paint_all(&in, level);
        plane_resize(&in, &fast, INTERPOLATION_BILINEAR, n % 8 < 4);
        paint_all(&slow, level);
        CHECK(furthest(&fast, &slow) == 0);
        pool_return(&pool, &in);
        pool_return(&pool, &exact);
        pool_return(&pool, &fast);
        pool_return(&pool, &slow);
    }
}

static void test_resize_index(void)
{
    CHECK(resize_index(0, 4, 2) == 1 && resize_index(1, 4, 2) == 3);
    CHECK(resize_index(0, 2, 4) == 0 && resize_index(3, 2, 4) == 1);
    CHECK(resize_index(9, 10, 10) == 9);
    CHECK(resize_index(0, 1, 7) == 0 && resize_index(6, 1, 7) == 0);
}

static int reflected(int i, int n)
{
    while (n > 1 && (i < 0 || i >= n))
        i = i < 0 ? -i : 2 * (n - 1) - i;
    return n > 1 ? i : 0;
}

static void slow_convolve(const struct plane *in, struct plane *out, const float *kx, int nx,
                          const float *ky, int ny)
{
    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
            for (int b = 0; b < in->channels; b++) {
                double sum = 0;

                for (int i = 0; i < ny; i++)
                    for (int j = 0; j < nx; j++)
                        sum += (double)ky[i] * (double)kx[j] *
                               get(in, reflected(x + j - nx / 2, in->width),
                                   reflected(y + i - ny / 2, in->height), b);
                if (b >= plane_colours(in))
                    sum = get(in, x, y, b);
                sum = clamped(sum, in->type);
                set(out, x, y, b, in->type == PIXEL_F32 ? sum : floor(sum + 0.5));
            }
}

static void kernel(float *k, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += k[i] = (float)uniform(-0.1, 1);
    for (int i = 0; i < n; i++)
        k[i] /= sum;
}

/* Makes a kernel like a Gaussian: the two halves are equal, and nothing is below 0. */
static void symmetric_kernel(float *k, int n)
{
    float sum = 0;

    for (int i = 0; i < n; i++)
        sum += k[i] = i <= n / 2 ? (float)uniform(0, 1) : k[n - 1 - i];
    for (int i = 0; i < n; i++)
        k[i] /= sum;
}

static void flat_stays(const float *kx, int nx, const float *ky, int ny, int channels)
{
    struct plane in = noise(40, 3, channels, PIXEL_U8), out = noise(40, 3, channels, PIXEL_U8);

    for (int level = 0; level < 256; level += 5) {
        paint_all(&in, level);
        plane_convolve(&in, &out, kx, nx, ky, ny);
        CHECK(furthest(&in, &out) == 0);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

static void convolve_kind(enum pixel_type type, int channels)
{
    static const int SHAPES[][4] = { { 20, 15, 5, 3 }, { 20, 15, 1, 1 },   { 20, 15, 9, 1 },
                                     { 4, 3, 23, 11 }, { 1, 1, 5, 7 },     { 2, 9, 7, 31 },
                                     { 9, 1, 3, 3 },   { 30, 12, 21, 21 }, { 30, 12, 63, 63 } };
    float kx[63], ky[63];

    for (size_t i = 0; i < 2 * COUNTOF(SHAPES); i++) {
        const int *s = SHAPES[i / 2];
        bool symmetric = i % 2;
        struct plane in = noise(s[0], s[1], channels, type),
                     fast = noise(s[0], s[1], channels, type);
        struct plane slow = noise(s[0], s[1], channels, type);

        (symmetric ? symmetric_kernel : kernel)(kx, s[2]);
        (symmetric ? symmetric_kernel : kernel)(ky, s[3]);
        plane_convolve(&in, &fast, kx, s[2], ky, s[3]);
        slow_convolve(&in, &slow, kx, s[2], ky, s[3]);
        CHECK(furthest(&fast, &slow) <= (type == PIXEL_F32 ? 1e-5 : 1));
        if (s[2] == 1 && s[3] == 1)
            CHECK(furthest(&fast, &in) == 0);
        if (symmetric && type == PIXEL_U8)
            flat_stays(kx, s[2], ky, s[3], channels);
        pool_return(&pool, &in);
        pool_return(&pool, &fast);
        pool_return(&pool, &slow);
    }
}

static void check_remap(const struct plane *in, struct plane *out, const int32_t *col,
                        const int32_t *row, bool swap)
{
    struct fill fill = { .channel = { 1, 2, 3, 4 } };
    int wrong = 0;

    plane_remap(in, out, col, row, swap, &fill);
    for (int y = 0; y < out->height; y++)
        for (int x = 0; x < out->width; x++) {
            int c = swap ? col[y] : col[x], r = swap ? row[x] : row[y];

            for (int b = 0; b < in->channels; b++)
                wrong += get(out, x, y, b) != (c < 0 || r < 0 ? fill.channel[b] : get(in, c, r, b));
        }
    CHECK(wrong == 0);
}

/* Kinds of tables: stretched; shifted with outside on both ends; reversed; random; all outside;
 * every other one reversed; mirrored about an index that is outside. */
enum { TABLE_KINDS = 7 };

static int table_entry(int i, int n, int source, int kind)
{
    switch (kind) {
    case 0:
        return i * source / n;
    case 1:
        return i - 4;
    case 2:
        return source - 1 - i;
    case 3:
        return unit_int(-1, source - 1);
    case 4:
        return -1;
    case 5:
        return source - 1 - 2 * i;
    }
    return abs(i - 9) - 1;
}

static void table_of(int32_t *at, int n, int source, int kind)
{
    for (int i = 0; i < n; i++) {
        int v = table_entry(i, n, source, kind);

        at[i] = v < 0 || v >= source ? -1 : v;
    }
}

static void remap_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(141, 37, channels, type), out = noise(150, 45, channels, type);
    struct plane turned = noise(45, 150, channels, type);
    int32_t col[150], row[45];

    for (int kind = 0; kind < TABLE_KINDS * TABLE_KINDS; kind++) {
        table_of(col, 150, 141, kind % TABLE_KINDS);
        table_of(row, 45, 37, kind / TABLE_KINDS);
        check_remap(&in, &out, col, row, false);
        check_remap(&in, &turned, col, row, true);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
    pool_return(&pool, &turned);
}

static void table_kind(enum pixel_type type, int channels)
{
    static uint16_t table[3 * 65536]; /* or as many bytes */
    struct plane in = noise(33, 9, channels, type), out = noise(33, 9, channels, type);
    int entries = type == PIXEL_U8 ? 256 : 65536, wrong = 0;

    if (type != PIXEL_F32) {
        for (int i = 0; i < 3 * entries; i++) {
            if (type == PIXEL_U8)
                ((uint8_t *)table)[i] = (uint8_t)(i * 7 + i / 256);
            else
                table[i] = (uint16_t)(i * 7 + i / 65536);
        }
        plane_table(&in, &out, table);
        for (int y = 0; y < 9; y++)
            for (int x = 0; x < 33; x++)
                for (int b = 0; b < channels; b++) {
                    long v = (long)get(&in, x, y, b);

                    if (b < plane_colours(&in))
                        v = (v * 7 + (long)b * entries * 7 + b) % entries;
                    wrong += get(&out, x, y, b) != (double)v;
                }
        CHECK(wrong == 0);
        plane_table(&in, &in, table);
        CHECK(furthest(&in, &out) == 0);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* The table of complements, which is not looked up: in place and from plane to plane. */
static void complement_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(70, 3, channels, type), out = noise(70, 3, channels, type);
    uint8_t table[3 * 256];
    int wrong = 0;

    if (type == PIXEL_U8) {
        for (int i = 0; i < 3 * 256; i++)
            table[i] = (uint8_t)(255 - i % 256);
        plane_table(&in, &out, table);
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 70; x++)
                for (int b = 0; b < plane_colours(&in); b++)
                    wrong += get(&out, x, y, b) != 255 - get(&in, x, y, b);
        CHECK(wrong == 0);
        plane_table(&in, &in, table);
        CHECK(furthest(&in, &out) == 0);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* Tables that add levels or take them away, however many, which are not looked up, and some that
 * nearly do. */
static void test_shift_tables(void)
{
    for (int n = 0; n < 4 * 511; n++) {
        int channels = n % 4 + 1, colours = channels <= 2 ? 1 : 3, wrong = 0;
        struct plane in = noise(unit_int(1, 300), 2, channels, PIXEL_U8);
        struct plane out = noise(in.width, 2, channels, PIXEL_U8);
        uint8_t table[3 * 256];

        for (int i = 0, by = 0; i < 3 * 256; i++) {
            by = i == 0 ? n / 4 - 255 : i % 256 ? by : unit_int(-255, 255);
            table[i] = (uint8_t)clamped(i % 256 + by, PIXEL_U8);
        }
        if (n % 5 == 0)
            table[unit_int(0, colours * 256 - 1)] ^= 1;
        plane_table(&in, &out, table);
        for (int y = 0; y < 2; y++)
            for (int x = 0; x < in.width; x++)
                for (int b = 0; b < channels; b++) {
                    int v = (int)get(&in, x, y, b);

                    wrong += get(&out, x, y, b) != (b < colours ? table[256 * b + v] : v);
                }
        CHECK(wrong == 0);
        plane_table(&in, &in, table);
        CHECK(furthest(&in, &out) == 0);
        pool_return(&pool, &in);
        pool_return(&pool, &out);
    }
}

static void invert_and_shift(const void *context, float *restrict r, float *restrict g,
                             float *restrict b, int n)
{
    float shift = *(const float *)context;

    for (int i = 0; i < n; i++) {
        r[i] = 255 - r[i];
        g[i] = 255 - g[i] + shift;
        b[i] = 255 - b[i] + shift * 2;
    }
}

static void colour_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(300, 5, channels, type), out = noise(300, 5, channels, type);
    float shift = 40;
    double worst = 0;

    plane_colour(&in, &out, invert_and_shift, &shift);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 300; x++)
            for (int b = 0; b < channels; b++) {
                double v = get(&in, x, y, b);

                if (channels >= 3 && b < 3)
                    v = clamped(
                        pixel_type_max(type) - v + (double)shift * b * pixel_type_unit(type), type);
                worst = fmax(worst, fabs(v - get(&out, x, y, b)));
            }
    CHECK(worst <= (type == PIXEL_F32 ? 1e-5 : 0.01));
    plane_colour(&in, &in, invert_and_shift, &shift);
    CHECK(furthest(&in, &out) == 0);
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* Converts to fewer or more channels with a function of the colors, the first one first; alpha
 * stays. */
static void reband_kind(enum pixel_type type, int channels)
{
    int alpha = channels % 2 == 0, other = (channels < 3 ? 3 : 1) + alpha,
        colours = channels < 3 ? 1 : 3;
    double unit = pixel_type_unit(type), worst = 0;
    float shift = 40;

    for (; other >= (channels < 3 ? 3 : 1); other--) { /* with its alpha, then without */
        struct plane in = noise(300, 5, channels, type), out = noise(300, 5, other, type);

        plane_colour(&in, &out, invert_and_shift, &shift);
        for (int y = 0; y < 5; y++)
            for (int x = 0; x < 300; x++)
                for (int b = 0; b < other; b++) {
                    double v = pixel_type_max(type) - get(&in, x, y, b < colours ? b : 0);

                    v = clamped(v + (double)shift * b * unit, type);
                    if (b == plane_colours(&out))
                        v = get(&in, x, y, channels - 1);
                    worst = fmax(worst, fabs(v - get(&out, x, y, b)));
                }
        pool_return(&pool, &in);
        pool_return(&pool, &out);
    }
    CHECK(worst <= (type == PIXEL_F32 ? 1e-5 : 0.01));
}

static void histogram_kind(enum pixel_type type, int channels)
{
    struct plane p = noise(301, 40, channels, type);
    size_t n = plane_counts(&p), colours = (size_t)plane_colours(&p);
    uint32_t *counts = malloc(n * sizeof *counts), sum = 0, wrong = 0;

    if (type != PIXEL_F32 && counts) {
        memset(counts, 0, n * sizeof *counts);
        CHECK(n == colours * (type == PIXEL_U8 ? 256 : 65536));
        plane_histogram(&p, counts);
        for (size_t i = 0; i < n; i++)
            sum += counts[i];
        CHECK(sum == 301 * 40 * colours);
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 301; x++)
                for (size_t b = 0; b < colours; b++)
                    counts[b * (n / colours) + (size_t)get(&p, x, y, (int)b)]--;
        for (size_t i = 0; i < n; i++)
            wrong += counts[i] != 0;
        CHECK(wrong == 0);
    }
    free(counts);
    pool_return(&pool, &p);
}

static void paint_kind(enum pixel_type type, int channels)
{
    struct plane a = noise(30, 20, channels, type), b = noise(30, 20, channels, type);
    struct fill fill = { .channel = { 11, 12, 13, 14 } };
    int colours = plane_colours(&a), wrong = 0;
    double mean = 0;

    plane_copy(&a, &b);
    CHECK(furthest(&a, &b) == 0);
    plane_paint(&a, -5, 4, 15, 100, &fill, false, 0);
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++)
            for (int c = 0; c < channels; c++)
                wrong += get(&a, x, y, c) !=
                         (x < 10 && y >= 4 && c < colours ? fill.channel[c] : get(&b, x, y, c));
    CHECK(wrong == 0);
    plane_paint(&a, 0, 0, 30, 20, &fill, true, 99);
    plane_copy(&a, &b);
    plane_paint(&b, 0, 0, 30, 20, &fill, true, 98);
    CHECK(furthest(&a, &b) > 0);
    plane_paint(&b, 3, 2, 30, 20, &fill, true, 99); /* the same noise, moved and cut */
    for (int y = 2; y < 20; y++)
        for (int x = 3; x < 30; x++)
            for (int c = 0; c < colours; c++)
                wrong += get(&b, x, y, c) != get(&a, x - 3, y - 2, c);
    CHECK(wrong == 0);
    for (int i = 0; i < 600; i++)
        mean += get(&a, i % 30, i / 30, 0) / 600 / pixel_type_max(type);
    CHECK_NEAR(mean, 0.5, 0.06);
    plane_paint(&a, 1 << 30, 1 << 30, 1 << 30, 1 << 30, &fill, false, 0);
    plane_paint(&a, 0, 0, -4, 5, &fill, false, 0);
    pool_return(&pool, &a);
    pool_return(&pool, &b);
}

static void luma_kind(enum pixel_type type, int channels)
{
    struct plane p = noise(50, 30, channels, type);
    double sum = 0, slack = type == PIXEL_F32 ? 1e-6 : 0.01;

    for (int y = 0; y < 30; y++)
        for (int x = 0; x < 50; x++) {
            double v = get(&p, x, y, 0);

            if (channels >= 3)
                v = 0.2989 * v + 0.587 * get(&p, x, y, 1) + 0.114 * get(&p, x, y, 2);
            sum += type == PIXEL_F32 ? v : floor(v);
        }
    CHECK_NEAR(plane_luma_sum(&p) / 1500, sum / 1500, slack);
    pool_return(&pool, &p);
}

static void convert_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(256, 3, channels, type);

    for (int other = PIXEL_U8; other <= PIXEL_F32; other++) {
        struct plane out = noise(256, 3, channels, (enum pixel_type)other);
        double worst = 0, top = pixel_type_max(out.type);

        plane_convert(&in, &out);
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 256; x++)
                for (int b = 0; b < channels; b++)
                    worst = fmax(worst, fabs(get(&in, x, y, b) / pixel_type_max(type) * top -
                                             get(&out, x, y, b)));
        CHECK(worst <= (other == PIXEL_F32 ? 1e-6 : 0.51));
        pool_return(&pool, &out);
    }
    pool_return(&pool, &in);
}

/* More samples than are weighed in one piece: the bits of the formula. */
static void lines_kind(enum pixel_type type, int channels)
{
    static const struct plane_lines LINES = { { 1.3f, -0.7f, 250, 0.01f }, { -3, 200, 0.4f, 7 } };
    struct plane in = noise(421, 2, channels, type);

    for (int other = PIXEL_U8; other <= PIXEL_F32; other++) {
        struct plane out = noise(421, 2, channels, (enum pixel_type)other);
        float top = (float)pixel_type_max(out.type);
        int wrong = 0;

        plane_convert_lines(&in, &out, &LINES);
        for (int i = 0; i < 2 * 421 * channels; i++) {
            int y = i / channels / 421, x = i / channels % 421, b = i % channels;
            float v = (float)get(&in, x, y, b) * LINES.factor[b] + LINES.offset[b];

            if (other != PIXEL_F32)
                v = floorf(fminf(fmaxf(v, 0), top) + 0.5f);
            wrong += (float)get(&out, x, y, b) != v;
        }
        CHECK(wrong == 0);
        pool_return(&pool, &out);
    }
    pool_return(&pool, &in);
}

static void test_pool(void)
{
    struct plane a = pool_plane(&pool, (struct frame){ 100, 50 }, 3, PIXEL_U8), b;
    void *px = a.px;

    CHECK((uintptr_t)px % 64 == 0 && a.stride % 64 == 0 && a.stride >= 300);
    pool_return(&pool, &a);
    CHECK(a.px == NULL);
    pool_return(&pool, &a);
    b = pool_plane(&pool, (struct frame){ 100, 50 }, 3, PIXEL_U8);
    a = pool_plane(&pool, (struct frame){ 100, 50 }, 3, PIXEL_U8);
    CHECK(a.px != b.px);
    pool_return(&pool, &a);
    pool_return(&pool, &b);
}

/* More columns than 32 bits count in parts of a pixel. */
static void test_huge_warp(void)
{
    struct plane in = noise(1 << 22, 2, 1, PIXEL_U8), out = noise(50, 3, 1, PIXEL_U8);
    int left = (1 << 22) - 40, wrong = 0;
    struct mat3 m = { { 1, 0, left + 0.5, 0, 1, 0.5, 0, 0, 1 } };

    check_nearest(&in, &out, &m);
    plane_warp(&in, &out, &m, INTERPOLATION_BILINEAR, &(struct fill){ .channel = { 0 } });
    for (int x = 0; x < 39; x++) {
        double sum = get(&in, left + x, 0, 0) + get(&in, left + x + 1, 0, 0) +
                     get(&in, left + x, 1, 0) + get(&in, left + x + 1, 1, 0);

        wrong += fabs(get(&out, x, 0, 0) - sum / 4) > 0.5;
    }
    CHECK(wrong == 0);
    CHECK(get(&out, 45, 0, 0) == 0);
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* Steps alone: no taps picked by shuffles. */
static void plain_walk_begin(struct walk *w, const struct plane *in, const struct mat3 *inverse)
{
    walk_begin(w, in, inverse);
    w->shuffled = false;
}

/* The loops once more under other names, without the variants for better processors. */
#define plane_warp plain_warp
#define plane_resize plain_resize
#define resize_index plain_resize_index
#define resize_can_halve plain_resize_can_halve
#define plane_convolve plain_convolve
#define convolve_bytes plain_convolve_bytes
#define noise_convolve plain_noise_convolve
#define gaussian_kernel plain_gaussian_kernel
#define plane_remap plain_remap
#define plane_paint plain_paint
#define plane_warp_rows plain_warp_rows
#define stretch_whole plain_stretch_whole
#define resizer_begin plain_resizer_begin
#define resizer_begin_align plain_resizer_begin_align
#define resizer_begin_part plain_resizer_begin_part
#define resize_takes plain_resize_takes
#define resizer_rows plain_resizer_rows
#define resizer_end plain_resizer_end
#define axis_make plain_axis_make
#define axis_drop plain_axis_drop
#define resize_is_half plain_resize_is_half
#define resize_half_row plain_resize_half_row
#define plane_halve plain_halve
#define resizer_bytes_begin plain_resizer_bytes_begin
#define resizer_bytes_rows plain_resizer_bytes_rows
#define resizer_bytes_end plain_resizer_bytes_end
#define resize_along plain_resize_along
#define resize_along_begin plain_resize_along_begin
#define samples_weigh plain_samples_weigh
#define fill_bytes plain_fill_bytes
#define fill_pixels plain_fill_pixels
#define filter plain_filter /* is in resize_axis.c too */
#define walk_begin plain_walk_begin
#define warp_begin plain_warp_begin
#define warp_careful plain_warp_careful
#define blend_careful plain_blend_careful
#define positions_blend plain_positions_blend
void plane_warp(const struct plane *, struct plane *, const struct mat3 *, enum interpolation,
                const struct fill *);
void plane_warp_rows(const struct plane *, struct plane *, const struct mat3 *, enum interpolation,
                     const struct fill *, int y0, int y1);
void plane_resize(const struct plane *, struct plane *, enum interpolation, bool antialias);
struct stretch stretch_whole(int in, int out);
struct resizer *resizer_begin(const struct plane *, struct plane *, enum interpolation,
                              bool antialias, const struct stretch *, const struct stretch *);
struct resizer *resizer_begin_align(const struct plane *, struct plane *, const struct stretch *,
                                    const struct stretch *, int across, int down);
struct resizer *resizer_begin_part(const struct resize_part *, const struct plane *, int left,
                                   int top, struct plane *);
struct rect resize_takes(const struct resize_part *);
void resizer_rows(struct resizer *, int y0, int y1);
void resizer_end(struct resizer *);
int32_t resize_index(int k, int in, int out);
void plane_convolve(const struct plane *, struct plane *, const float *, int, const float *, int);
bool convolve_bytes(const struct plane *, struct plane *, const float *, int, const float *, int);
void noise_convolve(struct frame, uint32_t key, const float *x, int nx, const float *y, int ny,
                    noise_row_fn *row, void *context);
struct arena;
const float *gaussian_kernel(struct arena *, int n, double sigma);
void plane_remap(const struct plane *, struct plane *, const int32_t *, const int32_t *, bool swap,
                 const struct fill *);
void plane_paint(struct plane *, int x, int y, int w, int h, const struct fill *, bool noise,
                 uint32_t key);
void plane_halve(const struct plane *, struct plane *);
#define WITHOUT_VARIANTS
#include "pixels/filter/convolve.c"
#include "pixels/filter/convolve_u8.c"
#include "pixels/core/paint.c"
#include "pixels/move/remap.c"
#include "pixels/move/resize.c"
#include "pixels/move/resize_row_u8.c"
#include "pixels/move/resize_axis.c"
#include "pixels/move/resize_u8.c"
#include "pixels/move/resize_half.c"
#include "pixels/move/warp_spans.c"
#include "pixels/move/warp.c"
#include "pixels/move/warp_u16_f32.c"
#include "forms.h"
#undef walk_begin
#undef plane_warp
#undef plane_resize
#undef plane_convolve
#undef convolve_bytes
#undef noise_convolve
#undef gaussian_kernel
#undef plane_remap
#undef plane_warp_rows
#undef stretch_whole
#undef resizer_begin
#undef resizer_begin_align
#undef resizer_begin_part
#undef resize_takes
#undef resizer_rows
#undef resizer_end
#undef axis_make
#undef axis_drop
#undef resize_is_half
#undef resize_half_row
#undef plane_halve
#undef resize_along
#undef resize_along_begin
#undef resizer_bytes_begin
#undef resizer_bytes_rows
#undef resizer_bytes_end
#undef resize_index
#undef resize_can_halve
#undef plane_paint
#undef samples_weigh
#undef fill_bytes
#undef fill_pixels
#undef filter

static bool same_bytes(const struct plane *a, const struct plane *b)
{
    size_t row = (size_t)a->width * (size_t)a->channels * pixel_type_size(a->type);

    for (int y = 0; y < a->height; y++)
        if (memcmp(plane_row(a, y), plane_row(b, y), row) != 0)
            return false;
    return true;
}

/* Noise that is smoothed without a plane of it: every third row, put in one. */
static bool every_third(void *context, int y, const float *line)
{
    struct plane *to = context;

    if (y % 3 == 0 && line)
        memcpy(plane_row(to, y), line, (size_t)to->width * sizeof *line);
    return y % 3 == 0;
}

static void test_noise_convolved(void)
{
    static const struct frame sizes[] = { { 70, 40 }, { 9, 4 }, { 1, 50 }, { 33, 1 } };
    struct arena arena = { 0 };
    const float *k = gaussian_kernel(&arena, 11, 2);
    const float *wide = gaussian_kernel(&arena, 17, 3);

    for (size_t i = 0; i < COUNTOF(sizes); i++) {
        struct plane paint = pool_plane(&pool, sizes[i], 1, PIXEL_F32);
        struct plane whole = pool_plane(&pool, sizes[i], 1, PIXEL_F32);
        struct plane rows = pool_plane(&pool, sizes[i], 1, PIXEL_F32);
        struct plane plain = pool_plane(&pool, sizes[i], 1, PIXEL_F32);

        plane_paint(&paint, 0, 0, paint.width, paint.height, &(struct fill){ .channel = { 0 } },
                    true, 5);
        plane_convolve(&paint, &whole, k, 11, wide, 17);
        plain_paint(&paint, 0, 0, paint.width, paint.height, &(struct fill){ .channel = { 0 } },
                    true, 5);
        plain_convolve(&paint, &plain, k, 11, wide, 17);
        CHECK(same_bytes(&whole, &plain));
        noise_convolve(sizes[i], 5, k, 11, wide, 17, every_third, &rows);
        plain_noise_convolve(sizes[i], 5, k, 11, wide, 17, every_third, &plain);
        for (int y = 0; y < paint.height; y += 3) {
            size_t row = (size_t)paint.width * sizeof(float);

            CHECK(memcmp(plane_row(&rows, y), plane_row(&whole, y), row) == 0);
            CHECK(memcmp(plane_row(&plain, y), plane_row(&whole, y), row) == 0);
        }
        pool_return(&pool, &paint);
        pool_return(&pool, &whole);
        pool_return(&pool, &rows);
        pool_return(&pool, &plain);
    }
    arena_drop(&arena);
}

/* A part of a resize, made only from the pixels that it takes, has the bytes of the whole result
 * there. */
static void resize_part_kind(enum pixel_type type, int channels)
{
    struct plane in = noise(31, 27, channels, type);

    for (int n = 0; n < 60; n++) {
        struct plane whole = noise(unit_int(1, 70), unit_int(1, 60), channels, type), out, taken,
                     there;
        struct resize_part part = { .in = { in.width, in.height },
                                    .whole = { whole.width, whole.height },
                                    .interpolation =
                                        (enum interpolation)(INTERPOLATION_BILINEAR + n % 3),
                                    .antialias = n % 2 };
        struct rect takes;
        struct resizer *r;

        part.part.x = unit_int(0, whole.width - 1);
        part.part.y = unit_int(0, whole.height - 1);
        part.part.w = unit_int(1, whole.width - part.part.x);
        part.part.h = unit_int(1, whole.height - part.part.y);
        plane_resize(&in, &whole, part.interpolation, part.antialias);
        takes = resize_takes(&part);
        taken = plane_part(&in, takes.x, takes.y, takes.w, takes.h);
        there = plane_part(&whole, part.part.x, part.part.y, part.part.w, part.part.h);
        out = noise(part.part.w, part.part.h, channels, type);
        r = resizer_begin_part(&part, &taken, takes.x, takes.y, &out);
        resizer_rows(r, 0, out.height);
        resizer_end(r);
        CHECK(same_bytes(&out, &there));
        pool_return(&pool, &whole);
        pool_return(&pool, &out);
    }
    pool_return(&pool, &in);
}

/* Rows that are too wide for one tile: the result of each tile alone is part of the whole. The
 * first rows are exactly two tiles wide, or one pixel more. */
static void test_resize_tiles(void)
{
    for (int n = 0; n < 24; n++) {
        int channels = n % 4 + 1;
        int width = n < 8 ? 2 * 2496 / channels + n / 4 : unit_int(3000, 7000) / channels;
        struct plane in = noise(unit_int(width / 4, width), 7, channels, PIXEL_U8);
        struct plane whole = noise(width, 12, channels, PIXEL_U8), out, there;
        struct resize_part part = { .in = { in.width, in.height },
                                    .whole = { whole.width, whole.height },
                                    .part = { .x = unit_int(0, width - 400), .w = 400, .h = 12 },
                                    .interpolation = INTERPOLATION_BILINEAR };
        struct stretch x = stretch_whole(in.width, whole.width);
        struct stretch y = stretch_whole(in.height, whole.height);
        int cut = unit_int(0, 12);
        struct resizer *r = resizer_begin(&in, &whole, part.interpolation, false, &x, &y);

        resizer_rows(r, 0, cut);
        resizer_rows(r, cut, 12);
        resizer_end(r);
        there = plane_part(&whole, part.part.x, 0, 400, 12);
        out = noise(400, 12, channels, PIXEL_U8);
        r = resizer_begin_part(&part, &in, 0, 0, &out);
        resizer_rows(r, 0, 12);
        resizer_end(r);
        CHECK(same_bytes(&out, &there));
        pool_return(&pool, &in);
        pool_return(&pool, &whole);
        pool_return(&pool, &out);
    }
}

static const struct fill SOME = { .channel = { 0.2, 17, 200, 255 } };

static void variant_warps(const struct plane *in, struct plane *a, struct plane *b)
{
    for (int n = 0; n < 16; n++) {
        struct mat3 m = random_inverse(in->width, in->height, n % 4 == 3);
        enum interpolation interpolation =
            n % 8 < 4 ? INTERPOLATION_BILINEAR : INTERPOLATION_NEAREST;
        int cut = unit_int(0, b->height);

        plane_warp(in, a, &m, interpolation, &SOME);
        plain_warp(in, b, &m, interpolation, &SOME);
        CHECK(same_bytes(a, b));
        paint_all(b, 0);
        plane_warp_rows(in, b, &m, interpolation, &SOME, cut, b->height);
        plane_warp_rows(in, b, &m, interpolation, &SOME, 0, cut);
        CHECK(same_bytes(a, b));
    }
}

/* Rows that hardly go down, at any scale: taps are picked by shuffles. */
static void variant_slopes(const struct plane *in, struct plane *a, struct plane *b)
{
    for (int n = 0; n < 60; n++) {
        double along = n % 3 ? uniform(0, 1.2) : unit_int(0, 9) / 8.0;
        struct mat3 m = { { along, uniform(-0.5, 0.5), uniform(-3, 40), uniform(-0.3, 0.3),
                            uniform(0.2, 1.2), uniform(-2, 12), 0, 0, 1 } };

        plane_warp(in, a, &m, INTERPOLATION_BILINEAR, &SOME);
        plain_warp(in, b, &m, INTERPOLATION_BILINEAR, &SOME);
        CHECK(same_bytes(a, b));
    }
}

static void variant_resizes(const struct plane *in, struct plane *a, struct plane *b)
{
    for (int n = 0; n < 6; n++) {
        enum interpolation interpolation = (enum interpolation)(INTERPOLATION_BILINEAR + n % 3);
        struct stretch x = stretch_whole(in->width, b->width);
        struct stretch y = stretch_whole(in->height, b->height);
        int cut = unit_int(0, b->height);
        struct resizer *r;

        plane_resize(in, a, interpolation, n > 2);
        plain_resize(in, b, interpolation, n > 2);
        CHECK(same_bytes(a, b));
        paint_all(b, 0);
        r = resizer_begin(in, b, interpolation, n > 2, &x, &y);
        resizer_rows(r, 0, cut);
        resizer_rows(r, cut, b->height);
        resizer_end(r);
        CHECK(same_bytes(a, b));
    }
}

/* Bytes and words are halved, from any corner on, by special loops. */
static void test_resize_half(void)
{
    for (int n = 0; n < 320; n++) {
        enum pixel_type type = n % 2 ? PIXEL_U16 : PIXEL_U8;
        int channels = n / 2 % 4 + 1;
        int width = n / 8 + 1, height = n % 3 + 1, left = n % 5, top = n % 2;
        struct plane in = noise(2 * width + left, 2 * height + top, channels, type);
        struct plane a = noise(width, height, channels, type);
        struct plane b = noise(width, height, channels, type);
        struct stretch x = { left, 2 }, y = { top, 2 };
        struct resizer *r = resizer_begin(&in, &a, INTERPOLATION_BILINEAR, false, &x, &y);

        resizer_rows(r, 0, height);
        resizer_end(r);
        r = plain_resizer_begin(&in, &b, INTERPOLATION_BILINEAR, false, &x, &y);
        plain_resizer_rows(r, 0, height);
        plain_resizer_end(r);
        CHECK(same_bytes(&a, &b));
        for (int i = 0; i < width * in.channels; i++) {
            int c = i % in.channels, column = left + i / in.channels * 2;
            double sum = get(&in, column, top, c) + get(&in, column + 1, top, c) +
                         get(&in, column, top + 1, c) + get(&in, column + 1, top + 1, c);

            CHECK(get(&a, i / in.channels, 0, c) == floor(sum / 4 + 0.5));
        }
        pool_return(&pool, &in);
        pool_return(&pool, &a);
        pool_return(&pool, &b);
    }
}

/* All of a plane, of any type. */
static void test_halve(void)
{
    for (int n = 0; n < 120; n++) {
        enum pixel_type type = n % 3 == 0 ? PIXEL_U8 : n % 3 == 1 ? PIXEL_U16 : PIXEL_F32;
        int channels = n / 3 % 4 + 1, width = n / 2 + 1, height = n % 5 + 1;
        struct plane in = noise(2 * width, 2 * height, channels, type);
        struct plane a = noise(width, height, channels, type);
        struct plane b = noise(width, height, channels, type);

        plane_halve(&in, &a);
        plain_resize(&in, &b, INTERPOLATION_BILINEAR, false);
        CHECK(same_bytes(&a, &b));
        pool_return(&pool, &in);
        pool_return(&pool, &a);
        pool_return(&pool, &b);
    }
}

static void variant_remaps(const struct plane *in, struct plane *a, struct plane *b)
{
    int32_t *col = malloc(sizeof *col * (size_t)(a->width + a->height)), *row = col + a->width;

    for (int kind = 0; kind < 36; kind++) {
        table_of(col, a->width, in->width, kind % 6);
        table_of(row, a->height, in->height, kind / 6);
        plane_remap(in, a, col, row, false, &SOME);
        plain_remap(in, b, col, row, false, &SOME);
        CHECK(same_bytes(a, b));
        table_of(col, a->height, in->width, kind % 6);
        table_of(col + a->height, a->width, in->height, kind / 6);
        plane_remap(in, a, col, col + a->height, true, &SOME);
        plain_remap(in, b, col, col + a->height, true, &SOME);
        CHECK(same_bytes(a, b));
    }
    free(col);
}

/* A plane whose memory ends at its last pixel: ASan detects reads and writes beyond it. */
static struct plane tight(struct frame frame, int channels, enum pixel_type type)
{
    struct plane p = {
        .type = type, .width = frame.width, .height = frame.height, .channels = channels
    };

    p.stride = (size_t)frame.width * (size_t)channels * pixel_type_size(type);
    p.px = malloc(plane_bytes(&p));
    return p;
}

/* Whatever the processor: the same bytes. */
static void variants_kind(enum pixel_type type, int channels)
{
    static const struct frame IN = { 211, 47 };
    static const struct frame SIZES[] = {
        { 333, 41 }, { 120, 90 }, { 67, 20 }, { 20, 4 }, { 5, 3 }
    };
    struct plane random = noise(211, 47, channels, type), in = tight(IN, channels, type);
    float kx[31], ky[31];

    plane_copy(&random, &in);
    for (size_t i = 0; i < COUNTOF(SIZES); i++) {
        struct plane a = tight(SIZES[i], channels, type), b = tight(SIZES[i], channels, type);

        variant_warps(&in, &a, &b);
        variant_slopes(&in, &a, &b);
        variant_resizes(&in, &a, &b);
        variant_remaps(&in, &a, &b);
        free(a.px);
        free(b.px);
    }
    for (int n = 1; n <= 31; n += 2) {
        struct plane a = tight(IN, channels, type), b = tight(IN, channels, type);

        for (int symmetric = 0; symmetric < 2; symmetric++) {
            (symmetric ? symmetric_kernel : kernel)(kx, n);
            (symmetric ? symmetric_kernel : kernel)(ky, 32 - n);
            plane_convolve(&in, &a, kx, n, ky, 32 - n);
            plain_convolve(&in, &b, kx, n, ky, 32 - n);
            CHECK(same_bytes(&a, &b));
        }
        free(a.px);
        free(b.px);
    }
    free(in.px);
    pool_return(&pool, &random);
}

/* Quarter turns and transposes with nothing outside, of more than a tile, and of less. */
static void turns_kind(enum pixel_type type, int channels)
{
    struct plane random = noise(160, 90, channels, type),
                 in = tight((struct frame){ 160, 90 }, channels, type);

    plane_copy(&random, &in);
    for (int i = 0; i < 40; i++) {
        struct frame f =
            i ? (struct frame){ unit_int(1, 90), unit_int(1, 160) } : (struct frame){ 90, 160 };
        struct plane out = tight(f, channels, type);
        int32_t col[160], row[90];
        int left = unit_int(0, 160 - f.height), top = unit_int(0, 90 - f.width);

        for (int y = 0; y < f.height; y++)
            col[y] = left + (i & 1 ? y : f.height - 1 - y);
        for (int x = 0; x < f.width; x++)
            row[x] = top + (i & 2 ? x : f.width - 1 - x);
        check_remap(&in, &out, col, row, true);
        free(out.px);
    }
    free(in.px);
    pool_return(&pool, &random);
}

/* Mirrors beside many columns as they are, and columns picked from anywhere: with the last row. */
static void picked_kind(enum pixel_type type, int channels)
{
    struct plane random = noise(90, 5, channels, type),
                 in = tight((struct frame){ 90, 5 }, channels, type);
    struct plane out = tight((struct frame){ 110, 5 }, channels, type);
    int32_t col[110], row[5] = { 4, 0, 3, 3, 4 };

    plane_copy(&random, &in);
    for (int kind = 0; kind < 3; kind++) {
        for (int x = 0; x < 110; x++)
            col[x] = kind == 2   ? unit_int(0, 89)
                     : kind == 1 ? (x * 90 / 110)
                                 : (x < 8    ? 8 - x
                                    : x < 98 ? x - 8
                                             : 186 - x);
        check_remap(&in, &out, col, row, false);
    }
    free(in.px);
    free(out.px);
    pool_return(&pool, &random);
}

struct kind_test {
    const char *name;
    kind_fn *run;
};

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_noise_convolved), TEST(test_resize_half),
        TEST(test_halve),           TEST(test_pool),
        TEST(test_resize_index),    TEST(test_resize_bytes),
        TEST(test_resize_tiles),    TEST(test_shift_tables),
        TEST(test_huge_warp),       TEST(test_nearest_rows),
    };
    static const struct kind_test of_kinds[] = {
        TEST(wave_kind),     TEST(nearest_kind),    TEST(fringe_kind),      TEST(resize_kind),
        TEST(convolve_kind), TEST(remap_kind),      TEST(table_kind),       TEST(colour_kind),
        TEST(reband_kind),   TEST(histogram_kind),  TEST(paint_kind),       TEST(luma_kind),
        TEST(convert_kind),  TEST(lines_kind),      TEST(variants_kind),    TEST(turns_kind),
        TEST(picked_kind),   TEST(complement_kind), TEST(resize_part_kind),
    };

    unit_plan(FORMS * (COUNTOF(tests) + COUNTOF(of_kinds)));
    for (int form = 0; forms_take(form); form++) {
        unit_run(tests, COUNTOF(tests));
        for (size_t i = 0; i < COUNTOF(of_kinds); i++) {
            every_kind(of_kinds[i].run);
            unit_report(of_kinds[i].name);
        }
    }
    pool_drop(&pool);
    return unit_end();
}
