/* convolve: separable convolution with borders mirrored without repeating the edge. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>

/* Adds up to nine rows to the sum at once, n samples from `at` on. So the sum is read and written
 * less often. 3 x 3 kernels have nine rows. */
ALWAYS_INLINE void weigh(const void *const *row, enum pixel_type type, const float *weight,
                         int count, bool first, float *restrict sum, size_t at, size_t n)
{
    const void *r[9];
    float w[9];

    for (int k = 0; k < 9; k++) {
        r[k] = row[k < count ? k : 0];
        w[k] = weight[k < count ? k : 0];
    }
    for (size_t i = 0; i < n; i++) {
        float s = w[0] * sample_load(r[0], type, at + i);

        s = first ? s : sum[i] + s;
        s = count > 1 ? s + w[1] * sample_load(r[1], type, at + i) : s;
        s = count > 2 ? s + w[2] * sample_load(r[2], type, at + i) : s;
        s = count > 3 ? s + w[3] * sample_load(r[3], type, at + i) : s;
        s = count > 4 ? s + w[4] * sample_load(r[4], type, at + i) : s;
        s = count > 5 ? s + w[5] * sample_load(r[5], type, at + i) : s;
        s = count > 6 ? s + w[6] * sample_load(r[6], type, at + i) : s;
        s = count > 7 ? s + w[7] * sample_load(r[7], type, at + i) : s;
        s = count > 8 ? s + w[8] * sample_load(r[8], type, at + i) : s;
        sum[i] = s;
    }
}

ALWAYS_INLINE void weigh_up_to_eight(const void *const *row, enum pixel_type type,
                                     const float *weight, int count, bool first, float *sum,
                                     size_t at, size_t n)
{
    switch (count) {
    case 1:
        weigh(row, type, weight, 1, first, sum, at, n);
        break;
    case 2:
        weigh(row, type, weight, 2, first, sum, at, n);
        break;
    case 3:
        weigh(row, type, weight, 3, first, sum, at, n);
        break;
    case 4:
        weigh(row, type, weight, 4, first, sum, at, n);
        break;
    case 5:
        weigh(row, type, weight, 5, first, sum, at, n);
        break;
    case 6:
        weigh(row, type, weight, 6, first, sum, at, n);
        break;
    case 7:
        weigh(row, type, weight, 7, first, sum, at, n);
        break;
    default:
        weigh(row, type, weight, 8, first, sum, at, n);
    }
}

ALWAYS_INLINE void weigh_all(const void *const *row, enum pixel_type type, const float *weight,
                             int count, float *sum, size_t at, size_t n)
{
    if (count == 9) {
        weigh(row, type, weight, 9, true, sum, at, n);
        return;
    }
    weigh_up_to_eight(row, type, weight, count, true, sum, at, n);
    for (int k = 8; k < count; k += 8)
        weigh_up_to_eight(row + k, type, weight + k, count - k, false, sum, at, n);
}

VARIANTS void samples_weigh(const void *const *row, enum pixel_type type, const float *weight,
                            int count, void *to, enum pixel_type to_type, size_t n)
{
    enum { PIECE = 512 };
    float part[PIECE];

    for (size_t at = 0, k; at < n; at += k) {
        float *sum = to_type == PIXEL_F32 ? (float *)to + at : part;

        k = n - at < PIECE ? n - at : PIECE;
        switch (type) {
        case PIXEL_U8:
            weigh_all(row, PIXEL_U8, weight, count, sum, at, k);
            break;
        case PIXEL_U16:
            weigh_all(row, PIXEL_U16, weight, count, sum, at, k);
            break;
        case PIXEL_F32:
            weigh_all(row, PIXEL_F32, weight, count, sum, at, k);
        }
        if (to_type != PIXEL_F32)
            row_store(part, to_type, (char *)to + at * pixel_type_size(to_type), k);
    }
}

/* State of a convolution. Rows are convolved along x into a ring, and down the ring when they are
 * requested. */
struct convolution {
    const struct plane *in; /* NULL: noise of the key */
    enum pixel_type type;   /* of the source rows */
    int width, height, channels;
    uint32_t key;
    const float *x, *y;
    int nx, ny;
    size_t n;      /* samples in a row */
    int made;      /* number of rows made so far; the first one is ny / 2 above the plane */
    float *padded; /* a source row with nx / 2 mirrored pixels on either side */
    float *ring;
    const void **row;
};

/* Writes source row v as floats: of a plane, or of noise, for which there is no plane. */
static void source_row(const struct convolution *w, int v, float *to)
{
    if (w->in) {
        const void *source = plane_row(w->in, v);

        samples_weigh(&source, w->type, &(float){ 1 }, 1, to, PIXEL_F32, w->n);
    } else {
        struct plane line = { .px = to,
                              .type = PIXEL_F32,
                              .width = w->width,
                              .height = 1,
                              .channels = 1,
                              .stride = w->n * sizeof *to };

        plane_paint(&line, 0, -v, w->width, v + 1, &(struct fill){ .channel = { 0 } }, true,
                    w->key);
    }
}

/* Convolves row v along x; v is an index in the mirrored plane. */
static void convolve_row(const struct convolution *w, int v, float *out)
{
    int half = w->nx / 2, channels = w->channels;
    float *middle = w->padded + (size_t)half * (size_t)channels;

    source_row(w, mirrored(v, w->height), middle);
    row_mirror(middle, (size_t)channels * sizeof *middle, w->width, half);
    for (int k = 0; k < w->nx; k++)
        w->row[k] = w->padded + (size_t)k * (size_t)channels;
    samples_weigh(w->row, PIXEL_F32, w->x, w->nx, out, PIXEL_F32, w->n);
}

static void convolve_begin(struct convolution *w)
{
    int max_taps = w->nx > w->ny ? w->nx : w->ny;

    w->n = (size_t)w->width * (size_t)w->channels;
    w->padded =
        memory_take(((size_t)w->width + (size_t)w->nx) * (size_t)w->channels * sizeof(float));
    w->row = memory_take((size_t)max_taps * sizeof *w->row);
    w->ring = memory_take((size_t)w->ny * w->n * sizeof *w->ring);
}

/* Computes row i; rows must be requested in rising order. */
static void convolve_down(struct convolution *w, int i, void *to, enum pixel_type type)
{
    int ny = w->ny;

    for (; w->made < i + ny; w->made++)
        convolve_row(w, w->made - ny / 2, w->ring + (size_t)(w->made % ny) * w->n);
    for (int k = 0; k < ny; k++)
        w->row[k] = w->ring + (size_t)((i + k) % ny) * w->n;
    samples_weigh(w->row, PIXEL_F32, w->y, ny, to, type, w->n);
}

static void convolve_end(struct convolution *w)
{
    free(w->padded);
    free(w->row);
    free(w->ring);
}

void plane_convolve(const struct plane *in, struct plane *out, const float *x, int nx,
                    const float *y, int ny)
{
    struct convolution w = { .in = in,
                             .type = in->type,
                             .width = in->width,
                             .height = in->height,
                             .channels = in->channels,
                             .x = x,
                             .y = y,
                             .nx = nx,
                             .ny = ny };

    if (convolve_bytes(in, out, x, nx, y, ny))
        return;
    convolve_begin(&w);
    for (int i = 0; i < in->height; i++) {
        convolve_down(&w, i, plane_row(out, i), in->type);
        row_copy_alpha(in, out, i);
    }
    convolve_end(&w);
}

void noise_convolve(struct frame frame, uint32_t key, const float *x, int nx, const float *y,
                    int ny, noise_row_fn *row, void *context)
{
    struct convolution w = { .type = PIXEL_F32,
                             .width = frame.width,
                             .height = frame.height,
                             .channels = 1,
                             .key = key,
                             .x = x,
                             .y = y,
                             .nx = nx,
                             .ny = ny };
    float *line = memory_take((size_t)frame.width * sizeof *line);

    convolve_begin(&w);
    for (int i = 0; i < frame.height; i++)
        if (row(context, i, NULL)) {
            convolve_down(&w, i, line, PIXEL_F32);
            row(context, i, line);
        }
    convolve_end(&w);
    free(line);
}

const float *gaussian_kernel(struct arena *arena, int n, double sigma)
{
    float *weight = ARENA_ARRAY(arena, float, (size_t)n);
    double sum = 0;

    for (int i = 0; i < n; i++) {
        double d = i - (n - 1) / 2.;

        weight[i] = (float)exp(-d * d / (2 * sigma * sigma));
        sum += weight[i];
    }
    for (int i = 0; i < n; i++)
        weight[i] = (float)(weight[i] / sum);
    return weight;
}
