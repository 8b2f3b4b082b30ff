/* histogram: counts colors: histograms, mean luma, sums and their products. */
#include "pixels/luma.h"
#include "pixels/samples.h"

size_t plane_counts(const struct plane *p)
{
    return (size_t)plane_colours(p) * (size_t)pixel_type_levels(p->type);
}

ALWAYS_INLINE void histogram_row(const void *row, enum pixel_type type, int width, int channels,
                                 uint32_t *counts)
{
    int colours = channels <= 2 ? 1 : 3, levels = pixel_type_levels(type);

    for (int x = 0; x < width; x++)
        for (int b = 0; b < colours; b++) {
            int i = x * channels + b;

            counts[b * levels +
                   (type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i])]++;
        }
}

ALWAYS_INLINE void histogram_type(const struct plane *p, enum pixel_type type, uint32_t *counts)
{
    for (int y = 0; y < p->height; y++) {
        const void *row = plane_row(p, y);

        if (p->channels == 1)
            histogram_row(row, type, p->width, 1, counts);
        else if (p->channels == 2)
            histogram_row(row, type, p->width, 2, counts);
        else if (p->channels == 3)
            histogram_row(row, type, p->width, 3, counts);
        else
            histogram_row(row, type, p->width, 4, counts);
    }
}

void plane_histogram(const struct plane *p, uint32_t *counts)
{
    if (p->type == PIXEL_U8)
        histogram_type(p, PIXEL_U8, counts);
    else
        histogram_type(p, PIXEL_U16, counts);
}

/* Integers are summed exactly. For words, the product is in single precision, as in torchvision. */
ALWAYS_INLINE uint64_t luma_row(const void *row, enum pixel_type type, int width, int channels)
{
    const uint8_t *bytes = row;
    uint64_t sum = 0;

    for (size_t x = 0; x < (size_t)width; x++) {
        size_t i = x * (size_t)channels;
        float r = sample_load(row, type, i);

        if (channels < 3)
            sum += (unsigned)r;
        else if (type == PIXEL_U8)
            sum += byte_luma(bytes[i], bytes[i + 1], bytes[i + 2]);
        else
            sum += (unsigned)(int)(r * 0.2989f + sample_load(row, type, i + 1) * 0.587f +
                                   sample_load(row, type, i + 2) * 0.114f);
    }
    return sum;
}

static double luma_row_float(const float *row, int width, int channels)
{
    double sum = 0;

    for (int x = 0; x < width; x++, row += channels)
        sum +=
            (double)(channels < 3 ? row[0] : row[0] * 0.2989f + row[1] * 0.587f + row[2] * 0.114f);
    return sum;
}

ALWAYS_INLINE uint64_t luma_any(const void *row, enum pixel_type type, int width, int channels)
{
    switch (channels) {
    case 1:
        return luma_row(row, type, width, 1);
    case 2:
        return luma_row(row, type, width, 2);
    case 3:
        return luma_row(row, type, width, 3);
    }
    return luma_row(row, type, width, 4);
}

VARIANTS double plane_luma_sum(const struct plane *p)
{
    double real = 0;
    uint64_t whole = 0;

    for (int y = 0; y < p->height; y++) {
        const void *row = plane_row(p, y);

        if (p->type == PIXEL_U8 && p->channels == 3)
            whole += bytes_luma(row, (size_t)p->width);
        else if (p->type == PIXEL_U8 && p->channels == 1)
            whole += bytes_sum(row, (size_t)p->width);
        else if (p->type == PIXEL_U8)
            whole += luma_any(row, PIXEL_U8, p->width, p->channels);
        else if (p->type == PIXEL_U16)
            whole += luma_any(row, PIXEL_U16, p->width, p->channels);
        else
            real += luma_row_float(row, p->width, p->channels);
    }
    return (double)whole + real;
}

ALWAYS_INLINE uint64_t sample_whole(const void *row, enum pixel_type type, size_t i)
{
    return type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

ALWAYS_INLINE void sums_row(const void *row, enum pixel_type type, int width, int channels,
                            struct colour_sums *sums)
{
    struct colour_sums s = *sums;
    size_t colours = channels <= 2 ? 1 : 3;

    for (size_t x = 0; x < (size_t)width; x++)
        for (size_t i = 0; i < colours; i++) {
            uint64_t v = sample_whole(row, type, x * (size_t)channels + i);

            s.colour[i] += v;
            for (size_t j = i; j < colours; j++)
                s.product[i][j] += v * sample_whole(row, type, x * (size_t)channels + j);
        }
    *sums = s;
}

ALWAYS_INLINE void sums_any(const void *row, enum pixel_type type, int width, int channels,
                            struct colour_sums *sums)
{
    switch (channels) {
    case 1:
        sums_row(row, type, width, 1, sums);
        break;
    case 2:
        sums_row(row, type, width, 2, sums);
        break;
    case 3:
        sums_row(row, type, width, 3, sums);
        break;
    case 4:
        sums_row(row, type, width, 4, sums);
        break;
    }
}

VARIANTS void plane_colour_sums(const struct plane *p, struct colour_sums *sums)
{
    sums->n += (uint64_t)p->width * (uint64_t)p->height;
    for (int y = 0; y < p->height; y++)
        if (p->type == PIXEL_U8)
            sums_any(plane_row(p, y), PIXEL_U8, p->width, p->channels, sums);
        else
            sums_any(plane_row(p, y), PIXEL_U16, p->width, p->channels, sums);
}
