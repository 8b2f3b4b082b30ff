/* elastic: displaces every pixel by noise smoothed with a Gaussian. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include "pixels/filters.h"
#include "pixels/samples.h"

struct params {
    struct list alpha, sigma;
    int64_t key;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    LIST(struct params, alpha, .preset = "50", .least = 1, .most = 2, .limit = { 0, 100000 },
         .usual = { 10, 40 },
         .help = "strength, [x, y] or one number for both: before smoothing, displacements are "
                 "uniform in -alpha/2..alpha/2 pixels, as in torchvision"),
    LIST(struct params, sigma, .preset = "5", .least = 1, .most = 2, .unit = "pixels",
         .limit = { 0, 200 }, .usual = { 5, 8 },
         .help = "standard deviation of the smoothing along x and y; 0: none. If alpha exceeds "
                 "about 5 * sigma^2, the image may fold: outlines become RLE of the visible "
                 "part, and keypoints follow the nearest place that shows them"),
    KEY_ROW(struct params),
    FIELD_ROWS(struct params),
    ROWS_END,
};

/* Returns the distance of nodes in pixels: the noise is smooth between them. */
static int spacing(double sigma, int pixels)
{
    int n = (int)(sigma / 4);

    return n < 1 ? 1 : n < pixels ? n : pixels;
}

/* Returns the width of torchvision's kernel: 8 sigma, made odd. */
static int taps_of(double sigma)
{
    return sigma > 0 ? (int)(8 * sigma + 1) | 1 : 1;
}

/* Settings for the displacements of all nodes, along x or along y. */
struct nodes {
    struct frame frame;
    int columns, rows, across, down; /* `across` and `down`: pixels from one node to the next */
    float alpha;
    float *d; /* rows of columns + 1 values, as in a field */
};

/* Returns the pixel of the last node. Beyond the last pixel, the smoothed noise is mirrored, as the
 * noise was. */
static int last_pixel(int nodes, int apart, int pixels)
{
    return mirrored((nodes - 1) * apart, pixels);
}

static void fill_nodes(const struct nodes *n, int j, const float *line)
{
    float *to = n->d + (size_t)j * (size_t)(n->columns + 1);

    for (int i = 0; i < n->columns - 1; i++)
        to[i] = (line[i * n->across] - 0.5f) * n->alpha;
    to[n->columns - 1] = to[n->columns] =
        (line[last_pixel(n->columns, n->across, n->frame.width)] - 0.5f) * n->alpha;
}

/* A noise_row_fn; skips rows of pixels without a node. */
static bool take_row(void *context, int y, const float *line)
{
    const struct nodes *n = context;
    bool regular = y % n->down == 0 && y / n->down < n->rows - 1;
    bool last = y == last_pixel(n->rows, n->down, n->frame.height);

    if (line && regular)
        fill_nodes(n, y / n->down, line);
    if (line && last)
        fill_nodes(n, n->rows - 1, line);
    return regular || last;
}

/* Makes the displacements: uniform in 0..1, smoothed with mirrored borders, and scaled by alpha. */
static const float *displacements(const struct scene *scene, struct nodes n, const double sigma[2],
                                  double alpha, uint32_t key)
{
    int nx = taps_of(sigma[0]), ny = taps_of(sigma[1]);
    const float one = 1;

    n.alpha = (float)alpha;
    n.d = ARENA_ARRAY(scene->arena, float, (size_t)(n.columns + 1) * (size_t)n.rows);
    noise_convolve(scene->frame, key, nx > 1 ? gaussian_kernel(scene->arena, nx, sigma[0]) : &one,
                   nx, ny > 1 ? gaussian_kernel(scene->arena, ny, sigma[1]) : &one, ny, take_row,
                   &n);
    return n.d;
}

/* Returns the number of nodes, so that the last pixel's center is not beyond the last node. */
static int count(int pixels, int apart)
{
    return (pixels - 1 + apart - 1) / apart + 1;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double sigma[2] = { p->sigma.at[0], p->sigma.at[p->sigma.n - 1] };
    struct nodes n = { .frame = scene->frame,
                       .across = spacing(sigma[0], scene->frame.width),
                       .down = spacing(sigma[1], scene->frame.height) };
    uint32_t key = (uint32_t)p->key;
    const float *dx, *dy;

    if (p->alpha.at[0] == 0 && p->alpha.at[p->alpha.n - 1] == 0)
        return true;
    n.columns = count(scene->frame.width, n.across);
    n.rows = count(scene->frame.height, n.down);
    dx = displacements(scene, n, sigma, p->alpha.at[0], key);
    dy = displacements(scene, n, sigma, p->alpha.at[p->alpha.n - 1], ~key);
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_field(scene, out,
                        field_of_rows(scene->arena, scene->frame, n.columns, n.rows,
                                      (struct point){ 0.5, 0.5 },
                                      (struct point){ n.across, n.down }, dx, dy),
                        (enum interpolation)p->interpolation);
}

const struct op elastic_op = {
    .name = "elastic",
    .summary = "displace pixels by smoothed noise; works for images of any size",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"elastic\", \"alpha\": 150, \"sigma\": 6, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_FIELD,
    .effect = EFFECT_MOVES,
    .resolve = resolve,
};
