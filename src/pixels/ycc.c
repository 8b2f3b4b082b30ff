/* ycc: the Y, Cb and Cr planes of a JPEG as one plane of red, green and blue. */
#include "samples.h"

enum { PIECE = 256 };

/* Chroma pixels beside a luma pixel along one axis, and the weight of the second. */
struct beside {
    int first, second;
    float weight;
};

/* `per`: chroma pixels per luma pixel; between pixel centres values are blended. */
static struct beside beside(int at, double per, int n)
{
    double centre = (at + 0.5) * per - 0.5;
    int first = centre > 0 ? (int)centre : 0;

    first = first < n ? first : n - 1;
    return (struct beside){ first, first + 1 < n ? first + 1 : first,
                            centre > first ? (float)(centre - first) : 0 };
}

/* n pixels of a row of chroma from column x on, without their offset. */
ALWAYS_INLINE void chroma_piece(const uint8_t *above, const uint8_t *below, float down, int x,
                                double per, int width, float *restrict to, int n)
{
    for (int i = 0; i < n; i++) {
        struct beside b = beside(x + i, per, width);
        float left = (float)above[b.first] + down * (float)(below[b.first] - above[b.first]);
        float right = (float)above[b.second] + down * (float)(below[b.second] - above[b.second]);

        to[i] = left + b.weight * (right - left) - 128;
    }
}

ALWAYS_INLINE void colours_piece(const uint8_t *luma, const float *cb, const float *cr, uint8_t *to,
                                 int n)
{
    for (int i = 0; i < n; i++, to += 3) {
        float y = luma[i];

        to[0] = (uint8_t)sample_round(y + 1.402f * cr[i], 255);
        to[1] = (uint8_t)sample_round(y - 0.344136286f * cb[i] - 0.714136286f * cr[i], 255);
        to[2] = (uint8_t)sample_round(y + 1.772f * cb[i], 255);
    }
}

VARIANTS void plane_of_ycc(const struct plane *luma, const struct plane chroma[2], double per_x,
                           double per_y, struct plane *rgb)
{
    float value[2][PIECE];

    for (int y = 0; y < rgb->height; y++) {
        struct beside rows = beside(y, per_y, chroma[0].height);

        for (int x = 0; x < rgb->width; x += PIECE) {
            int n = rgb->width - x < PIECE ? rgb->width - x : PIECE;

            for (int i = 0; i < 2; i++)
                chroma_piece(plane_row(&chroma[i], rows.first), plane_row(&chroma[i], rows.second),
                             rows.weight, x, per_x, chroma[i].width, value[i], n);
            colours_piece(plane_row(luma, y) + x, value[0], value[1], plane_row(rgb, y) + 3 * x, n);
        }
    }
}
