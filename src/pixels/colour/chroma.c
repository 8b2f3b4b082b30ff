/* chroma: mixes planes of chroma, and adds them to luma. */
#include "pixels/samples.h"

#include <math.h>
#include <string.h>

/* Weighted sums of cb - 128 and cr - 128. Sums of ordinary weights are in words: weights in units
 * of 2^-13, sums in units of 2^-5 level. They are off by at most 3/64 level, since weights and
 * products are rounded. */
enum { CHROMA_ONE = 1 << 13, CHROMA_SHIFT = 5, CHROMA_LEVEL = 1 << CHROMA_SHIFT };

struct weights {
    float exact[2];
    int16_t fixed[2];
    bool fits; /* true if words hold the sums and 128 levels more */
};

static struct weights weights_of(const float weight[2])
{
    struct weights w = { .exact = { weight[0], weight[1] } };

    w.fits = fabsf(weight[0]) + fabsf(weight[1]) < 3.9f;
    for (int i = 0; i < 2 && w.fits; i++)
        w.fixed[i] = (int16_t)lrintf(weight[i] * CHROMA_ONE);
    return w;
}

ALWAYS_INLINE int16_t chroma_product(uint8_t chroma, int16_t weight)
{
    return word_product((int16_t)((chroma - 128) * 128), weight);
}

ALWAYS_INLINE int16_t fixed_sum(uint8_t cb, uint8_t cr, const struct weights *w)
{
    return (int16_t)(chroma_product(cb, w->fixed[0]) + chroma_product(cr, w->fixed[1]));
}

ALWAYS_INLINE float exact_sum(uint8_t cb, uint8_t cr, const struct weights *w)
{
    return w->exact[0] * (float)(cb - 128) + w->exact[1] * (float)(cr - 128);
}

/* Rounds a sum to whole levels. */
ALWAYS_INLINE int16_t fixed_levels(int16_t sum)
{
    return (int16_t)((int16_t)(sum + CHROMA_LEVEL / 2) >> CHROMA_SHIFT);
}

ALWAYS_INLINE uint8_t clamped_byte(int16_t level)
{
    level = level < 0 ? 0 : level;
    return (uint8_t)(level < 255 ? level : 255);
}

/* --- chroma --- */

VARIANTS static void mix_row(uint8_t *restrict cb, uint8_t *restrict cr,
                             const struct weights *to_cb, const struct weights *to_cr, int n)
{
    const struct weights b = *to_cb, r = *to_cr;

    if (b.fits && r.fits)
        for (int i = 0; i < n; i++) {
            int16_t sum_b = fixed_sum(cb[i], cr[i], &b), sum_r = fixed_sum(cb[i], cr[i], &r);

            cb[i] = clamped_byte(fixed_levels((int16_t)(sum_b + 128 * CHROMA_LEVEL)));
            cr[i] = clamped_byte(fixed_levels((int16_t)(sum_r + 128 * CHROMA_LEVEL)));
        }
    else
        for (int i = 0; i < n; i++) {
            float sum_b = exact_sum(cb[i], cr[i], &b), sum_r = exact_sum(cb[i], cr[i], &r);

            cb[i] = (uint8_t)sample_round(sum_b + 128, 255);
            cr[i] = (uint8_t)sample_round(sum_r + 128, 255);
        }
}

void plane_mix_chroma(struct plane *cb, struct plane *cr, const float m[2][2])
{
    struct weights to_cb = weights_of(m[0]), to_cr = weights_of(m[1]);

    for (int y = 0; y < cb->height; y++)
        mix_row(plane_row(cb, y), plane_row(cr, y), &to_cb, &to_cr, cb->width);
}

/* --- luma --- */

enum { CHROMA_PIECE = 256 };

ALWAYS_INLINE void add_row(uint8_t *restrict luma, const int16_t *restrict more, int width)
{
    for (int x = 0; x < width; x++)
        luma[x] = clamped_byte((int16_t)(luma[x] + more[x]));
}

/* Computes what to add to the luma over n pixels of chroma; over twice as many pixels of luma if
 * `twice`. */
ALWAYS_INLINE void more_luma(const uint8_t *cb, const uint8_t *cr, const struct weights *w, int n,
                             bool twice, int16_t *more)
{
    for (int i = 0; i < n; i++) {
        int16_t one = w->fits ? fixed_levels(fixed_sum(cb[i], cr[i], w))
                              : (int16_t)((int)(exact_sum(cb[i], cr[i], w) + 1024.5f) - 1024);

        if (twice) {
            uint32_t two = (uint16_t)one * 0x10001u;

            memcpy(more + 2 * i, &two, sizeof two);
        } else {
            more[i] = one;
        }
    }
}

VARIANTS static void chroma_rows(struct plane *luma, const struct plane *cb, const struct plane *cr,
                                 const struct weights *weights)
{
    const struct weights w = *weights;
    bool wide = cb->width < luma->width, high = cb->height < luma->height;
    int16_t more[2 * CHROMA_PIECE];

    for (int x = 0; x < cb->width; x += CHROMA_PIECE)
        for (int y = 0; y < luma->height; y++) {
            int n = cb->width - x < CHROMA_PIECE ? cb->width - x : CHROMA_PIECE;
            int first = wide ? 2 * x : x, width = wide ? 2 * n : n, row = high ? y / 2 : y;

            width = width < luma->width - first ? width : luma->width - first;
            if (!high || y % 2 == 0)
                more_luma(plane_row(cb, row) + x, plane_row(cr, row) + x, &w, n, wide, more);
            add_row(plane_row(luma, y) + first, more, width);
        }
}

void plane_add_chroma(struct plane *luma, const struct plane *cb, const struct plane *cr,
                      const float per[2])
{
    struct weights w = weights_of(per);

    chroma_rows(luma, cb, cr, &w);
}
