/* ycbcr: converts the Y, Cb and Cr planes of a JPEG to one plane of red, green and blue. */
#include "pixels/samples.h"

enum { PIECE = 256 };

/* The chroma pixels on both sides of a luma pixel along one axis, and the weight of the second
 * one. */
struct chroma_pair {
    int first, second;
    float weight;
};

/* `per`: chroma pixels per luma pixel. Values between pixel centers are interpolated. */
static struct chroma_pair chroma_pair(int at, double per, int n)
{
    double centre = (at + 0.5) * per - 0.5;
    int first = centre > 0 ? (int)centre : 0;

    first = first < n ? first : n - 1;
    return (struct chroma_pair){ first, first + 1 < n ? first + 1 : first,
                                 centre > first ? (float)(centre - first) : 0 };
}

/* A row of chroma between two rows, at the fraction `down` of the way to the second. */
struct row_pair {
    const uint8_t *above, *below;
    float down;
    int width;
};

ALWAYS_INLINE float row_pair_at(const struct row_pair *b, int x)
{
    return (float)b->above[x] + b->down * (float)(b->below[x] - b->above[x]);
}

/* Interpolates n pixels of a row of chroma from luma column x on, without their offset. */
ALWAYS_INLINE void chroma_piece(const struct row_pair *b, int x, double per, float *restrict to,
                                int n)
{
    for (int i = 0; i < n; i++) {
        struct chroma_pair at = chroma_pair(x + i, per, b->width);
        float left = row_pair_at(b, at.first), right = row_pair_at(b, at.second);

        to[i] = left + at.weight * (right - left) - 128;
    }
}

/* The same for one pixel of chroma per luma pixel. */
ALWAYS_INLINE void chroma_whole(const struct row_pair *b, int x, float *restrict to, int n)
{
    int inside = b->width - x < n ? b->width - x : n;

    for (int i = 0; i < inside; i++)
        to[i] = row_pair_at(b, x + i) - 128;
    for (int i = inside > 0 ? inside : 0; i < n; i++)
        to[i] = row_pair_at(b, b->width - 1) - 128;
}

/* The same for half a pixel of chroma per luma pixel, from an even column on. Luma pixels are a
 * quarter of a chroma pixel before or after the nearest chroma center. */
ALWAYS_INLINE void chroma_halves(const struct row_pair *b, int x, float *restrict to, int n)
{
    float at[PIECE / 2 + 2]; /* starts at the pixel of chroma before column x */
    int first = x / 2 - 1, count = (n + 1) / 2, begin = x > 0 ? 0 : 1;
    int end = b->width - first < count + 2 ? b->width - first : count + 2;
    float last = row_pair_at(b, b->width - 1);

    for (int i = begin; i < end; i++)
        at[i] = row_pair_at(b, first + i);
    if (begin > 0)
        at[0] = at[1];
    for (int i = end > 0 ? end : 0; i < count + 2; i++)
        at[i] = last;
    for (int i = 0; i < count; i++) {
        to[2 * i] = at[i] + 0.75f * (at[i + 1] - at[i]) - 128;
        to[2 * i + 1] = at[i + 1] + 0.25f * (at[i + 2] - at[i + 1]) - 128;
    }
}

ALWAYS_INLINE void chroma_of(const struct row_pair *b, int x, double per, float *restrict to, int n)
{
    if (per == 0.5)
        chroma_halves(b, x, to, n);
    else if (per == 1)
        chroma_whole(b, x, to, n);
    else
        chroma_piece(b, x, per, to, n);
}

ALWAYS_INLINE void colours_piece(const uint8_t *luma, const float *restrict cb,
                                 const float *restrict cr, uint8_t *to, int n)
{
    uint8_t r[PIECE], g[PIECE], b[PIECE];

    for (int i = 0; i < n; i++) {
        float y = luma[i];

        r[i] = (uint8_t)sample_round(y + 1.402f * cr[i], 255);
        g[i] = (uint8_t)sample_round(y - 0.344136286f * cb[i] - 0.714136286f * cr[i], 255);
        b[i] = (uint8_t)sample_round(y + 1.772f * cb[i], 255);
    }
    bytes_interleave(r, g, b, to, (size_t)n);
}

VARIANTS void plane_of_ycc(const struct plane *luma, const struct plane chroma[2], double per_x,
                           double per_y, struct plane *rgb)
{
    float value[2][PIECE];

    for (int y = 0; y < rgb->height; y++) {
        struct chroma_pair rows = chroma_pair(y, per_y, chroma[0].height);

        for (int x = 0; x < rgb->width; x += PIECE) {
            int n = rgb->width - x < PIECE ? rgb->width - x : PIECE;

            for (int i = 0; i < 2; i++) {
                struct row_pair row = { plane_row(&chroma[i], rows.first),
                                        plane_row(&chroma[i], rows.second), rows.weight,
                                        chroma[i].width };

                chroma_of(&row, x, per_x, value[i], n);
            }
            colours_piece(plane_row(luma, y) + x, value[0], value[1], plane_row(rgb, y) + 3 * x, n);
        }
    }
}
