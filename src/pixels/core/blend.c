/* blend: weighted sums of planes, and planes over a color. */
#include "pixels/samples.h"

enum { PIECE = 1024 }; /* samples whose sums stay in the nearest cache */

ALWAYS_INLINE void add_samples(const void *in, enum pixel_type type, float weight, size_t n,
                               float *restrict sum)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += weight * sample_load(in, type, i);
}

ALWAYS_INLINE void store_samples(void *out, enum pixel_type type, size_t n,
                                 const float *restrict sum)
{
    for (size_t i = 0; i < n; i++)
        sample_store(out, type, i, sum[i]);
}

ALWAYS_INLINE void blend_piece(const struct plane *in, const float *weight, size_t n_planes,
                               struct plane *out, enum pixel_type type, int y, size_t first,
                               size_t n)
{
    size_t skip = first * pixel_type_size(type);
    float sum[PIECE] = { 0 };

    for (size_t k = 0; k < n_planes; k++)
        add_samples(plane_row(&in[k], y) + skip, type, weight[k], n, sum);
    store_samples(plane_row(out, y) + skip, type, n, sum);
}

ALWAYS_INLINE void blend(const struct plane *in, const float *weight, size_t n, struct plane *out,
                         enum pixel_type type)
{
    size_t samples = (size_t)out->width * (size_t)out->channels;

    for (int y = 0; y < out->height; y++)
        for (size_t at = 0; at < samples; at += PIECE)
            blend_piece(in, weight, n, out, type, y, at,
                        samples - at < PIECE ? samples - at : PIECE);
}

VARIANTS
void plane_blend(const struct plane *in, const float *weight, size_t n, struct plane *out)
{
    switch (out->type) {
    case PIXEL_U8:
        blend(in, weight, n, out, PIXEL_U8);
        break;
    case PIXEL_U16:
        blend(in, weight, n, out, PIXEL_U16);
        break;
    case PIXEL_F32:
        blend(in, weight, n, out, PIXEL_F32);
        break;
    }
}

ALWAYS_INLINE void flatten(const struct plane *in, const struct fill *fill, struct plane *out,
                           enum pixel_type type, int colours)
{
    float max = (float)pixel_type_max(type);

    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        void *to = plane_row(out, y);

        for (size_t x = 0; x < (size_t)in->width; x++) {
            size_t at = x * ((size_t)colours + 1);
            float alpha = sample_load(from, type, at + (size_t)colours) / max;

            for (size_t b = 0; b < (size_t)colours; b++)
                sample_store(to, type, x * (size_t)colours + b,
                             alpha * sample_load(from, type, at + b) +
                                 (1 - alpha) * (float)fill->channel[b]);
        }
    }
}

VARIANTS
void plane_flatten(const struct plane *in, const struct fill *fill, struct plane *out)
{
    switch (in->type) {
    case PIXEL_U8:
        flatten(in, fill, out, PIXEL_U8, out->channels);
        break;
    case PIXEL_U16:
        flatten(in, fill, out, PIXEL_U16, out->channels);
        break;
    case PIXEL_F32:
        flatten(in, fill, out, PIXEL_F32, out->channels);
        break;
    }
}
