/* lookup: looks up each sample in a table of its channel. */
#include "pixels/samples.h"

#include <string.h>

/* `in` and `out` may be the same samples, since in place is allowed. */
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

/* True if one table applies to all bytes of a row. */
static bool is_one_table(const struct plane *in, const uint8_t *table)
{
    if (in->type != PIXEL_U8 || (in->channels != 1 && in->channels != 3))
        return false;
    return in->channels == 1 ||
           (!memcmp(table, table + 256, 256) && !memcmp(table, table + 512, 256));
}

/* A change of bytes that needs no table, repeated for as many bytes as hold whole pixels and whole
 * vectors. Either bits are kept (first) and then flipped (second), or levels are added (first) and
 * then subtracted (second), with saturation. */
enum { CHANGED = 192 };
struct change {
    bool levels;
    uint8_t first[CHANGED], second[CHANGED];
};

ALWAYS_INLINE uint8_t changed(uint8_t v, const struct change *c, size_t i, bool levels)
{
    uint8_t sum = (uint8_t)(v + c->first[i]);

    if (!levels)
        return (uint8_t)((v & c->first[i]) ^ c->second[i]);
    sum = sum < v ? 255 : sum;
    return (uint8_t)(sum > c->second[i] ? sum - c->second[i] : 0);
}

ALWAYS_INLINE void change_bytes(const uint8_t *in, uint8_t *out, const struct change *c, size_t n,
                                bool levels)
{
    for (; n >= CHANGED; n -= CHANGED, in += CHANGED, out += CHANGED) {
        prefetch_written(out, CHANGED);
        for (size_t i = 0; i < CHANGED; i++)
            out[i] = changed(in[i], c, i, levels);
    }
    for (size_t i = 0; i < n; i++)
        out[i] = changed(in[i], c, i, levels);
}

VARIANTS static void change_in_place(uint8_t *restrict row, const struct change *restrict c,
                                     size_t n)
{
    if (c->levels)
        change_bytes(row, row, c, n, true);
    else
        change_bytes(row, row, c, n, false);
}

VARIANTS static void change_row(const uint8_t *restrict in, uint8_t *restrict out,
                                const struct change *restrict c, size_t n)
{
    if (c->levels)
        change_bytes(in, out, c, n, true);
    else
        change_bytes(in, out, c, n, false);
}

static void change_plane(const struct plane *in, struct plane *out, const struct change *c)
{
    size_t n = (size_t)in->width * (size_t)in->channels * pixel_type_size(in->type);

    for (int y = 0; y < in->height; y++)
        if (in->px == out->px)
            change_in_place(plane_row(out, y), c, n);
        else
            change_row(plane_row(in, y), plane_row(out, y), c, n);
}

static void change_by_bits(const struct sample_bits *of, const struct plane *p, struct change *c)
{
    size_t size = pixel_type_size(p->type), channels = (size_t)p->channels;

    c->levels = false;
    for (size_t i = 0; i < CHANGED / size; i++) {
        size_t b = i % channels;
        bool alpha = b >= (size_t)plane_colours(p);
        uint16_t keep = alpha ? 65535 : of->keep[b], flip = alpha ? 0 : of->flip[b];

        if (p->type == PIXEL_U8) {
            c->first[i] = (uint8_t)keep;
            c->second[i] = (uint8_t)flip;
        } else {
            memcpy(c->first + i * size, &keep, size);
            memcpy(c->second + i * size, &flip, size);
        }
    }
}

void plane_bits(const struct plane *in, struct plane *out, const struct sample_bits *of)
{
    struct change change;

    change_by_bits(of, in, &change);
    change_plane(in, out, &change);
}

/* True if a table adds or subtracts a constant number of levels, with saturation. */
static bool adds_levels(const uint8_t table[256], int *levels)
{
    *levels = table[128] - 128;
    for (int v = 0; v < 256; v++) {
        int sum = v + *levels;

        if (table[v] != (sum < 0 ? 0 : sum > 255 ? 255 : sum))
            return false;
    }
    return true;
}

/* Returns false unless all tables do so. */
static bool change_by_levels(const uint8_t *table, size_t channels, struct change *c)
{
    int levels[3];

    for (size_t b = 0; b < channels; b++)
        if (!adds_levels(table + 256 * b, &levels[b]))
            return false;
    c->levels = true;
    for (size_t i = 0; i < CHANGED; i++) {
        int n = levels[i % channels];

        c->first[i] = (uint8_t)(n > 0 ? n : 0);
        c->second[i] = (uint8_t)(n < 0 ? -n : 0);
    }
    return true;
}

static void table_threes(const uint8_t *in, uint8_t *out, const uint8_t *table, size_t width)
{
    enum { PIECE = 1024 };
    uint8_t byte[3][PIECE];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += 3 * n) {
        n = width < PIECE ? width : PIECE;
        bytes_deinterleave(in, byte[0], byte[1], byte[2], n);
        for (int b = 0; b < 3; b++)
            bytes_look_up(byte[b], byte[b], table + 256 * b, n);
        bytes_interleave(byte[0], byte[1], byte[2], out, n);
    }
}

void plane_table(const struct plane *in, struct plane *out, const void *table)
{
    bool one = is_one_table(in, table), bytes = one || (in->type == PIXEL_U8 && in->channels == 3);
    size_t n = (size_t)in->width * (size_t)in->channels;
    struct change change;

    if (bytes && change_by_levels(table, (size_t)in->channels, &change)) {
        change_plane(in, out, &change);
        return;
    }
    if (one) {
        for (int y = 0; y < in->height; y++)
            bytes_look_up(plane_row(in, y), plane_row(out, y), table, n);
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
