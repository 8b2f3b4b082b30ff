/* find_labels: counts the labels of a mask and finds pixels with given labels. */
#include "pixels/plane.h"

#include <stdlib.h>
#include <string.h>

enum { LABELS = 65536 };

static int label_at(const struct plane *mask, const uint8_t *row, int x)
{
    return mask->type == PIXEL_U8 ? row[x] : ((const uint16_t *)(const void *)row)[x];
}

uint64_t plane_labels(const struct plane *mask, const int32_t *except, int n, uint64_t k, int *x,
                      int *y)
{
    uint8_t *counts = memory_take(LABELS);
    uint64_t found = 0;

    memset(counts, 1, LABELS);
    for (int i = 0; i < n; i++)
        if (except[i] >= 0 && except[i] < LABELS)
            counts[except[i]] = 0;
    for (int j = 0; j < mask->height; j++) {
        const uint8_t *row = (const uint8_t *)mask->px + (size_t)j * mask->stride;
        uint64_t before = found;

        for (int i = 0; i < mask->width; i++)
            found += counts[label_at(mask, row, i)];
        if (found <= k)
            continue;
        found = before;
        for (*x = 0, *y = j; (found += counts[label_at(mask, row, *x)]) <= k; ++*x)
            ;
        break;
    }
    free(counts);
    return found;
}

int plane_label_counts(const struct plane *mask, struct rect window, int except, uint64_t *all,
                       uint64_t *max_count)
{
    int labels = 0, top = mask->type == PIXEL_U8 ? 256 : LABELS;
    uint64_t *count = memory_take((size_t)top * sizeof *count);

    memset(count, 0, (size_t)top * sizeof *count);
    for (int j = window.y; j < window.y + window.h; j++) {
        const uint8_t *row = (const uint8_t *)mask->px + (size_t)j * mask->stride;

        for (int i = window.x; i < window.x + window.w; i++)
            count[label_at(mask, row, i)]++;
    }
    *all = *max_count = 0;
    for (int label = 0; label < top; label++)
        if (label != except && count[label]) {
            labels++;
            *all += count[label];
            *max_count = count[label] > *max_count ? count[label] : *max_count;
        }
    free(count);
    return labels;
}
