/* colour: loops that apply a function of the color to each pixel. */
#include "pixels/samples.h"
/* Converts u16 and float to 0..255 and back. For u8 it compiles to nothing. */
ALWAYS_INLINE float to_unit(float v, enum pixel_type type)
{
    return type == PIXEL_U8 ? v : type == PIXEL_U16 ? v / 257 : v * 255;
}

ALWAYS_INLINE float from_unit(float v, enum pixel_type type)
{
    return type == PIXEL_U8 ? v : type == PIXEL_U16 ? v * 257 : v / 255;
}

/* Converts rows of `from` channels to rows of `to` channels. Gray is read as three equal colors,
 * and written from the first one. */
ALWAYS_INLINE void colour_row(const void *in, void *out, int width, enum pixel_type type, int from,
                              int to, colour_fn *f, const void *context)
{
    enum { PIECE = PLACE_PIECE };
    float rgb[3][PIECE]; /* one array per color, for vectors */
    size_t step = (size_t)from, step_out = (size_t)to, written = to < 3 ? 1 : 3, x = 0;

    for (int k; width > 0; width -= k, x += (size_t)k) {
        k = width < PIECE ? width : PIECE;
        for (size_t b = 0; b < 3; b++)
            for (size_t i = 0; i < (size_t)k; i++)
                rgb[b][i] =
                    to_unit(sample_load(in, type, (x + i) * step + (from < 3 ? 0 : b)), type);
        f(context, rgb[0], rgb[1], rgb[2], k);
        if (to == 2 || to == 4)
            for (size_t i = 0; i < (size_t)k; i++)
                sample_store(out, type, (x + i) * step_out + step_out - 1,
                             sample_load(in, type, (x + i) * step + step - 1));
        for (size_t b = 0; b < written; b++)
            for (size_t i = 0; i < (size_t)k; i++)
                sample_store(out, type, (x + i) * step_out + b, from_unit(rgb[b][i], type));
    }
}

/* The same for three or four channels in and out. Samples are converted to floats and back in long
 * runs, which suits vectors; only floats are split into channels. */
ALWAYS_INLINE void colour_run(const void *in, void *out, int width, enum pixel_type type,
                              int channels, colour_fn *f, const void *context)
{
    enum { PIECE = PLACE_PIECE };
    float flat[4 * PIECE], r[PIECE], g[PIECE], b[PIECE];
    size_t step = (size_t)channels, size = pixel_type_size(type);

    for (size_t x = 0, k; x < (size_t)width; x += k) {
        k = (size_t)width - x < PIECE ? (size_t)width - x : PIECE;
        row_load((const char *)in + x * step * size, type, flat, k * step);
        for (size_t i = 0; i < k; i++) {
            r[i] = to_unit(flat[i * step], type);
            g[i] = to_unit(flat[i * step + 1], type);
            b[i] = to_unit(flat[i * step + 2], type);
        }
        f(context, r, g, b, (int)k);
        for (size_t i = 0; i < k; i++) {
            flat[i * step] = from_unit(r[i], type);
            flat[i * step + 1] = from_unit(g[i], type);
            flat[i * step + 2] = from_unit(b[i], type);
        }
        row_store(flat, type, (char *)out + x * step * size, k * step);
    }
}

/* The same for three bytes: splitting bytes is faster than splitting floats. */
static void colour_threes(const uint8_t *in, uint8_t *out, size_t width, colour_fn *f,
                          const void *context)
{
    enum { PIECE = PLACE_PIECE };
    uint8_t byte[3][PIECE];
    float rgb[3][PIECE];

    for (size_t n; width > 0; width -= n, in += 3 * n, out += 3 * n) {
        n = width < PIECE ? width : PIECE;
        bytes_deinterleave(in, byte[0], byte[1], byte[2], n);
        for (int b = 0; b < 3; b++)
            row_load(byte[b], PIXEL_U8, rgb[b], n);
        f(context, rgb[0], rgb[1], rgb[2], (int)n);
        for (int b = 0; b < 3; b++)
            row_store(rgb[b], PIXEL_U8, byte[b], n);
        bytes_interleave(byte[0], byte[1], byte[2], out, n);
    }
}

ALWAYS_INLINE void colour_type(const struct plane *in, struct plane *out, enum pixel_type type,
                               colour_fn *f, const void *context)
{
    for (int y = 0; y < in->height; y++) {
        const void *from = plane_row(in, y);
        void *to = plane_row(out, y);

        if (in->channels == 3 && out->channels == 3 && type == PIXEL_U8)
            colour_threes(from, to, (size_t)in->width, f, context);
        else if (in->channels == 3 && out->channels == 3)
            colour_run(from, to, in->width, type, 3, f, context);
        else if (in->channels == 4 && out->channels == 4)
            colour_run(from, to, in->width, type, 4, f, context);
        else
            colour_row(from, to, in->width, type, in->channels, out->channels, f, context);
    }
}

static void colour_any(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
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

void plane_colour(const struct plane *in, struct plane *out, colour_fn *f, const void *context)
{
    if (in->channels >= 3 || in->channels != out->channels) {
        if (!colour_bytes(in, out, f, context) && !colour_words(in, out, f, context))
            colour_any(in, out, f, context);
    } else if (in->px != out->px) {
        plane_copy(in, out);
    }
}

/* The position of the next piece of a row. */
struct place {
    place_fn *f;
    const void *context;
    int *x, y;
};

static void colour_piece(const void *context, float *restrict r, float *restrict g,
                         float *restrict b, int n)
{
    const struct place *place = context;

    place->f(place->context, *place->x, place->y, r, g, b, n);
    *place->x += n;
}

void plane_colour_at(const struct plane *in, struct plane *out, place_fn *f, const void *context)
{
    for (int y = 0; y < in->height; y++) {
        struct plane from = plane_part(in, 0, y, in->width, 1);
        struct plane to = plane_part(out, 0, y, in->width, 1);
        int x = 0;

        colour_any(&from, &to, colour_piece, &(struct place){ f, context, &x, y });
    }
}

VARIANTS static void line_row(uint8_t *row, const struct level_line *line, int n)
{
    float factor = line->factor, offset = line->offset, lo = line->lo, hi = line->hi;

    for (int i = 0; i < n; i++) {
        float v = factor * (float)row[i] + offset;

        v = v > lo ? v : lo;
        v = v < hi ? v : hi;
        row[i] = (uint8_t)(int)(v + 0.5f);
    }
}

void plane_line(struct plane *p, const struct level_line *line)
{
    for (int y = 0; y < p->height; y++)
        line_row(plane_row(p, y), line, p->width);
}
