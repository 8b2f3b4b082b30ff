/* unsharp: moves pixels away from a blur where they differ enough from it. */
#include "pixels/filters.h"
#include "pixels/samples.h"

#include <math.h>

ALWAYS_INLINE void mark(const void *restrict row, const void *restrict blurred, void *restrict to,
                        enum pixel_type type, float threshold, size_t n)
{
    float max = type == PIXEL_U8 ? 255 : 65535;

    for (size_t i = 0; i < n; i++) {
        float apart = sample_load(row, type, i) - sample_load(blurred, type, i);

        sample_store(to, type, i, fabsf(apart) > threshold ? max : 0);
    }
}

/* Differences of bytes are bytes. */
ALWAYS_INLINE void mark_bytes(const uint8_t *restrict row, const uint8_t *restrict blurred,
                              uint8_t *restrict to, uint8_t threshold, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t larger = row[i] > blurred[i] ? row[i] : blurred[i];
        uint8_t smaller = row[i] > blurred[i] ? blurred[i] : row[i];

        to[i] = (uint8_t)(larger - smaller) > threshold ? 255 : 0;
    }
}

VARIANTS static void mark_row(const void *row, const void *blurred, void *to, enum pixel_type type,
                              float threshold, size_t n)
{
    if (type == PIXEL_U8)
        mark_bytes(row, blurred, to, (uint8_t)(threshold < 255 ? threshold : 255), n);
    else
        mark(row, blurred, to, PIXEL_U16, threshold, n);
}

ALWAYS_INLINE void sharpen(const void *restrict row, const void *restrict blurred,
                           const void *restrict share, float *restrict to, enum pixel_type type,
                           float amount, size_t at, size_t n)
{
    float max = type == PIXEL_U8 ? 255 : 65535;

    for (size_t i = 0; i < n; i++) {
        float own = sample_load(row, type, at + i);
        float sharp = own + amount * (own - sample_load(blurred, type, at + i));

        sharp = sharp > 0 ? sharp : 0;
        sharp = sharp < max ? sharp : max;
        to[i] = own + sample_load(share, type, at + i) * (1 / max) * (sharp - own);
    }
}

VARIANTS static void sharpen_row(const void *row, const void *blurred, const void *share, void *to,
                                 enum pixel_type type, float amount, size_t n)
{
    enum { PIECE = 512 };
    float part[PIECE];

    for (size_t at = 0, k; at < n; at += k) {
        k = n - at < PIECE ? n - at : PIECE;
        if (type == PIXEL_U8)
            sharpen(row, blurred, share, part, PIXEL_U8, amount, at, k);
        else
            sharpen(row, blurred, share, part, PIXEL_U16, amount, at, k);
        row_store(part, type, (char *)to + at * pixel_type_size(type), k);
    }
}

void plane_unsharp(const struct plane *in, struct plane *out, const float *k, int n, float amount,
                   float threshold, struct pool *pool)
{
    struct frame f = { in->width, in->height };
    struct plane blurred = pool_plane(pool, f, in->channels, in->type);
    struct plane share = pool_plane(pool, f, in->channels, in->type);
    size_t samples = (size_t)in->width * (size_t)in->channels;

    plane_convolve(in, &blurred, k, n, k, n);
    for (int y = 0; y < in->height; y++)
        mark_row(plane_row(in, y), plane_row(&blurred, y), plane_row(out, y), in->type, threshold,
                 samples);
    plane_convolve(out, &share, k, n, k, n);
    for (int y = 0; y < in->height; y++) {
        sharpen_row(plane_row(in, y), plane_row(&blurred, y), plane_row(&share, y),
                    plane_row(out, y), in->type, amount, samples);
        row_copy_alpha(in, out, y);
    }
    pool_return(pool, &blurred);
    pool_return(pool, &share);
}
