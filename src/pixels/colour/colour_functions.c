/* colour_functions: functions of the colors of n pixels, as plane_colour calls them. */
#include "pixels/samples.h"

void colour_same(const void *context, float *restrict r, float *restrict g, float *restrict b,
                 int n)
{
    (void)context;
    (void)r;
    (void)g;
    (void)b;
    (void)n;
}

void colour_permute(const void *context, float *restrict r, float *restrict g, float *restrict b,
                    int n)
{
    const int *from = context;

    for (int i = 0; i < n; i++) {
        float old[3] = { r[i], g[i], b[i] };

        r[i] = old[from[0]];
        g[i] = old[from[1]];
        b[i] = old[from[2]];
    }
}

ALWAYS_INLINE float luma(float r, float g, float b)
{
    return 0.299f * r + 0.587f * g + 0.114f * b;
}

/* Gray is rounded down, as in torchvision's tensors, so that factors above 2 stay within a
 * level. */
VARIANTS static void saturate(float factor, float *restrict r, float *restrict g, float *restrict b,
                              int n)
{
    float rest = 1 - factor;

    for (int i = 0; i < n; i++) {
        float gray = (float)(int)(0.2989f * r[i] + 0.587f * g[i] + 0.114f * b[i]) * rest;

        r[i] = gray + r[i] * factor;
        g[i] = gray + g[i] * factor;
        b[i] = gray + b[i] * factor;
    }
}

void colour_luma(const void *context, float *restrict r, float *restrict g, float *restrict b,
                 int n)
{
    (void)context;
    for (int i = 0; i < n; i++)
        r[i] = g[i] = b[i] = luma(r[i], g[i], b[i]);
}

void colour_saturate(const void *context, float *restrict r, float *restrict g, float *restrict b,
                     int n)
{
    saturate(*(const float *)context, r, g, b, n);
}

VARIANTS void colour_by_matrix(const void *context, float *restrict r, float *restrict g,
                               float *restrict b, int n)
{
    const struct colour_matrix k = *(const struct colour_matrix *)context;

    for (int i = 0; i < n; i++) {
        float red = r[i], green = g[i], blue = b[i];

        r[i] = k.m[0][0] * red + k.m[0][1] * green + k.m[0][2] * blue + k.m[0][3];
        g[i] = k.m[1][0] * red + k.m[1][1] * green + k.m[1][2] * blue + k.m[1][3];
        b[i] = k.m[2][0] * red + k.m[2][1] * green + k.m[2][2] * blue + k.m[2][3];
    }
}
