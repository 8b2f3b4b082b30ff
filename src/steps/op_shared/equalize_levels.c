/* equalize_levels: histogram equalization by PIL's or OpenCV's formula. */
#include "steps/op_shared/equalize_levels.h"

#include "steps/op_shared/rows.h"

#include <math.h>

/* Returns the new value of a level. 8 bits: PIL's and torchvision's arithmetic, with an integer
 * number of pixels per step. 16 bits: the same without rounding the step, as images with fewer
 * pixels than levels have a step below 1, and a rounded step overshoots in others. Pixels of the
 * highest level are not counted; a channel with too few other pixels stays. */
static uint64_t spread_level(uint64_t below, uint64_t rest, uint64_t top, uint64_t level)
{
    uint64_t step = rest / top;

    if (top > 255)
        return rest ? (below * top + rest / 2) / rest : level;
    return step ? (below + step / 2) / step : level;
}

static void spread_pil(const uint32_t *count, int levels, uint32_t *to)
{
    uint64_t all = 0, last = 0, below = 0, top = (uint64_t)levels - 1;

    for (int i = 0; i < levels; i++) {
        all += count[i];
        last = count[i] ? count[i] : last;
    }
    for (int i = 0; i < levels; i++) {
        uint64_t level = spread_level(below, all - last, top, (uint64_t)i);

        to[i] = (uint32_t)(level < top ? level : top);
        below += count[i];
    }
}

/* OpenCV's formula: pixels of the lowest level in use are not counted, and become 0. Rounds to the
 * nearest level, halves to even. A channel of one level stays. */
static void spread_cv(const uint32_t *count, int levels, uint32_t *to)
{
    uint64_t all = 0, first = 0, up_to = 0, top = (uint64_t)levels - 1;

    for (int i = 0; i < levels; i++) {
        first = first ? first : count[i];
        all += count[i];
    }
    for (int i = 0; i < levels; i++) {
        up_to += count[i];
        to[i] = all == first ? (uint32_t)i
                : up_to < first
                    ? 0
                    : (uint32_t)nearbyint((double)((up_to - first) * top) / (double)(all - first));
    }
}

void levels_spread(const uint32_t *count, int levels, int mode, uint32_t *to)
{
    if (mode == EQUALIZE_CV)
        spread_cv(count, levels, to);
    else
        spread_pil(count, levels, to);
}
