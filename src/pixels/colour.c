/* colour: loops that change each pixel by itself: tables, functions of a colour, mean luma. */
#include "samples.h"

/* In place is allowed, so in and out may be the same samples. */
ALWAYS_INLINE void table_row_u8(const uint8_t *in, uint8_t *out, const uint8_t *table, int width,
                                int bands)
{
    int colours = bands <= 2 ? 1 : 3;

    for (int x = 0; x < width; x++, in += bands, out += bands)
        for (int b = 0; b < bands; b++)
            out[b] = b < colours ? table[256 * b + in[b]] : in[b];
}

ALWAYS_INLINE void table_row_u16(const uint16_t *in, uint16_t *out, const uint16_t *table,
                                 int width, int bands)
{
    int colours = bands <= 2 ? 1 : 3;

    for (int x = 0; x < width; x++, in += bands, out += bands)
        for (int b = 0; b < bands; b++)
            out[b] = b < colours ? table[65536 * b + in[b]] : in[b];
}

ALWAYS_INLINE void table_rows(const struct plane *in, struct plane *out, const void *table,
                              int bands)
{
    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        void *to = plane_row(out, y);

        if (in->type == PIXEL_U8)
            table_row_u8(from, to, table, in->width, bands);
        else
            table_row_u16(from, to, table, in->width, bands);
    }
}

void plane_table(const struct plane *in, struct plane *out, const void *table)
{
    switch (in->bands) {
    case 1:
        table_rows(in, out, table, 1);
        break;
    case 2:
        table_rows(in, out, table, 2);
        break;
    case 3:
        table_rows(in, out, table, 3);
        break;
    case 4:
        table_rows(in, out, table, 4);
        break;
    }
}

/* u16 and float are brought to 0..255 and back; for u8 nothing is left of that. */
ALWAYS_INLINE float to_unit(float v, enum pixel_type type)
{
    return type == PIXEL_U8 ? v : type == PIXEL_U16 ? v / 257 : v * 255;
}

ALWAYS_INLINE float from_unit(float v, enum pixel_type type)
{
    return type == PIXEL_U8 ? v : type == PIXEL_U16 ? v * 257 : v / 255;
}

ALWAYS_INLINE void colour_row(const void *in, void *out, int width, enum pixel_type type, int bands,
                              colour_fn *f, const void *context)
{
    enum { PIECE = 256 };
    float rgb[3 * PIECE];
    size_t step = (size_t)bands, at = 0;

    for (int k; width > 0; width -= k, at += (size_t)k * step) {
        k = width < PIECE ? width : PIECE;
        for (size_t i = 0; i < (size_t)k; i++)
            for (size_t b = 0; b < 3; b++)
                rgb[3 * i + b] = to_unit(sample_load(in, type, at + i * step + b), type);
        f(context, rgb, k);
        for (size_t i = 0; i < (size_t)k; i++) {
            for (size_t b = 0; b < 3; b++)
                sample_store(out, type, at + i * step + b, from_unit(rgb[3 * i + b], type));
            if (bands == 4)
                sample_store(out, type, at + i * step + 3,
                             sample_load(in, type, at + i * step + 3));
        }
    }
}

ALWAYS_INLINE void colour_rows(const struct plane *in, struct plane *out, enum pixel_type type,
                               int bands, colour_fn *f, const void *context)
{
    for (int y = 0; y < in->height; y++)
        colour_row(plane_row(in, y), plane_row(out, y), in->width, type, bands, f, context);
}

ALWAYS_INLINE void colour_type(const struct plane *in, struct plane *out, enum pixel_type type,
                               colour_fn *f, const void *context)
{
    if (in->bands == 3)
        colour_rows(in, out, type, 3, f, context);
    else
        colour_rows(in, out, type, 4, f, context);
}

void plane_colour(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
    if (in->bands < 3) {
        if (in->px != out->px)
            plane_copy(in, out);
        return;
    }
    switch (in->type) {
    case PIXEL_U8:
        colour_type(in, out, PIXEL_U8, f, context);
        break;
    case PIXEL_U16:
        colour_type(in, out, PIXEL_U16, f, context);
        break;
    case PIXEL_F32:
        colour_type(in, out, PIXEL_F32, f, context);
    }
}

/* Integers sum exactly; single precision in the product, as torchvision has it. */
ALWAYS_INLINE uint64_t luma_row(const void *row, enum pixel_type type, int width, int bands)
{
    uint64_t sum = 0;

    for (size_t x = 0; x < (size_t)width; x++) {
        size_t i = x * (size_t)bands;
        float r = sample_load(row, type, i);

        if (bands < 3)
            sum += (unsigned)r;
        else
            sum += (unsigned)(int)(r * 0.2989f + sample_load(row, type, i + 1) * 0.587f +
                                   sample_load(row, type, i + 2) * 0.114f);
    }
    return sum;
}

static double luma_row_float(const float *row, int width, int bands)
{
    double sum = 0;

    for (int x = 0; x < width; x++, row += bands)
        sum += (double)(bands < 3 ? row[0] : row[0] * 0.2989f + row[1] * 0.587f + row[2] * 0.114f);
    return sum;
}

ALWAYS_INLINE uint64_t luma_any(const void *row, enum pixel_type type, int width, int bands)
{
    switch (bands) {
    case 1:
        return luma_row(row, type, width, 1);
    case 2:
        return luma_row(row, type, width, 2);
    case 3:
        return luma_row(row, type, width, 3);
    }
    return luma_row(row, type, width, 4);
}

double plane_mean_luma(const struct plane *p)
{
    double real = 0;
    uint64_t whole = 0;

    if (p->width < 1 || p->height < 1)
        return 0;
    for (int y = 0; y < p->height; y++) {
        const void *row = plane_row(p, y);

        if (p->type == PIXEL_U8)
            whole += luma_any(row, PIXEL_U8, p->width, p->bands);
        else if (p->type == PIXEL_U16)
            whole += luma_any(row, PIXEL_U16, p->width, p->bands);
        else
            real += luma_row_float(row, p->width, p->bands);
    }
    return ((double)whole + real) / ((double)p->width * p->height);
}
