/* fast_truth: the pixels that drawn ops would give if no step lost anything. The source is a
 * continuous picture without the frequencies that the coarsest pixel grid of the pipeline cannot
 * hold, and is sampled once. Modes none and fast are measured against this picture. */
#pragma once

#include "geom/map.h"
#include "plan/pass_rows.h"
#include "render_plane.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* The canvas of the transform: the source, in the middle, goes on mirrored around. */
enum { TRUTH_SIDE = 256, TRUTH_LOBES = 4, TRUTH_PHASES = 256 };

/* Red, green, blue and alpha. */
enum { TRUTH_BANDS = 4 };

struct truth {
    struct frame frame;
    int left, top;               /* of the source in the canvas */
    double complex *spectrum[2]; /* of red + i green, and of blue + i alpha */
};

/* --- Fourier transform of a canvas, in place --- */

static inline void fourier_line(double complex *v, size_t step, bool back)
{
    enum { N = TRUTH_SIDE };
    static double complex root[N];
    double complex line[N];

    if (root[0] == 0)
        for (int i = 0; i < N; i++)
            root[i] = cexp(-2 * I * M_PI * i / N);
    for (int i = 0, j = 0; i < N; i++) {
        line[j] = v[(size_t)i * step];
        for (int bit = N >> 1; (j ^= bit) < bit; bit >>= 1)
            ;
    }
    for (int half = 1; half < N; half *= 2)
        for (int begin = 0; begin < N; begin += 2 * half)
            for (int i = 0; i < half; i++) {
                double complex w = root[i * (N / 2 / half)];
                double complex a = line[begin + i];
                double complex b = line[begin + i + half] * (back ? conj(w) : w);

                line[begin + i] = a + b;
                line[begin + i + half] = a - b;
            }
    for (int i = 0; i < N; i++)
        v[(size_t)i * step] = back ? line[i] / N : line[i];
}

static inline void fourier(double complex *v, bool back)
{
    for (size_t i = 0; i < TRUTH_SIDE; i++)
        fourier_line(v + i * TRUTH_SIDE, 1, back);
    for (size_t i = 0; i < TRUTH_SIDE; i++)
        fourier_line(v + i, TRUTH_SIDE, back);
}

static inline int mirrored(int i, int n)
{
    i = ((i % (2 * n)) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
}

/* Takes a plane of four channels of 8 bit, with sides of at most 3/4 of the canvas's. */
static inline struct truth truth_of(const struct plane *p)
{
    struct truth t = { .frame = { p->width, p->height },
                       .left = (TRUTH_SIDE - p->width) / 2,
                       .top = (TRUTH_SIDE - p->height) / 2 };

    for (int k = 0; k < 2; k++)
        t.spectrum[k] = calloc(TRUTH_SIDE * TRUTH_SIDE, sizeof *t.spectrum[k]);
    for (int y = 0; y < TRUTH_SIDE; y++)
        for (int x = 0; x < TRUTH_SIDE; x++) {
            const uint8_t *px = (const uint8_t *)p->px +
                                (size_t)mirrored(y - t.top, p->height) * p->stride +
                                TRUTH_BANDS * (size_t)mirrored(x - t.left, p->width);

            t.spectrum[0][y * TRUTH_SIDE + x] = px[0] + I * px[1];
            t.spectrum[1][y * TRUTH_SIDE + x] = px[2] + I * px[3];
        }
    for (int k = 0; k < 2; k++)
        fourier(t.spectrum[k], false);
    return t;
}

static inline void truth_drop(struct truth *t)
{
    for (int k = 0; k < 2; k++)
        free(t->spectrum[k]);
}

/* --- frequencies that pixel grids can hold --- */

/* Returns the share of a frequency (cycles per source pixel) that a grid keeps whose neighbors are
 * `apart` source pixels apart. The share falls to 0 between its limit and a quarter beyond. */
static inline double kept_share(const struct mat3 *apart, double fx, double fy)
{
    double along = 2 * fabs(apart->m[0] * fx + apart->m[3] * fy);
    double down = 2 * fabs(apart->m[1] * fx + apart->m[4] * fy), most = fmax(along, down);

    return most <= 1.0001 ? 1 : most >= 1.25 ? 0 : 0.5 + 0.5 * cos(M_PI * (most - 1) / 0.25);
}

/* The continuous picture at work: colours of the canvas, four a pixel. */
static inline float *truth_limited(const struct truth *t, const struct resolved_ops *resolved_ops)
{
    size_t n = TRUTH_SIDE * TRUTH_SIDE;
    struct mat3 *grid = calloc(resolved_ops->n + 1, sizeof *grid), whole = MAT3_IDENTITY;
    double complex *work[2] = { malloc(n * sizeof **work), malloc(n * sizeof **work) };
    float *rgb = malloc(TRUTH_BANDS * n * sizeof *rgb);
    size_t n_grids = 0;

    for (size_t i = 0; i < resolved_ops->n; i++) {
        enum family family = resolved_op_family(&resolved_ops->at[i]);

        if (!family_moves(family))
            continue;
        whole = mat3_then(&resolved_ops->at[i].action.map.inverse, &whole);
        if (action_resamples(&resolved_ops->at[i].action))
            grid[n_grids++] = whole;
    }
    for (int y = 0; y < TRUTH_SIDE; y++)
        for (int x = 0; x < TRUTH_SIDE; x++) {
            double fx = (double)(x < TRUTH_SIDE / 2 ? x : x - TRUTH_SIDE) / TRUTH_SIDE;
            double fy = (double)(y < TRUTH_SIDE / 2 ? y : y - TRUTH_SIDE) / TRUTH_SIDE, share = 1;

            for (size_t g = 0; g < n_grids; g++)
                share = fmin(share, kept_share(&grid[g], fx, fy));
            for (int k = 0; k < 2; k++)
                work[k][y * TRUTH_SIDE + x] = share * t->spectrum[k][y * TRUTH_SIDE + x];
        }
    for (int k = 0; k < 2; k++)
        fourier(work[k], true);
    for (size_t i = 0; i < n; i++) {
        double v[TRUTH_BANDS] = { creal(work[0][i]), cimag(work[0][i]), creal(work[1][i]),
                                  cimag(work[1][i]) };

        for (int c = 0; c < TRUTH_BANDS; c++)
            rgb[TRUTH_BANDS * i + (size_t)c] = (float)fmin(255, fmax(0, v[c]));
    }
    free(work[0]);
    free(work[1]);
    free(grid);
    return rgb;
}

static inline const float *lobes_at(double phase)
{
    static float table[TRUTH_PHASES + 1][2 * TRUTH_LOBES];

    if (table[0][TRUTH_LOBES - 1] == 0)
        for (int k = 0; k <= TRUTH_PHASES; k++) {
            double sum = 0;

            for (int i = 0; i < 2 * TRUTH_LOBES; i++) {
                double x = M_PI * (i - TRUTH_LOBES + 1 - (double)k / TRUTH_PHASES);
                double v = fabs(x) < 1e-9 ? 1
                           : fabs(x) >= M_PI * TRUTH_LOBES
                               ? 0
                               : sin(x) / x * sin(x / TRUTH_LOBES) / (x / TRUTH_LOBES);

                table[k][i] = (float)v;
                sum += v;
            }
            for (int i = 0; i < 2 * TRUTH_LOBES; i++)
                table[k][i] /= (float)sum;
        }
    return table[(int)nearbyint(phase * TRUTH_PHASES)];
}

/* The continuous picture at a point of the source, in continuous coordinates. */
static inline void truth_at(const struct truth *t, const float *rgb, struct point p,
                            float out[TRUTH_BANDS])
{
    double x = fmin(t->frame.width + 8, fmax(-8, p.x)) - 0.5 + t->left;
    double y = fmin(t->frame.height + 8, fmax(-8, p.y)) - 0.5 + t->top;
    int left = (int)floor(x), top = (int)floor(y);
    const float *wx = lobes_at(x - left), *wy = lobes_at(y - top);

    out[0] = out[1] = out[2] = out[3] = 0;
    for (int j = 0; j < 2 * TRUTH_LOBES; j++) {
        const float *row = rgb + TRUTH_BANDS * ((size_t)(top + j - TRUTH_LOBES + 1) * TRUTH_SIDE +
                                                (size_t)(left - TRUTH_LOBES + 1));
        float sum[TRUTH_BANDS] = { 0 };

        for (int i = 0; i < 2 * TRUTH_LOBES; i++)
            for (int c = 0; c < TRUTH_BANDS; c++)
                sum[c] += wx[i] * row[TRUTH_BANDS * i + c];
        for (int c = 0; c < TRUTH_BANDS; c++)
            out[c] += wy[j] * sum[c];
    }
    for (int c = 0; c < TRUTH_BANDS; c++)
        out[c] = fminf(255, fmaxf(0, out[c]));
}

/* --- through the drawn ops --- */

/* Where coordinate v of a line of n indices comes from; below 0: from outside. */
static inline double line_back(const int32_t *index, int n, double v)
{
    int k = (int)floor(v);
    bool down;

    k = k < 0 ? 0 : k < n ? k : n - 1;
    if (index[k] < 0)
        return -1;
    down = k + 1 < n && index[k + 1] >= 0 ? index[k + 1] < index[k] : k && index[k] < index[k - 1];
    return index[k] + (down ? 1 - (v - k) : v - k);
}

/* Applies one move backwards; false if the point comes from outside. */
static inline bool move_back(const struct action *a, struct point *p)
{
    if (a->family == FAMILY_INDEX && !action_resamples(a)) {
        bool swap = a->u.index.swap;
        double x =
            line_back(a->u.index.col, swap ? a->out.height : a->out.width, swap ? p->y : p->x);
        double y =
            line_back(a->u.index.row, swap ? a->out.width : a->out.height, swap ? p->x : p->y);

        *p = (struct point){ x, y };
        return x >= 0 && y >= 0;
    }
    *p = mat3_apply(&a->map.inverse, *p);
    if (a->family != FAMILY_MATRIX) {
        p->x = fmin(a->in.width - 1e-9, fmax(0, p->x));
        p->y = fmin(a->in.height - 1e-9, fmax(0, p->y));
    }
    return p->x >= 0 && p->y >= 0 && p->x < a->in.width && p->y < a->in.height;
}

/* A table's entry, on the 0..255 scale: k is a level of the table's. */
static inline float table_entry(const struct action *a, int channel, int k)
{
    const void *table = a->u.table.entries;
    const struct sample_bits *bits = &a->u.table.bits;

    if (!table)
        return (float)((k & bits->keep[channel]) ^ bits->flip[channel]) /
               (a->type == PIXEL_U8 ? 1 : 257);
    return a->type == PIXEL_U8 ? (float)((const uint8_t *)table)[256 * channel + k]
                               : (float)((const uint16_t *)table)[65536 * channel + k] / 257;
}

static inline void recolour_back(const struct action *a, float v[TRUTH_BANDS])
{
    int last = a->type == PIXEL_U8 ? 255 : 65535;

    if (a->family == FAMILY_COLOURS) {
        a->u.colours.fn(a->u.colours.context, &v[0], &v[1], &v[2], 1);
    } else if (a->linear) {
        colour_by_matrix(a->linear, &v[0], &v[1], &v[2], 1);
    } else {
        for (int c = 0; c < 3; c++) {
            float level = v[c] * (float)last / 255;
            int k = (int)level, next = k < last ? k + 1 : k;
            float lo = table_entry(a, c, k);

            v[c] = lo + (level - (float)k) * (table_entry(a, c, next) - lo);
        }
    }
    for (int c = 0; c < 3; c++)
        v[c] = fminf(255, fmaxf(0, v[c]));
}

/* True if a move fills the point of the result; then p is not a point of the source. Otherwise p
 * becomes the point of the source. The actions from *from on must still be applied to its color. */
static inline bool is_filled(const struct action *action, size_t n, struct point *p, size_t *from)
{
    *from = 0;
    for (size_t i = n; i-- > 0;)
        if (family_moves(action[i].family) && !move_back(&action[i], p)) {
            *from = i;
            return true;
        }
    return false;
}

/* The value at a point of the result. */
static inline void truth_value(const struct truth *t, const float *rgb, const struct action *action,
                               size_t n, struct point p, float out[TRUTH_BANDS])
{
    size_t from;

    if (is_filled(action, n, &p, &from))
        for (int c = 0; c < TRUTH_BANDS; c++)
            out[c] = (float)(action[from].fill.channel[c] / pixel_type_unit(action[from].type));
    else
        truth_at(t, rgb, p, out);
    for (size_t i = from; i < n; i++)
        if (action[i].family == FAMILY_TABLE || action[i].family == FAMILY_COLOURS)
            recolour_back(&action[i], out);
}

/* True if an edge of a canvas crosses the pixel, enlarged by `around`: its corners come from
 * different places. */
static inline bool is_crossed(const struct action *action, size_t n, int x, int y, double around)
{
    double lo = 0.001 - around, hi = 0.999 + around;
    size_t from[4];

    for (int k = 0; k < 4; k++) {
        struct point corner = { x + (k & 1 ? hi : lo), y + (k & 2 ? hi : lo) };

        if (!is_filled(action, n, &corner, &from[k]))
            from[k] = n;
        if (from[k] != from[0])
            return true;
    }
    return false;
}

enum { TRUTH_PARTS = 16 }; /* of a pixel's side */

/* A pixel that an edge crosses: its parts from each place, by the value in their middle. */
static inline void truth_crossed(const struct truth *t, const float *rgb,
                                 const struct action *action, size_t n, int x, int y, float *out)
{
    struct {
        struct point sum;
        int parts;
    } place[16] = { 0 };
    float v[TRUTH_BANDS];

    for (int k = 0; k < TRUTH_PARTS * TRUTH_PARTS; k++) {
        struct point p = { x + (k % TRUTH_PARTS + 0.5) / TRUTH_PARTS,
                           y + (k / TRUTH_PARTS + 0.5) / TRUTH_PARTS },
                     at = p;
        size_t from;

        if (!is_filled(action, n, &at, &from))
            from = n;
        place[from % 16].sum.x += p.x;
        place[from % 16].sum.y += p.y;
        place[from % 16].parts++;
    }
    for (int i = 0; i < 16; i++) {
        double parts = place[i].parts;

        if (parts > 0)
            truth_value(t, rgb, action, n,
                        (struct point){ place[i].sum.x / parts, place[i].sum.y / parts }, v);
        for (int c = 0; c < TRUTH_BANDS && parts > 0; c++)
            out[c] += v[c] * (float)(parts / (TRUTH_PARTS * TRUTH_PARTS));
    }
}

/* The result, 4 floats a pixel, malloc'd; the actions are resolved, one of each op. */
static inline float *truth_render(const struct truth *t, const struct resolved_ops *resolved_ops,
                                  const struct action *action, struct frame out)
{
    float *rgb = truth_limited(t, resolved_ops);
    float *to = calloc((size_t)out.width * (size_t)out.height * TRUTH_BANDS, sizeof *to);

    for (int y = 0; y < out.height; y++)
        for (int x = 0; x < out.width; x++) {
            float *at = to + TRUTH_BANDS * ((size_t)y * (size_t)out.width + (size_t)x);

            if (!is_crossed(action, resolved_ops->n, x, y, 0)) {
                truth_value(t, rgb, action, resolved_ops->n, (struct point){ x + 0.5, y + 0.5 },
                            at);
                continue;
            }
            truth_crossed(t, rgb, action, resolved_ops->n, x, y, at);
        }
    free(rgb);
    return to;
}
