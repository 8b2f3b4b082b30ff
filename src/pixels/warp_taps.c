/* warp_taps: taps picked by shuffles of 32 bytes, or as wide as the processor has them. */
#include "warp_taps.h"

#ifdef CPU_HAS_INTRINSICS

/* From the first to the last of eight pixels, y may move by 2, whole pixels counted; and x so far
 * that the taps of eight lanes lie in sixteen bytes, and those in `reach_of`; forth and back. */
bool walk_is_shuffled(const struct mat3 *inverse, int channels)
{
    static const double MOST[4][2] = {
        { 1.99, 1.99 }, { 1.24, 1.24 }, { 1.14, 0.79 }, { 1.14, 1.14 }
    };
    double along = inverse->m[0];

    return cpu_has(CPU_AVX2) && fabs(inverse->m[3]) < 0.28 &&
           fabs(along) < MOST[channels - 1][along < 0];
}

FOR_AVX2 static void walk_shuffled_32(const struct plane *in, const struct mat3 *inverse,
                                      const uint64_t from[2], const uint64_t step[2], uint8_t *to,
                                      int n)
{
    walk_any(in, inverse, from, step, to, n);
}

void walk_shuffled(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                   const uint64_t step[2], uint8_t *to, int n)
{
    (cpu_has(CPU_AVX512_VBMI) ? walk_shuffled_64 : walk_shuffled_32)(in, inverse, from, step, to,
                                                                     n);
}

#else

bool walk_is_shuffled(const struct mat3 *inverse, int channels)
{
    (void)inverse, (void)channels;
    return false;
}

void walk_shuffled(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                   const uint64_t step[2], uint8_t *to, int n)
{
    (void)in, (void)inverse, (void)from, (void)step, (void)to, (void)n;
}

#endif
