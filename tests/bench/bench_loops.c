/* bench_loops: measures the cost of each pixel loop, in ns per output pixel and in copies of the
 * output.
 *
 * All loops run in turn, repeatedly, and the medians are printed, because machines drift.
 * Arguments: repetitions (15), and a word that the names of the loops to run contain (all). */
#include "geom/grid.h"
#include "pixels/filters.h"
#include "timing.h"

#include <stdio.h>

struct job {
    struct plane in, out;
    void *table;
    int32_t *col, *row;
    struct pool *pool;
};

typedef void loop_fn(struct job *);

static const struct fill FILL = { .channel = { 114, 114, 114, 255 } };

/* Ten degrees about the middle, a little larger. */
static struct mat3 turn(const struct job *j)
{
    double c = cos(0.17) * 0.95, s = sin(0.17) * 0.95, w = j->in.width / 2.0,
           h = j->in.height / 2.0;

    return (struct mat3){ { c, -s, w - c * w + s * h, s, c, h - s * w - c * h, 0, 0, 1 } };
}

static void warp_bilinear(struct job *j)
{
    struct mat3 m = turn(j);

    plane_warp(&j->in, &j->out, &m, INTERPOLATION_BILINEAR, &FILL);
}

static void warp_nearest(struct job *j)
{
    struct mat3 m = turn(j);

    plane_warp(&j->in, &j->out, &m, INTERPOLATION_NEAREST, &FILL);
}

static void warp_projective(struct job *j)
{
    struct mat3 m = turn(j);

    m.m[6] = 1e-4;
    m.m[7] = -1e-4;
    plane_warp(&j->in, &j->out, &m, INTERPOLATION_BILINEAR, &FILL);
}

static struct point ripple(const void *context, struct point p)
{
    (void)context;
    return (struct point){ 4 * sin(p.y / 20), 4 * cos(p.x / 25) };
}

/* A field of few nodes is rebuilt each time, as for each image: its cost counts. */
static void displace(struct job *j, enum interpolation interpolation)
{
    struct arena arena = { 0 };
    struct frame f = { j->out.width, j->out.height };
    double dx[16], dy[16];
    struct grid grid = { 4, 4, dx, dy };

    for (int i = 0; i < 16; i++) {
        dx[i] = 5 * sin(i);
        dy[i] = 5 * cos(i);
    }
    plane_displace_rows(&j->in, &j->out, grid_field(&arena, f, &grid, GRID_LINEAR), interpolation,
                        &FILL, 0, f.height);
    arena_drop(&arena);
}

static void displace_bilinear(struct job *j)
{
    displace(j, INTERPOLATION_BILINEAR);
}

static void displace_nearest(struct job *j)
{
    displace(j, INTERPOLATION_NEAREST);
}

/* A node on every pixel. */
static void displace_dense(struct job *j)
{
    static struct arena arena;
    static const struct field *field;
    struct frame f = { j->out.width, j->out.height };

    if (!field) {
        size_t n = (size_t)f.width * (size_t)f.height;
        float *dx = ARENA_ARRAY(&arena, float, n), *dy = ARENA_ARRAY(&arena, float, n);

        for (size_t i = 0; i < n; i++) {
            struct point d = ripple(NULL, (struct point){ (double)(i % (size_t)f.width),
                                                          (double)(i / (size_t)f.width) });

            dx[i] = (float)d.x;
            dy[i] = (float)d.y;
        }
        field = field_make(&arena, f, f.width, f.height, (struct point){ 0.5, 0.5 },
                           (struct point){ 1, 1 }, dx, dy);
    }
    plane_displace_rows(&j->in, &j->out, field, INTERPOLATION_BILINEAR, &FILL, 0, f.height);
}

static void resize_bilinear(struct job *j)
{
    plane_resize(&j->in, &j->out, INTERPOLATION_BILINEAR, true);
}

static void resize_bicubic(struct job *j)
{
    plane_resize(&j->in, &j->out, INTERPOLATION_BICUBIC, true);
}

static void convolve(struct job *j, int n)
{
    float k[23], sum = 0;

    for (int i = 0; i < n; i++)
        sum += k[i] = expf(-(float)((i - n / 2) * (i - n / 2)) * 8 / (float)(n * n));
    for (int i = 0; i < n; i++)
        k[i] /= sum;
    plane_convolve(&j->in, &j->out, k, n, k, n);
}

static void convolve_5(struct job *j)
{
    convolve(j, 5);
}

static void convolve_23(struct job *j)
{
    convolve(j, 23);
}

static void sharpness(struct job *j)
{
    plane_sharpness(&j->in, &j->out, 2);
}

static void box_5(struct job *j)
{
    plane_box(&j->in, &j->out, 5, 5);
}

static void box_23(struct job *j)
{
    plane_box(&j->in, &j->out, 23, 23);
}

static void median_3(struct job *j)
{
    plane_median(&j->in, &j->out, 3, j->pool);
}

static void median_5(struct job *j)
{
    plane_median(&j->in, &j->out, 5, j->pool);
}

static void median_7(struct job *j)
{
    plane_median(&j->in, &j->out, 7, j->pool);
}

static void median_15(struct job *j)
{
    plane_median(&j->in, &j->out, 15, j->pool);
}

static void median_31(struct job *j)
{
    plane_median(&j->in, &j->out, 31, j->pool);
}

/* About as many taps as a line of 7 pixels has. */
static void taps_20(struct job *j)
{
    struct tap tap[20];

    for (int i = 0; i < 20; i++)
        tap[i] = (struct tap){ i / 3 - 3, i / 5 - 2, 0.05f };
    plane_convolve_taps(&j->in, &j->out, tap, 20, j->pool);
}

/* 3 x 3 without the corners, and 15 x 15. */
static void morphology_3(struct job *j)
{
    plane_morphology(&j->in, &j->out, (struct frame){ 3, 3 }, true);
}

static void morphology_15(struct job *j)
{
    plane_morphology(&j->in, &j->out, (struct frame){ 15, 15 }, false);
}

static void bilateral_9(struct job *j)
{
    plane_bilateral(&j->in, &j->out, 4, 60, 3, j->pool);
}

static void aberration(struct job *j)
{
    plane_aberration(&j->in, &j->out, &(struct lens_channel){ 0.02, 0.01 },
                     &(struct lens_channel){ -0.02, 0 }, INTERPOLATION_BILINEAR);
}

static void superpixels(struct job *j)
{
    plane_superpixels(&j->in, &j->out, &(struct superpixels){ 100, 0.5, 1 });
}

static void clahe(struct job *j)
{
    plane_clahe(&j->in, &j->out, 4, 8, 8, j->pool);
}

static void unsharp(struct job *j)
{
    plane_unsharp(&j->in, &j->out, (const float[5]){ 0.1f, 0.2f, 0.4f, 0.2f, 0.1f }, 5, 0.5f, 10,
                  j->pool);
}

static void downscale(struct job *j)
{
    plane_downscale(&j->in, &j->out, (struct frame){ j->in.width / 4, j->in.height / 4 },
                    INTERPOLATION_NEAREST, INTERPOLATION_NEAREST, true, j->pool);
}

static void jpeg_75(struct job *j)
{
    plane_jpeg(&j->in, &j->out, 75, j->pool);
}

static void remap_flip(struct job *j)
{
    for (int x = 0; x < j->out.width; x++)
        j->col[x] = j->in.width - 1 - x;
    for (int y = 0; y < j->out.height; y++)
        j->row[y] = y;
    plane_remap(&j->in, &j->out, j->col, j->row, false, &FILL);
}

static void remap_turn(struct job *j)
{
    for (int y = 0; y < j->out.height; y++)
        j->col[y] = j->in.width - 1 - y;
    for (int x = 0; x < j->out.width; x++)
        j->row[x] = x;
    plane_remap(&j->in, &j->out, j->col, j->row, true, &FILL);
}

static void remap_crop(struct job *j)
{
    for (int x = 0; x < j->out.width; x++)
        j->col[x] = x + 7;
    for (int y = 0; y < j->out.height; y++)
        j->row[y] = y + 5;
    plane_remap(&j->in, &j->out, j->col, j->row, false, &FILL);
}

static void resize_nearest(struct job *j)
{
    for (int x = 0; x < j->out.width; x++)
        j->col[x] = resize_index(x, j->in.width, j->out.width);
    for (int y = 0; y < j->out.height; y++)
        j->row[y] = resize_index(y, j->in.height, j->out.height);
    plane_remap(&j->in, &j->out, j->col, j->row, false, &FILL);
}

static void table(struct job *j)
{
    plane_table(&j->in, &j->out, j->table);
}

static void brighter(const void *context, float *restrict r, float *restrict g, float *restrict b,
                     int n)
{
    float by = *(const float *)context;

    for (int i = 0; i < n; i++) {
        r[i] *= by;
        g[i] *= by;
        b[i] *= by;
    }
}

static void colour(struct job *j)
{
    plane_colour(&j->in, &j->out, brighter, &(float){ 1.1f });
}

static void luma(struct job *j)
{
    sink = plane_luma_sum(&j->in);
}

static void paint(struct job *j)
{
    plane_paint(&j->out, 0, 0, j->out.width, j->out.height, &FILL, false, 0);
}

static void paint_noise(struct job *j)
{
    plane_paint(&j->out, 0, 0, j->out.width, j->out.height, &FILL, true, 5);
}

#define VGA                                                                                        \
    {                                                                                              \
        640, 480                                                                                   \
    }
static const struct row {
    const char *name;
    loop_fn *run;
    enum pixel_type type;
    int channels;
    struct frame in, out;
} LOOPS[] = {
    { "warp bilinear", warp_bilinear, PIXEL_U8, 1, VGA, VGA },
    { "warp bilinear", warp_bilinear, PIXEL_U8, 2, VGA, VGA },
    { "warp bilinear", warp_bilinear, PIXEL_U8, 3, VGA, VGA },
    { "warp bilinear", warp_bilinear, PIXEL_U8, 4, VGA, VGA },
    { "warp bilinear", warp_bilinear, PIXEL_U16, 3, VGA, VGA },
    { "warp bilinear", warp_bilinear, PIXEL_F32, 3, VGA, VGA },
    { "warp projective", warp_projective, PIXEL_U8, 3, VGA, VGA },
    { "warp nearest", warp_nearest, PIXEL_U8, 1, VGA, VGA },
    { "warp nearest", warp_nearest, PIXEL_U8, 3, VGA, VGA },
    { "displace bilinear", displace_bilinear, PIXEL_U8, 1, VGA, VGA },
    { "displace bilinear", displace_bilinear, PIXEL_U8, 3, VGA, VGA },
    { "displace bilinear", displace_bilinear, PIXEL_U16, 3, VGA, VGA },
    { "displace dense", displace_dense, PIXEL_U8, 1, VGA, VGA },
    { "displace dense", displace_dense, PIXEL_U8, 3, VGA, VGA },
    { "displace nearest", displace_nearest, PIXEL_U8, 1, VGA, VGA },
    { "displace nearest", displace_nearest, PIXEL_U8, 3, VGA, VGA },
    { "resize bilinear up", resize_bilinear, PIXEL_U8, 1, { 400, 300 }, { 512, 512 } },
    { "resize bilinear up", resize_bilinear, PIXEL_U8, 3, { 400, 300 }, { 512, 512 } },
    { "resize bilinear up", resize_bilinear, PIXEL_U8, 4, { 400, 300 }, { 512, 512 } },
    { "resize bicubic up", resize_bicubic, PIXEL_U8, 3, { 400, 300 }, { 512, 512 } },
    { "resize bilinear down 2", resize_bilinear, PIXEL_U8, 3, VGA, { 320, 240 } },
    { "resize bilinear down 4", resize_bilinear, PIXEL_U8, 3, { 1280, 960 }, { 320, 240 } },
    { "resize bicubic down 2", resize_bicubic, PIXEL_U8, 3, VGA, { 320, 240 } },
    { "resize bilinear down 2", resize_bilinear, PIXEL_U8, 1, VGA, { 320, 240 } },
    { "resize bilinear down 2", resize_bilinear, PIXEL_F32, 3, VGA, { 320, 240 } },
    { "resize nearest up", resize_nearest, PIXEL_U8, 3, { 400, 300 }, { 512, 512 } },
    { "convolve 5", convolve_5, PIXEL_U8, 1, VGA, VGA },
    { "convolve 5", convolve_5, PIXEL_U8, 3, VGA, VGA },
    { "convolve 23", convolve_23, PIXEL_U8, 3, VGA, VGA },
    { "convolve 23", convolve_23, PIXEL_F32, 3, VGA, VGA },
    { "sharpness", sharpness, PIXEL_U8, 1, VGA, VGA },
    { "sharpness", sharpness, PIXEL_U8, 3, VGA, VGA },
    { "sharpness", sharpness, PIXEL_U16, 3, VGA, VGA },
    { "box 5", box_5, PIXEL_U8, 3, VGA, VGA },
    { "box 5", box_5, PIXEL_U16, 3, VGA, VGA },
    { "box 23", box_23, PIXEL_U8, 3, VGA, VGA },
    { "median 3", median_3, PIXEL_U8, 1, VGA, VGA },
    { "median 3", median_3, PIXEL_U8, 3, VGA, VGA },
    { "median 3", median_3, PIXEL_U16, 3, VGA, VGA },
    { "median 5", median_5, PIXEL_U8, 1, VGA, VGA },
    { "median 5", median_5, PIXEL_U8, 3, VGA, VGA },
    { "median 5", median_5, PIXEL_U16, 3, VGA, VGA },
    { "median 7", median_7, PIXEL_U8, 1, VGA, VGA },
    { "median 7", median_7, PIXEL_U8, 3, VGA, VGA },
    { "median 7", median_7, PIXEL_U16, 3, VGA, VGA },
    { "median 15", median_15, PIXEL_U8, 1, VGA, VGA },
    { "median 15", median_15, PIXEL_U8, 3, VGA, VGA },
    { "median 31", median_31, PIXEL_U8, 1, VGA, VGA },
    { "median 31", median_31, PIXEL_U8, 3, VGA, VGA },
    { "median 31", median_31, PIXEL_U16, 3, VGA, VGA },
    { "taps 20", taps_20, PIXEL_U8, 3, VGA, VGA },
    { "morphology 3", morphology_3, PIXEL_U8, 3, VGA, VGA },
    { "morphology 15", morphology_15, PIXEL_U8, 3, VGA, VGA },
    { "bilateral 9", bilateral_9, PIXEL_U8, 3, VGA, VGA },
    { "aberration", aberration, PIXEL_U8, 3, VGA, VGA },
    { "superpixels 100", superpixels, PIXEL_U8, 3, VGA, VGA },
    { "clahe", clahe, PIXEL_U8, 1, VGA, VGA },
    { "clahe", clahe, PIXEL_U8, 3, VGA, VGA },
    { "clahe", clahe, PIXEL_U16, 1, VGA, VGA },
    { "unsharp mask", unsharp, PIXEL_U8, 3, VGA, VGA },
    { "downscale", downscale, PIXEL_U8, 3, VGA, VGA },
    { "jpeg", jpeg_75, PIXEL_U8, 3, VGA, VGA },
    { "remap flip", remap_flip, PIXEL_U8, 1, VGA, VGA },
    { "remap flip", remap_flip, PIXEL_U8, 3, VGA, VGA },
    { "remap flip", remap_flip, PIXEL_U8, 4, VGA, VGA },
    { "remap turn", remap_turn, PIXEL_U8, 1, VGA, { 480, 640 } },
    { "remap turn", remap_turn, PIXEL_U8, 3, VGA, { 480, 640 } },
    { "remap crop", remap_crop, PIXEL_U8, 3, VGA, { 512, 384 } },
    { "table", table, PIXEL_U8, 1, VGA, VGA },
    { "table", table, PIXEL_U8, 3, VGA, VGA },
    { "table", table, PIXEL_U16, 3, VGA, VGA },
    { "colour function", colour, PIXEL_U8, 3, VGA, VGA },
    { "colour function", colour, PIXEL_F32, 3, VGA, VGA },
    { "luma", luma, PIXEL_U8, 3, VGA, VGA },
    { "paint", paint, PIXEL_U8, 3, VGA, VGA },
    { "paint noise", paint_noise, PIXEL_U8, 3, VGA, VGA },
};
enum { LOOP_COUNT = sizeof LOOPS / sizeof *LOOPS };

/* Two runs in a row, the better counts: the first brings the planes back into the caches. */
static double timed(const struct row *r, struct job *j)
{
    double best = 1e300;

    for (int i = 0; i < 2; i++) {
        double start = now(), spent;

        r->run(j);
        spent = now() - start;
        best = spent < best ? spent : best;
    }
    return best;
}

static void measure(const struct row *r, struct pool *pool, double *spent, double *copied)
{
    struct job j = { .in = pool_plane(pool, r->in, r->channels, r->type),
                     .out = pool_plane(pool, r->out, r->channels, r->type),
                     .pool = pool };
    size_t entries = 3 * 65536;
    uint16_t *entry = memory_take(entries * sizeof *entry);

    for (size_t i = 0; i < entries; i++)
        entry[i] = (uint16_t)(i * 31);
    j.table = entry;
    j.col = memory_take((size_t)(r->out.width + r->out.height) * sizeof *j.col);
    j.row = memory_take((size_t)(r->out.width + r->out.height) * sizeof *j.row);
    draw(&j.in);
    *spent = timed(r, &j);
    memset(j.out.px, 0, plane_bytes(&j.out));
    *copied =
        timed_copy(j.out.px, (char *)j.out.px + plane_bytes(&j.out) / 2, plane_bytes(&j.out) / 2) *
        2;
    free(entry);
    free(j.col);
    free(j.row);
    pool_return(pool, &j.in);
    pool_return(pool, &j.out);
}

int main(int argc, char **argv)
{
    static const char *const TYPES[] = { "u8", "u16", "f32" };
    int rounds = argc > 1 ? atoi(argv[1]) : 15;
    const char *word = argc > 2 ? argv[2] : "";
    double *spent, *copied;
    struct pool pool = { 0 };

    if (rounds < 1)
        return 2;
    spent = memory_take((size_t)rounds * LOOP_COUNT * sizeof *spent);
    copied = memory_take((size_t)rounds * LOOP_COUNT * sizeof *copied);
    for (int n = 0; n < rounds; n++)
        for (int i = 0; i < LOOP_COUNT; i++)
            if (strstr(LOOPS[i].name, word))
                measure(&LOOPS[i], &pool, &spent[i * rounds + n], &copied[i * rounds + n]);
    printf("%-24s %-5s %5s %9s %9s %9s\n", "loop", "type", "channels", "ms", "ns/pixel", "copies");
    for (int i = 0; i < LOOP_COUNT; i++) {
        const struct row *r = &LOOPS[i];
        double ns, copy;

        if (!strstr(r->name, word))
            continue;
        ns = median(&spent[i * rounds], rounds);
        copy = median(&copied[i * rounds], rounds);
        printf("%-24s %-5s %5d %9.3f %9.2f %9.1f\n", r->name, TYPES[r->type], r->channels, ns / 1e6,
               ns / ((double)r->out.width * r->out.height), ns / copy);
    }
    free(spent);
    free(copied);
    pool_drop(&pool);
    return 0;
}
