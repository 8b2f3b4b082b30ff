/* timing: the clock, the medians and the picture that the benchmarks of pixels share. */
#pragma once

#include "pixels/plane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Results are written here, so that the compiler cannot remove the work. */
static volatile double sink;

static inline double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return (v[n / 2] + v[(n - 1) / 2]) / 2;
}

/* Waves and a little noise, so that no branch is learnt by heart. */
static inline void draw(struct plane *p)
{
    uint32_t random = 1;

    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int b = 0; b < p->channels; b++) {
                size_t i = (size_t)(x * p->channels + b);
                unsigned char *row = (unsigned char *)p->px + (size_t)y * p->stride;
                double v = 0.5 + 0.4 * sin(x * 0.05 + b) * cos(y * 0.04);

                random = random * 1664525u + 1013904223u;
                v += (double)(random >> 8) * 0x1p-24 * 0.1;
                if (p->type == PIXEL_U8)
                    row[i] = (uint8_t)(v * 255);
                else if (p->type == PIXEL_U16)
                    ((uint16_t *)(void *)row)[i] = (uint16_t)(v * 65535);
                else
                    ((float *)(void *)row)[i] = (float)v;
            }
}

/* Like the loops, a copy is timed twice, and the better time counts. */
static inline double timed_copy(void *to, const void *from, size_t size)
{
    double best = 1e300;

    for (int i = 0; i < 2; i++) {
        double start = now(), spent;

        memcpy(to, from, size);
        sink = ((unsigned char *)to)[size / 2];
        spent = now() - start;
        best = spent < best ? spent : best;
    }
    return best;
}
