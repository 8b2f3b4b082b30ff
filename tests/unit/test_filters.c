/* test_filters: the loops that look around a pixel, against slow and plain versions of themselves.
 */
#include "forms.h"

#include "steps/op.h"
#include "pixels/filters.h"
#include "steps/registry.h"

#include <string.h>

static struct pool pool;

/* --- planes --- */

static int get(const struct plane *p, int x, int y, int b)
{
    const unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + b;

    return p->type == PIXEL_U8 ? row[i] : ((const uint16_t *)(const void *)row)[i];
}

static void set(const struct plane *p, int x, int y, int b, int v)
{
    unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + b;

    if (p->type == PIXEL_U8)
        row[i] = (uint8_t)v;
    else
        ((uint16_t *)(void *)row)[i] = (uint16_t)v;
}

static struct plane fresh(int w, int h, int channels, enum pixel_type type)
{
    return pool_plane(&pool, (struct frame){ w, h }, channels, type);
}

static struct plane like(const struct plane *p)
{
    return fresh(p->width, p->height, p->channels, p->type);
}

/* All levels, or (one time in three) few of them, so that there are ties. */
static struct plane noise(int w, int h, int channels, enum pixel_type type)
{
    struct plane p = fresh(w, h, channels, type);
    int max = (int)pixel_type_max(type), lo = 0, hi = max;

    if (unit_int(0, 2) == 0) {
        lo = unit_int(0, max - 3);
        hi = lo + 3;
    }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int b = 0; b < channels; b++)
                set(&p, x, y, b, unit_int(lo, hi));
    return p;
}

static int mirrored_index(int i, int n)
{
    while (i < 0 || i >= n) {
        if (n == 1)
            return 0;
        i = i < 0 ? -i : 2 * (n - 1) - i;
    }
    return i;
}

static int around(const struct plane *p, int x, int y, int b)
{
    return get(p, mirrored_index(x, p->width), mirrored_index(y, p->height), b);
}

static double clamped(double v, enum pixel_type type)
{
    return v < 0 ? 0 : v > pixel_type_max(type) ? pixel_type_max(type) : v;
}

static bool is_alpha(const struct plane *p, int b)
{
    return b >= plane_colours(p);
}

/* Returns the exact result of a filter at a place, before it is clamped and rounded. */
typedef double naive_fn(const struct plane *in, int x, int y, int b, const void *context);

/* Compares the plane with the naive filter: within `slack` levels of each, 0.5 for values that are
 * rounded once. Returns both planes to the pool. */
static bool check_naive(struct plane *in, struct plane *out, naive_fn *naive, const void *context,
                        double slack)
{
    double worst = 0;
    bool alpha_kept = true;

    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++)
            for (int b = 0; b < in->channels; b++)
                if (is_alpha(in, b))
                    alpha_kept &= get(in, x, y, b) == get(out, x, y, b);
                else
                    worst = fmax(worst, fabs(get(out, x, y, b) -
                                             clamped(naive(in, x, y, b, context), in->type)));
    pool_return(&pool, in);
    pool_return(&pool, out);
    CHECK(alpha_kept);
    return CHECK_NEAR(worst, 0, slack);
}

/* Called for every type and number of channels, at sizes that are not multiples of the loops' own.
 */
typedef void kind_check(struct frame, int channels, enum pixel_type);

static void each_kind(kind_check *check)
{
    static const struct frame sizes[] = { { 1, 1 }, { 1, 7 },   { 7, 1 },   { 2, 2 },
                                          { 3, 3 }, { 17, 31 }, { 53, 20 }, { 300, 5 } };

    for (size_t i = 0; i < COUNTOF(sizes); i++)
        for (int channels = 1; channels <= 4; channels++) {
            check(sizes[i], channels, PIXEL_U8);
            check(sizes[i], channels, PIXEL_U16);
        }
}

/* --- sharpness --- */

static double naive_sharpness(const struct plane *in, int x, int y, int b, const void *context)
{
    double factor = *(const float *)context, sum = 4 * get(in, x, y, b), blurred;

    if (x == 0 || y == 0 || x == in->width - 1 || y == in->height - 1)
        return get(in, x, y, b);
    for (int i = 0; i < 9; i++)
        sum += get(in, x + i % 3 - 1, y + i / 3 - 1, b);
    blurred = floor(sum / 13 + 0.5);
    return blurred + factor * (get(in, x, y, b) - blurred);
}

static void check_sharpness(struct frame f, int channels, enum pixel_type type)
{
    float factor = (float)unit_double(0, 4);
    struct plane in = noise(f.width, f.height, channels, type), out = like(&in);

    plane_sharpness(&in, &out, factor);
    check_naive(&in, &out, naive_sharpness, &factor, 0.52);
}

/* --- box --- */

static double naive_box(const struct plane *in, int x, int y, int b, const void *context)
{
    const int *size = context;
    double sum = 0;

    for (int v = y - size[1] / 2; v <= y + size[1] / 2; v++)
        for (int u = x - size[0] / 2; u <= x + size[0] / 2; u++)
            sum += around(in, u, v, b);
    return sum / ((double)size[0] * size[1]);
}

static void check_box(struct frame f, int channels, enum pixel_type type)
{
    int size[2] = { 2 * unit_int(0, 12) + 1, 2 * unit_int(0, 12) + 1 };
    struct plane in = noise(f.width, f.height, channels, type), out = like(&in);

    plane_box(&in, &out, size[0], size[1]);
    check_naive(&in, &out, naive_box, size, 0.5);
}

/* The largest sums there are, and those next to 2^31. */
static void test_box_white(void)
{
    static const int sizes[] = { 181, 183, 255 };
    struct plane white = fresh(5, 3, 1, PIXEL_U16), out = like(&white);

    for (int i = 0; i < 15; i++)
        set(&white, i % 5, i / 5, 0, 65535);
    for (size_t k = 0; k < COUNTOF(sizes); k++) {
        plane_box(&white, &out, sizes[k], sizes[k]);
        for (int i = 0; i < 15; i++)
            CHECK(get(&out, i % 5, i / 5, 0) == 65535);
    }
    pool_return(&pool, &white);
    pool_return(&pool, &out);
}

/* Rows of several tiles of sums, the last of any length. */
static void test_box_wide(void)
{
    for (int channels = 1; channels <= 4; channels++) {
        struct frame f = { 2 * 1536 / channels + unit_int(0, 60), 5 };

        check_box(f, channels, PIXEL_U8);
        check_box(f, channels, PIXEL_U16);
    }
}

/* --- median --- */

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static double naive_median(const struct plane *in, int x, int y, int b, const void *context)
{
    static int v[101 * 101];
    int k = *(const int *)context, n = 0;

    for (int j = y - k / 2; j <= y + k / 2; j++)
        for (int i = x - k / 2; i <= x + k / 2; i++)
            v[n++] = around(in, i, j, b);
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

static void check_median(struct frame f, int channels, enum pixel_type type)
{
    static const int sizes[] = { 1, 3, 5, 7, 9, 11, 13, 15, 17, 25, 33 };

    for (size_t i = 0; i < COUNTOF(sizes); i++) {
        struct plane in = noise(f.width, f.height, channels, type), out = like(&in);

        plane_median(&in, &out, sizes[i], &pool);
        if (!check_naive(&in, &out, naive_median, &sizes[i], 0))
            fprintf(stderr, "    median of %d, %dx%d\n", sizes[i], f.width, f.height);
    }
}

/* Squares that hold more than 16 bits of pixels count no further than they can. */
static void check_median_largest(enum pixel_type type)
{
    struct plane in = noise(300, 3, 1, type), out = like(&in);

    for (int x = 0; x < 300; x++)
        for (int y = 0; y < 3; y++)
            set(&in, x, y, 0, x < 150 ? 7 : 200);
    plane_median(&in, &out, 255, &pool);
    for (int x = 0; x < 300; x++)
        CHECK(get(&out, x, 1, 0) == (x < 150 ? 7 : 200));
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* --- taps --- */

struct taps_of {
    struct tap tap[11];
    int n;
};

static double naive_taps(const struct plane *in, int x, int y, int b, const void *context)
{
    const struct taps_of *t = context;
    double sum = 0;

    for (int i = 0; i < t->n; i++)
        sum += (double)t->tap[i].weight * around(in, x + t->tap[i].x, y + t->tap[i].y, b);
    return sum;
}

static void check_taps(struct frame f, int channels, enum pixel_type type)
{
    struct taps_of t = { .n = unit_int(1, 11) };
    struct plane in = noise(f.width, f.height, channels, type), out = like(&in);

    for (int i = 0; i < t.n; i++)
        t.tap[i] = (struct tap){ unit_int(-9, 9), unit_int(-9, 9), (float)unit_double(-0.2, 0.4) };
    plane_convolve_taps(&in, &out, t.tap, t.n, &pool);
    check_naive(&in, &out, naive_taps, &t, 0.52);
}

/* --- unsharp mask --- */

struct unsharp {
    float kernel[7], amount, threshold;
    int n;
    const struct plane *out; /* decides where the filter may go either way */
};

static double naive_blur(const struct plane *in, int x, int y, int b, const struct unsharp *u)
{
    double sum = 0;

    for (int j = 0; j < u->n; j++)
        for (int i = 0; i < u->n; i++)
            sum += (double)u->kernel[i] * u->kernel[j] *
                   around(in, x + i - u->n / 2, y + j - u->n / 2, b);
    return sum;
}

/* True if the blurred pixel differs by more than the threshold. A blur within rounding of half a
 * level may go either way; `doubt` decides then. */
static bool is_over_threshold(const struct plane *in, int x, int y, int b, const struct unsharp *u,
                              bool doubt)
{
    double near = (u->n + 1) / 256.0; /* half a unit a product both ways: convolve_u8.c */
    double own = get(in, x, y, b), blurred = naive_blur(in, x, y, b, u);
    double low = floor(blurred + 0.5 - near), high = floor(blurred + 0.5 + near);
    bool by_low = fabs(own - low) > (double)u->threshold;
    bool by_high = fabs(own - high) > (double)u->threshold;

    return doubt ? by_low || by_high : by_low && by_high;
}

/* Returns the allowed result that is nearest to the filter's. */
static double naive_unsharp(const struct plane *in, int x, int y, int b, const void *context)
{
    const struct unsharp *u = context;
    double own = get(in, x, y, b), share[2] = { 0, 0 }, sharp, one, other;

    sharp = clamped(own + u->amount * (own - naive_blur(in, x, y, b, u)), in->type);
    for (int j = 0; j < u->n; j++)
        for (int i = 0; i < u->n; i++)
            for (int doubt = 0; doubt < 2; doubt++)
                share[doubt] +=
                    (double)u->kernel[i] * u->kernel[j] *
                    is_over_threshold(in, mirrored_index(x + i - u->n / 2, in->width),
                                      mirrored_index(y + j - u->n / 2, in->height), b, u, doubt);
    one = own + share[0] * (sharp - own);
    other = own + share[1] * (sharp - own);
    return fmin(fmax(get(u->out, x, y, b), fmin(one, other)), fmax(one, other));
}

/* Blurs and shares are rounded to a level; 8 bits of shares are a 510th of the difference off. */
static void check_unsharp(struct frame f, int channels, enum pixel_type type)
{
    struct unsharp u = { .n = 2 * unit_int(1, 3) + 1,
                         .amount = (float)unit_double(0, 1.5),
                         .threshold = (float)unit_int(0, 20) + 0.5f };
    double sum = 0;

    if (f.width > 20)
        f.width = 20;
    for (int i = 0; i < u.n; i++)
        sum += u.kernel[i] = (float)unit_double(0.1, 1);
    for (int i = 0; i < u.n / 2; i++) {
        sum += u.kernel[i] - u.kernel[u.n - 1 - i];
        u.kernel[u.n - 1 - i] = u.kernel[i];
    }
    for (int i = 0; i < u.n; i++)
        u.kernel[i] /= (float)sum;
    struct plane in = noise(f.width, f.height, channels, type), out = like(&in);

    plane_unsharp(&in, &out, u.kernel, u.n, u.amount, u.threshold, &pool);
    u.out = &out;
    check_naive(&in, &out, naive_unsharp, &u, 0.52 + u.amount * 1.01);
}

/* --- clahe --- */

struct clahe {
    double limit;
    int columns, rows;
};

static int level_of(const struct plane *p, int x, int y)
{
    int r = around(p, x, y, 0);

    if (p->channels < 3)
        return r;
    return (int)(0.299f * (float)r + 0.587f * (float)around(p, x, y, 1) +
                 0.114f * (float)around(p, x, y, 2) + 0.5f);
}

/* The tile's table, made as OpenCV's clahe.cpp makes it, asked for one level. */
static double equalized(const struct plane *p, const struct clahe *c, int column, int row,
                        int level)
{
    static int count[65536];
    int w = (p->width + c->columns - 1) / c->columns, h = (p->height + c->rows - 1) / c->rows;
    int n = p->type == PIXEL_U8 ? 256 : 65536, limit = (int)(c->limit * w * h / n), clipped = 0;
    int batch, residual;
    double sum = 0;

    memset(count, 0, sizeof count);
    for (int y = row * h; y < (row + 1) * h; y++)
        for (int x = column * w; x < (column + 1) * w; x++)
            count[level_of(p, x, y)]++;
    if (c->limit > 0) {
        limit = limit < 1 ? 1 : limit;
        for (int i = 0; i < n; i++)
            if (count[i] > limit) {
                clipped += count[i] - limit;
                count[i] = limit;
            }
        batch = clipped / n;
        residual = clipped - batch * n;
        for (int i = 0; i < n; i++)
            count[i] += batch;
        for (int i = 0; residual > 0; i += n / (clipped - batch * n), residual--)
            count[i]++;
    }
    for (int i = 0; i <= level; i++)
        sum += count[i];
    return floorf((float)sum * ((float)(n - 1) / ((float)w * (float)h)) + 0.5f);
}

static int within(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

static double naive_clahe(const struct plane *p, int x, int y, int b, const void *context)
{
    const struct clahe *c = context;
    int w = (p->width + c->columns - 1) / c->columns, h = (p->height + c->rows - 1) / c->rows;
    double u = (x + 0.5) / w - 0.5, v = (y + 0.5) / h - 0.5, sum = 0;
    int left = (int)floor(u), top = (int)floor(v), level = level_of(p, x, y);

    for (int i = 0; i < 4; i++) {
        double share = (i % 2 ? u - left : 1 - u + left) * (i / 2 ? v - top : 1 - v + top);

        sum += share * equalized(p, c, within(left + i % 2, c->columns),
                                 within(top + i / 2, c->rows), level);
    }
    return p->channels < 3 ? sum : get(p, x, y, b) + floor(sum + 0.5) - level;
}

static void check_clahe(struct frame f, int channels, enum pixel_type type)
{
    struct clahe c = { .limit = unit_int(0, 3) ? unit_double(0.1, 20) : 0,
                       .columns = unit_int(1, 9),
                       .rows = unit_int(1, 9) };
    struct frame small = { f.width > 31 ? 31 : f.width, f.height };

    if (type == PIXEL_U16 && small.width * small.height > 25)
        small = (struct frame){ 5, 4 }; /* the naive tables are slow */
    struct plane in = noise(small.width, small.height, channels, type), out = like(&in);

    plane_clahe(&in, &out, c.limit, c.columns, c.rows, &pool);
    check_naive(&in, &out, naive_clahe, &c, channels < 3 ? 0.55 : 1);
}

/* --- ops, resolved for a plane and run --- */

static bool run_op(const char *name, const char *json, const struct plane *in, struct plane *out)
{
    const struct op *op = registry_op(name);
    struct arena arena = { 0 };
    struct text why = { 0 };
    struct faults faults = { .name = name, .text = { json, strlen(json) } };
    struct value *value = value_parse(&faults, &arena);
    struct scene scene = { .frame = { in->width, in->height },
                           .type = in->type,
                           .channels = in->channels,
                           .arena = &arena,
                           .why = &why };
    struct action action = { .family = FAMILY_NOTHING, .in = scene.frame, .out = scene.frame };
    void *params = arena_take(&arena, op->params_size);
    struct reader reader = { .arena = &arena };
    bool done;

    params_preset(op->params, params, &arena);
    done = CHECK(value != NULL) && params_read(op->params, value, params, NULL, &reader, &faults) &&
           op->resolve(params, &scene, &action) && action.family == FAMILY_RASTER;
    if (CHECK(done))
        action.u.raster.fn(action.u.raster.context, in, out, &pool);
    faults_drop(&faults);
    arena_drop(&arena);
    return done;
}

static struct plane dot(int side)
{
    struct plane p = fresh(side, side, 1, PIXEL_U16);

    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++)
            set(&p, x, y, 0, x == side / 2 && y == side / 2 ? 65535 : 0);
    return p;
}

struct moments {
    double sum, x, y, xx, xy, yy;
};

static struct moments measure(const struct plane *p)
{
    struct moments m = { 0 };

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            double v = get(p, x, y, 0), u = x - p->width / 2, w = y - p->height / 2;

            m.sum += v;
            m.x += v * u;
            m.y += v * w;
            m.xx += v * u * u;
            m.xy += v * u * w;
            m.yy += v * w * w;
        }
    m.x /= m.sum;
    m.y /= m.sum;
    m.xx = m.xx / m.sum - m.x * m.x;
    m.xy = m.xy / m.sum - m.x * m.y;
    m.yy = m.yy / m.sum - m.y * m.y;
    return m;
}

/* A dot becomes a streak of the angle, length and offset that were asked for. */
static void check_motion(void)
{
    double degrees = floor(unit_double(-180, 180)), direction = unit_int(-4, 4) / 4.;
    int k = 2 * unit_int(4, 15) + 1;
    struct plane in = dot(41), out = like(&in);
    double length = (k - 1) * (1 - fabs(direction) / 2), aside, along, off, t = radians(degrees);
    struct moments m;
    char json[200];

    snprintf(json, sizeof json, "{\"kernel_size\": %d, \"angle\": %g, \"direction\": %g}", k,
             degrees, direction);
    if (run_op("motion_blur", json, &in, &out)) {
        m = measure(&out);
        off = 0.5 * atan2(2 * m.xy, m.xx - m.yy) - t;
        CHECK_NEAR(remainder(off, radians(180)), 0, radians(3));
        along = m.xx * cos(t) * cos(t) + 2 * m.xy * cos(t) * sin(t) + m.yy * sin(t) * sin(t);
        aside = m.xx + m.yy - along;
        /* Points of one weight, a pixel apart. */
        CHECK_NEAR(along, length * length / 12 + length / 6, length / 12 + 0.3);
        CHECK(aside < 0.26);
        /* Pixels that are taken from ahead move back. */
        CHECK_NEAR(m.x, -direction * (k - 1) / 4. * cos(t), 0.05);
        CHECK_NEAR(m.y, -direction * (k - 1) / 4. * sin(t), 0.05);
        CHECK_NEAR(m.sum, 65535, 100);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

/* Largest difference between planes, and of their means. */
static void compare(const struct plane *a, const struct plane *b, int *worst, double *mean)
{
    *worst = 0;
    *mean = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            for (int c = 0; c < plane_colours(a); c++) {
                int d = get(a, x, y, c) - get(b, x, y, c);

                *worst = abs(d) > *worst ? abs(d) : *worst;
                *mean += d;
            }
    *mean /= a->width * a->height * plane_colours(a);
}

static struct plane waves(int w, int h, int channels, enum pixel_type type)
{
    struct plane p = fresh(w, h, channels, type);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int b = 0; b < channels; b++)
                set(&p, x, y, b,
                    (int)(pixel_type_max(type) * (0.5 + 0.3 * sin(x * 0.2) * cos(y * 0.15))));
    return p;
}

/* A good JPEG is near the original, a bad one is not; all kinds and sizes can be had. */
static void check_jpeg(struct frame f, int channels, enum pixel_type type)
{
    struct plane in = waves(f.width, f.height, channels, type), good = like(&in), bad = like(&in);
    int near, far;
    double mean;

    plane_jpeg(&in, &good, 95, &pool);
    plane_jpeg(&in, &bad, 3, &pool);
    compare(&in, &bad, &far, &mean);
    compare(&in, &good, &near, &mean);
    CHECK(near <= 4 * pixel_type_unit(type));
    CHECK(fabs(mean) <= pixel_type_unit(type));
    CHECK(far > near || f.width * f.height < 100);
    if (channels % 2 == 0)
        CHECK(get(&in, 0, 0, channels - 1) == get(&good, 0, 0, channels - 1));
    pool_return(&pool, &in);
    pool_return(&pool, &good);
    pool_return(&pool, &bad);
}

/* Nearest: blocks of the pixels that lie at their middles. */
static double naive_downscale(const struct plane *in, int x, int y, int b, const void *context)
{
    const struct frame *small = context;
    int u = resize_index(x, small->width, in->width),
        v = resize_index(y, small->height, in->height);

    return get(in, resize_index(u, in->width, small->width),
               resize_index(v, in->height, small->height), b);
}

static void check_downscale(struct frame f, int channels, enum pixel_type type)
{
    struct frame small = { (f.width + 2) / 3, (f.height + 3) / 4 };
    struct plane in = noise(f.width, f.height, channels, type), out = like(&in);
    struct plane smooth = waves(f.width, f.height, channels, type), again = like(&smooth);
    int worst;
    double mean;

    plane_downscale(&in, &out, small, INTERPOLATION_NEAREST, INTERPOLATION_NEAREST, true, &pool);
    check_naive(&in, &out, naive_downscale, &small, 0);
    plane_downscale(&smooth, &again, small, INTERPOLATION_BILINEAR, INTERPOLATION_BICUBIC, true,
                    &pool);
    compare(&smooth, &again, &worst, &mean);
    CHECK(worst < 0.2 * pixel_type_max(type));
    CHECK(fabs(mean) < 0.02 * pixel_type_max(type));
    pool_return(&pool, &smooth);
    pool_return(&pool, &again);
}

/* Albumentations' kernel: alpha 0.5 of -1 around 8 + lightness. */
static void test_sharpen(void)
{
    struct plane in = dot(5), out = like(&in);

    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            set(&in, x, y, 0, 10000 + 1000 * (x == 2 && y == 2));
    if (run_op("sharpen", "{\"alpha\": 0.5, \"lightness\": 0.8}", &in, &out)) {
        CHECK(get(&out, 0, 0, 0) == 9000);
        CHECK(get(&out, 2, 2, 0) == (int)(11000 * 4.9 - 8 * 5000 + 0.5));
        CHECK(get(&out, 1, 2, 0) == 8500);
    }
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

static void test_median_largest(void)
{
    check_median_largest(PIXEL_U8);
    check_median_largest(PIXEL_U16);
}

/* Rows are sorted in pieces of 3072 bytes: tests the pixels on both sides of their seams. */
static void test_median_wide(void)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int bytes = 1; bytes <= 2; bytes++)
            for (int k = 3; k <= 5; k += 2) {
                int w = 2 * 3072 / (channels * bytes) + unit_int(0, 5);
                struct plane in = noise(w, 3, channels, bytes == 1 ? PIXEL_U8 : PIXEL_U16);
                struct plane out = like(&in);

                plane_median(&in, &out, k, &pool);
                check_naive(&in, &out, naive_median, &k, 0);
                pool_return(&pool, &in);
                pool_return(&pool, &out);
            }
}

/* Along a row each pixel of the streak has the same weight, the outermost ones too. */
static void check_even_streak(void)
{
    struct plane in = dot(41), out = like(&in);

    if (run_op("motion_blur", "{\"kernel_size\": 5, \"angle\": 0}", &in, &out))
        for (int x = 0; x < 41; x++)
            CHECK_NEAR(get(&out, x, 20, 0), abs(x - 20) <= 2 ? 65535 / 5. : 0, 1);
    pool_return(&pool, &in);
    pool_return(&pool, &out);
}

static void test_motion(void)
{
    check_even_streak();
    for (int i = 0; i < 40; i++)
        check_motion();
}

struct kind_test {
    const char *name;
    kind_check *check;
    int rounds;
};

int main(void)
{
    static const struct kind_test of_kinds[] = {
        { "sharpness", check_sharpness, 3 }, { "box", check_box, 3 },
        { "taps", check_taps, 3 },           { "unsharp", check_unsharp, 3 },
        { "median", check_median, 1 },       { "clahe", check_clahe, 1 },
        { "jpeg", check_jpeg, 1 },           { "downscale", check_downscale, 1 },
    };
    static const struct unit_test tests[] = {
        TEST(test_box_white),   TEST(test_box_wide), TEST(test_median_largest),
        TEST(test_median_wide), TEST(test_motion),   TEST(test_sharpen),
    };

    unit_plan(FORMS * (COUNTOF(of_kinds) + COUNTOF(tests)));
    for (int form = 0; forms_take(form); form++) {
        for (size_t i = 0; i < COUNTOF(of_kinds); i++) {
            for (int k = 0; k < of_kinds[i].rounds; k++)
                each_kind(of_kinds[i].check);
            unit_report(of_kinds[i].name);
        }
        unit_run(tests, COUNTOF(tests));
    }
    pool_drop(&pool);
    return unit_end();
}
