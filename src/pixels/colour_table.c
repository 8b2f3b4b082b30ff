/* colour_table: each sample looked up in a table of its channel. */
#include "samples.h"

#include <string.h>

/* In place is allowed, so in and out may be the same samples. */
ALWAYS_INLINE void table_row_u8(const uint8_t *in, uint8_t *out, const uint8_t *table, int width,
                                int channels)
{
    int colours = channels <= 2 ? 1 : 3;

    for (int x = 0; x < width; x++, in += channels, out += channels)
        for (int b = 0; b < channels; b++)
            out[b] = b < colours ? table[256 * b + in[b]] : in[b];
}

ALWAYS_INLINE void table_row_u16(const uint16_t *in, uint16_t *out, const uint16_t *table,
                                 int width, int channels)
{
    int colours = channels <= 2 ? 1 : 3;

    for (int x = 0; x < width; x++, in += channels, out += channels)
        for (int b = 0; b < channels; b++)
            out[b] = b < colours ? table[65536 * b + in[b]] : in[b];
}

ALWAYS_INLINE void table_rows(const struct plane *in, struct plane *out, const void *table,
                              int channels)
{
    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        void *to = plane_row(out, y);

        if (in->type == PIXEL_U8)
            table_row_u8(from, to, table, in->width, channels);
        else
            table_row_u16(from, to, table, in->width, channels);
    }
}

/* Are all bytes of a row looked up in one table? */
static bool is_one_table(const struct plane *in, const uint8_t *table)
{
    if (in->type != PIXEL_U8 || (in->channels != 1 && in->channels != 3))
        return false;
    return in->channels == 1 ||
           (!memcmp(table, table + 256, 256) && !memcmp(table, table + 512, 256));
}

/* What becomes of as many bytes as hold whole pixels and whole vectors. */
enum { BITS = 192 };
struct bits {
    uint8_t keep[BITS], flip[BITS];
};

static void bits_spread(const struct sample_bits *of, const struct plane *p, struct bits *bits)
{
    size_t size = pixel_type_size(p->type), channels = (size_t)p->channels;

    for (size_t i = 0; i < BITS / size; i++) {
        size_t b = i % channels;
        bool alpha = b >= (size_t)plane_colours(p);
        uint16_t keep = alpha ? 65535 : of->keep[b], flip = alpha ? 0 : of->flip[b];

        if (p->type == PIXEL_U8) {
            bits->keep[i] = (uint8_t)keep;
            bits->flip[i] = (uint8_t)flip;
        } else {
            memcpy(bits->keep + i * size, &keep, size);
            memcpy(bits->flip + i * size, &flip, size);
        }
    }
}

ALWAYS_INLINE uint8_t bits_change(uint8_t v, const struct bits *bits, size_t i)
{
    return (uint8_t)((v & bits->keep[i]) ^ bits->flip[i]);
}

VARIANTS static void bits_in_place(uint8_t *row, const struct bits *restrict bits, size_t n)
{
    for (; n >= BITS; n -= BITS, row += BITS)
        for (size_t i = 0; i < BITS; i++)
            row[i] = bits_change(row[i], bits, i);
    for (size_t i = 0; i < n; i++)
        row[i] = bits_change(row[i], bits, i);
}

VARIANTS static void bits_row(const uint8_t *restrict in, uint8_t *restrict out,
                              const struct bits *restrict bits, size_t n)
{
    for (; n >= BITS; n -= BITS, in += BITS, out += BITS)
        for (size_t i = 0; i < BITS; i++)
            out[i] = bits_change(in[i], bits, i);
    for (size_t i = 0; i < n; i++)
        out[i] = bits_change(in[i], bits, i);
}

void plane_bits(const struct plane *in, struct plane *out, const struct sample_bits *of)
{
    size_t n = (size_t)in->width * (size_t)in->channels * pixel_type_size(in->type);
    struct bits bits;

    bits_spread(of, in, &bits);
    for (int y = 0; y < in->height; y++)
        if (in->px == out->px)
            bits_in_place(plane_row(out, y), &bits, n);
        else
            bits_row(plane_row(in, y), plane_row(out, y), &bits, n);
}

/* A table that adds so many levels, or takes them away, up to the ends of the range. */
static bool is_shift(const uint8_t table[256], int *by)
{
    *by = table[128] - 128;
    for (int v = 0; v < 256; v++) {
        int sum = v + *by;

        if (table[v] != (sum < 0 ? 0 : sum > 255 ? 255 : sum))
            return false;
    }
    return true;
}

/* What is added to, and then taken from, as many bytes as hold whole pixels and whole vectors. */
struct shifts {
    uint8_t add[BITS], take[BITS];
};

static bool shifts_spread(const uint8_t *table, size_t channels, struct shifts *shifts)
{
    int by[3];

    for (size_t b = 0; b < channels; b++)
        if (!is_shift(table + 256 * b, &by[b]))
            return false;
    for (size_t i = 0; i < BITS; i++) {
        int d = by[i % channels];

        shifts->add[i] = (uint8_t)(d > 0 ? d : 0);
        shifts->take[i] = (uint8_t)(d < 0 ? -d : 0);
    }
    return true;
}

ALWAYS_INLINE uint8_t shifted(uint8_t v, const struct shifts *shifts, size_t i)
{
    uint8_t sum = (uint8_t)(v + shifts->add[i]);

    sum = sum < v ? 255 : sum;
    return (uint8_t)(sum > shifts->take[i] ? sum - shifts->take[i] : 0);
}

VARIANTS static void shift_in_place(uint8_t *row, const struct shifts *restrict shifts, size_t n)
{
    for (; n >= BITS; n -= BITS, row += BITS)
        for (size_t i = 0; i < BITS; i++)
            row[i] = shifted(row[i], shifts, i);
    for (size_t i = 0; i < n; i++)
        row[i] = shifted(row[i], shifts, i);
}

VARIANTS static void shift_row(const uint8_t *restrict in, uint8_t *restrict out,
                               const struct shifts *restrict shifts, size_t n)
{
    for (; n >= BITS; n -= BITS, in += BITS, out += BITS)
        for (size_t i = 0; i < BITS; i++)
            out[i] = shifted(in[i], shifts, i);
    for (size_t i = 0; i < n; i++)
        out[i] = shifted(in[i], shifts, i);
}

static void table_threes(const uint8_t *in, uint8_t *out, const uint8_t *table, size_t width)
{
    enum { PIECE = 1024 };
    uint8_t byte[3][PIECE];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += 3 * n) {
        n = width < PIECE ? width : PIECE;
        bytes_apart(in, byte[0], byte[1], byte[2], n);
        for (int b = 0; b < 3; b++)
            bytes_table(byte[b], byte[b], table + 256 * b, n);
        bytes_together(byte[0], byte[1], byte[2], out, n);
    }
}

void plane_table(const struct plane *in, struct plane *out, const void *table)
{
    bool one = is_one_table(in, table), bytes = one || (in->type == PIXEL_U8 && in->channels == 3);
    size_t n = (size_t)in->width * (size_t)in->channels;
    struct shifts shifts;

    if (bytes && shifts_spread(table, (size_t)in->channels, &shifts)) {
        for (int y = 0; y < in->height; y++)
            if (in->px == out->px)
                shift_in_place(plane_row(out, y), &shifts, n);
            else
                shift_row(plane_row(in, y), plane_row(out, y), &shifts, n);
        return;
    }
    if (one) {
        for (int y = 0; y < in->height; y++)
            bytes_table(plane_row(in, y), plane_row(out, y), table, n);
        return;
    }
    if (bytes) {
        for (int y = 0; y < in->height; y++)
            table_threes(plane_row(in, y), plane_row(out, y), table, (size_t)in->width);
        return;
    }
    switch (in->channels) {
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
