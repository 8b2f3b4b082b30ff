/* warp_taps_64: taps picked by shuffles of 64 bytes. */
#define TAPS_64
#include "warp_taps.h"

#ifdef CPU_HAS_INTRINSICS

FOR_AVX512_VBMI void walk_shuffled_64(const struct plane *in, const struct mat3 *inverse,
                                      const uint64_t from[2], const uint64_t step[2], uint8_t *to,
                                      int n)
{
    walk_any(in, inverse, from, step, to, n);
}

#else

void walk_shuffled_64(const struct plane *in, const struct mat3 *inverse, const uint64_t from[2],
                      const uint64_t step[2], uint8_t *to, int n)
{
    (void)in, (void)inverse, (void)from, (void)step, (void)to, (void)n;
}

#endif
