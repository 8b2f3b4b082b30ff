/* paint: the bytes of a fill, and rectangles painted with a fill or with noise. */
#include "pixels/samples.h"

#include <string.h>

void fill_bytes(const struct fill *fill, enum pixel_type type, int channels, unsigned char *pixel)
{
    float aligned[4];

    for (int b = 0; b < channels; b++)
        sample_store(aligned, type, (size_t)b, (float)fill->channel[b]);
    memcpy(pixel, aligned, (size_t)channels * pixel_type_size(type));
}

void fill_pixels(unsigned char *to, const unsigned char *pixel, size_t size, size_t n)
{
    size_t done = size, all = size * n;

    if (!n)
        return;
    if (size == 1) {
        memset(to, *pixel, n);
        return;
    }
    memcpy(to, pixel, size);
    while (done < all) { /* the pixels written so far are copied: 1, 2, 4, ... at a time */
        size_t more = done < all - done ? done : all - done;

        memcpy(to + done, to, more);
        done += more;
    }
}

/* Writes n pixels of noise; the first has index `dx` in a line with this hash. Each pixel has its
 * own hash, and so has each of its samples. So no pixel depends on another, and vectors compute
 * many at once. */
ALWAYS_INLINE void noise_line(void *row, enum pixel_type type, size_t n, size_t channels,
                              size_t colours, uint32_t line, uint32_t dx)
{
    for (size_t x = 0; x < n; x++) {
        uint32_t pixel = hash_mix(dx + (uint32_t)x + line);

        for (size_t b = 0; b < colours; b++)
            sample_noise(row, type, x * channels + b, hash_mix(pixel + (uint32_t)b));
    }
}

ALWAYS_INLINE void noise_of_type(void *row, enum pixel_type type, size_t n, size_t channels,
                                 size_t colours, uint32_t line, uint32_t dx)
{
    if (channels == 1)
        noise_line(row, type, n, 1, 1, line, dx);
    else if (channels == 3)
        noise_line(row, type, n, 3, 3, line, dx);
    else
        noise_line(row, type, n, channels, colours, line, dx);
}

VARIANTS static void noise_row(void *row, enum pixel_type type, size_t n, size_t channels,
                               size_t colours, uint32_t line, uint32_t dx)
{
    switch (type) {
    case PIXEL_U8:
        noise_of_type(row, PIXEL_U8, n, channels, colours, line, dx);
        break;
    case PIXEL_U16:
        noise_of_type(row, PIXEL_U16, n, channels, colours, line, dx);
        break;
    case PIXEL_F32:
        noise_of_type(row, PIXEL_F32, n, channels, colours, line, dx);
    }
}

/* Paints the columns [x0, x1) of one row; (dx, dy) is pixel (x0, y) relative to the rectangle's
 * corner. */
static void paint_row(struct plane *p, int y, int x0, int x1, const struct fill *fill, bool noise,
                      uint32_t key, uint32_t dx, uint32_t dy)
{
    size_t pixel = (size_t)p->channels * pixel_type_size(p->type);
    unsigned char *row = plane_row(p, y);

    if (noise) {
        noise_row(row + (size_t)x0 * pixel, p->type, (size_t)(x1 - x0), (size_t)p->channels,
                  (size_t)plane_colours(p), hash_mix(dy + hash_mix(key)), dx);
        return;
    }
    for (int x = x0; x < x1; x++)
        for (int b = 0; b < plane_colours(p); b++)
            sample_store(row, p->type, (size_t)x * (size_t)p->channels + (size_t)b,
                         (float)fill->channel[b]);
}

void plane_paint(struct plane *p, int x, int y, int w, int h, const struct fill *fill, bool noise,
                 uint32_t key)
{
    long x1 = (long)x + w, y1 = (long)y + h;
    int left = x > 0 ? x : 0, top = y > 0 ? y : 0;
    int right = x1 < p->width ? (int)x1 : p->width, bottom = y1 < p->height ? (int)y1 : p->height;
    unsigned char pixel[16] = { 0 };
    size_t size = pixel_type_size(p->type) * (size_t)p->channels;

    fill_bytes(fill, p->type, p->channels, pixel);
    if (left >= right || top >= bottom)
        return;
    if (!noise && p->channels == plane_colours(p)) {
        unsigned char *first = plane_row(p, top) + (size_t)left * size;

        fill_pixels(first, pixel, size, (size_t)(right - left));
        for (int i = top + 1; i < bottom; i++)
            memcpy(plane_row(p, i) + (size_t)left * size, first, size * (size_t)(right - left));
        return;
    }
    for (int i = top; i < bottom; i++)
        paint_row(p, i, left, right, fill, noise, key, (uint32_t)left - (uint32_t)x,
                  (uint32_t)i - (uint32_t)y);
}
