/* composite: draws a plane on another one, and prepares its weights. */
#include "pixels/samples.h"

#include <string.h>

struct fill fill_random(enum pixel_type type, uint32_t key)
{
    struct fill fill = { 0 };

    for (uint32_t b = 0; b < 3; b++) {
        float v[1] = { 0 };

        sample_noise(v, type, 0, hash_mix(b + hash_mix(key)));
        fill.channel[b] = (double)sample_load(v, type, 0);
    }
    return fill;
}

void plane_fill(struct plane *p, const struct fill *fill)
{
    size_t sample = pixel_type_size(p->type), row = (size_t)(p->width * p->channels) * sample;

    for (int x = 0; x < p->width; x++)
        for (int b = 0; b < p->channels; b++)
            sample_store(plane_row(p, 0), p->type, (size_t)(x * p->channels + b),
                         (float)fill->channel[b]);
    for (int y = 1; y < p->height; y++)
        memcpy(plane_row(p, y), plane_row(p, 0), row);
}

void plane_draw(const struct plane *in, struct plane *canvas, int left, int top, double opacity)
{
    int x0 = left > 0 ? left : 0, y0 = top > 0 ? top : 0;
    int x1 = left + in->width < canvas->width ? left + in->width : canvas->width;
    int y1 = top + in->height < canvas->height ? top + in->height : canvas->height;
    const float weight[] = { (float)(1 - opacity), (float)opacity };
    struct plane both[2], below;

    if (x0 >= x1 || y0 >= y1)
        return;
    below = plane_part(canvas, x0, y0, x1 - x0, y1 - y0);
    both[0] = below;
    both[1] = plane_part(in, x0 - left, y0 - top, x1 - x0, y1 - y0);
    if (opacity >= 1)
        plane_copy(&both[1], &below);
    else
        plane_blend(both, weight, 2, &below);
}

/* Draws on one pixel of the canvas: gray or color, with or without alpha. */
ALWAYS_INLINE void overlay_pixel(const float *stamp, float opacity, void *to, size_t at,
                                 int channels, enum pixel_type type)
{
    int colours = channels < 3 ? 1 : 3;
    float unit = (float)pixel_type_max(type) / 255, alpha = stamp[3] * opacity;
    float below = channels == colours
                      ? 1
                      : sample_load(to, type, at + (size_t)colours) / (float)pixel_type_max(type);
    float sum = alpha + below * (1 - alpha);
    float gray = 0.299f * stamp[0] + 0.587f * stamp[1] + 0.114f * stamp[2];

    if (alpha <= 0)
        return;
    for (int c = 0; c < colours; c++) {
        float over = (colours == 1 ? gray : stamp[c]) * opacity * unit;

        sample_store(to, type, at + (size_t)c,
                     (over + sample_load(to, type, at + (size_t)c) * below * (1 - alpha)) / sum);
    }
    if (channels > colours)
        sample_store(to, type, at + (size_t)colours, sum * (float)pixel_type_max(type));
}

void plane_overlay(const struct plane *stamp, struct plane *canvas, int left, int top,
                   double opacity)
{
    int x0 = left > 0 ? left : 0, y0 = top > 0 ? top : 0;
    int x1 = left + stamp->width < canvas->width ? left + stamp->width : canvas->width;
    int y1 = top + stamp->height < canvas->height ? top + stamp->height : canvas->height;

    for (int y = y0; y < y1; y++) {
        const float *from = (const float *)(const void *)plane_row(stamp, y - top);
        void *to = plane_row(canvas, y);

        for (int x = x0; x < x1; x++)
            overlay_pixel(from + 4 * (x - left), (float)opacity, to,
                          (size_t)x * (size_t)canvas->channels, canvas->channels, canvas->type);
    }
}

void plane_premultiply(const struct plane *in, struct plane *out)
{
    int colours = in->channels < 3 ? 1 : 3;
    float unit = 255 / (float)pixel_type_max(in->type);

    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        float *to = (float *)(void *)plane_row(out, y);

        for (int x = 0; x < in->width; x++) {
            size_t at = (size_t)x * (size_t)in->channels;
            float alpha = in->channels == colours
                              ? 1
                              : sample_load(from, in->type, at + (size_t)colours) * unit / 255;

            for (int c = 0; c < 3; c++)
                to[4 * x + c] =
                    sample_load(from, in->type, at + (size_t)(colours == 1 ? 0 : c)) * unit * alpha;
            to[4 * x + 3] = alpha;
        }
    }
}

/* Weights that are tested together: most are 0 or 1 and have equal neighbors. */
enum { BLOCK = 8 };

/* Returns how many weights from index x on are 0. */
ALWAYS_INLINE int stretch_of_none(const float *w, int x, int end)
{
    int begin = x;

    for (; x + BLOCK <= end; x += BLOCK) {
        bool none = true;

        for (int k = 0; k < BLOCK; k++)
            none &= w[x + k] <= 0;
        if (!none)
            break;
    }
    while (x < end && w[x] <= 0)
        x++;
    return x - begin;
}

/* Returns how many weights from index x on are 1. */
ALWAYS_INLINE int stretch_of_whole(const float *w, int x, int end)
{
    int begin = x;

    for (; x + BLOCK <= end; x += BLOCK) {
        bool whole = true;

        for (int k = 0; k < BLOCK; k++)
            whole &= w[x + k] >= 1;
        if (!whole)
            break;
    }
    while (x < end && w[x] >= 1)
        x++;
    return x - begin;
}

/* Blends a pixel with a weight between 0 and 1. */
ALWAYS_INLINE void lay_pixel(const void *from, size_t at, void *to, size_t there, float w,
                             size_t channels, enum pixel_type type)
{
    for (size_t c = 0; c < channels; c++)
        sample_store(to, type, there + c,
                     w * sample_load(from, type, at + c) +
                         (1 - w) * sample_load(to, type, there + c));
}

/* Draws the columns [x0, x1) of a row of the canvas. A weight of 0 leaves the canvas exactly
 * unchanged. */
ALWAYS_INLINE void lay_row(const void *from, void *to, const float *w, int left, int x0, int x1,
                           size_t channels, size_t size, enum pixel_type type)
{
    for (int x = x0 + stretch_of_none(w, x0, x1); x < x1; x += stretch_of_none(w, x, x1)) {
        int whole = stretch_of_whole(w, x, x1);

        memcpy((unsigned char *)to + (size_t)x * channels * size,
               (const unsigned char *)from + (size_t)(x - left) * channels * size,
               (size_t)whole * channels * size);
        for (x += whole; x < x1 && w[x] > 0 && w[x] < 1; x++)
            lay_pixel(from, (size_t)(x - left) * channels, to, (size_t)x * channels, w[x], channels,
                      type);
    }
}

ALWAYS_INLINE void lay_weighted(const struct plane *in, struct plane *canvas, int left, int top,
                                const struct plane *weight, enum pixel_type type)
{
    int x0 = left > 0 ? left : 0, y0 = top > 0 ? top : 0;
    int x1 = left + in->width < canvas->width ? left + in->width : canvas->width;
    int y1 = top + in->height < canvas->height ? top + in->height : canvas->height;
    size_t size = pixel_type_size(type);

    for (int y = y0; y < y1; y++)
        lay_row(plane_row(in, y - top), plane_row(canvas, y),
                (const float *)(void *)plane_row(weight, y), left, x0, x1, (size_t)in->channels,
                size, type);
}

VARIANTS
void plane_draw_weighted(const struct plane *in, struct plane *canvas, int left, int top,
                         const struct plane *weight)
{
    switch (in->type) {
    case PIXEL_U8:
        lay_weighted(in, canvas, left, top, weight, PIXEL_U8);
        break;
    case PIXEL_U16:
        lay_weighted(in, canvas, left, top, weight, PIXEL_U16);
        break;
    case PIXEL_F32:
        lay_weighted(in, canvas, left, top, weight, PIXEL_F32);
        break;
    }
}

void plane_weights(const uint8_t *bitmap, size_t stride, double opacity, bool feathered,
                   struct plane *scratch, struct plane *weight)
{
    /* exp(-x^2 / 8) for x = -2..2, normalized to a sum of 1. */
    static const float kernel[] = { 0.15246914f, 0.22184130f, 0.25137912f, 0.22184130f,
                                    0.15246914f };
    struct plane *sharp = feathered ? scratch : weight;

    for (int y = 0; y < sharp->height; y++) {
        float *to = (float *)(void *)plane_row(sharp, y);

        for (int x = 0; x < sharp->width; x++)
            to[x] = bitmap[(size_t)y * stride + (size_t)x] ? (float)opacity : 0;
    }
    if (feathered)
        plane_convolve(scratch, weight, kernel, 5, kernel, 5);
}

void plane_make_opaque(const struct plane *in, struct plane *out)
{
    size_t pixel = (size_t)in->channels * pixel_type_size(in->type);

    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++) {
            size_t at = (size_t)(x * out->channels);

            memcpy(plane_row(out, y) + at * pixel_type_size(in->type),
                   plane_row(in, y) + (size_t)x * pixel, pixel);
            sample_store(plane_row(out, y), out->type, at + (size_t)in->channels,
                         (float)pixel_type_max(out->type));
        }
}
