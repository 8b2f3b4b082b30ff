/* noise: value noise on a hashed lattice. */
#include "noise.h"

#include <math.h>

double noise_at(int x, int y, uint32_t seed)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ seed * 0xcb1ab31fu;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    h ^= h >> 15;
    return h / 4294967296.0;
}

static double ease(double t)
{
    return t * t * (3 - 2 * t);
}

double noise_smooth(double x, double y, uint32_t seed)
{
    int ix = (int)floor(x), iy = (int)floor(y);
    double u = ease(x - ix), v = ease(y - iy);
    double a = noise_at(ix, iy, seed), b = noise_at(ix + 1, iy, seed);
    double c = noise_at(ix, iy + 1, seed), d = noise_at(ix + 1, iy + 1, seed);

    return 2 * (a + u * (b - a) + v * (c - a + u * (a - b - c + d))) - 1;
}

double noise_fractal(double x, double y, uint32_t seed, int octaves)
{
    double sum = 0, share = 0.6;

    for (int k = 0; k < octaves; k++) {
        sum += share * noise_smooth(x, y, seed + (uint32_t)k);
        share *= 0.5;
        x *= 2;
        y *= 2;
    }
    return sum;
}
