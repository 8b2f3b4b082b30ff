/* warp_shuffle_avx512: picks taps by shuffles of 64 bytes. */
#define TAPS_64
#include "pixels/move/warp_shuffle_template.h"

#ifdef CPU_HAS_INTRINSICS

FOR_AVX512_VBMI void walk_shuffled_64(const struct plane *in, const struct walk *w,
                                      const uint64_t from[2], uint8_t *to, int n)
{
    walk_any(in, w, from, to, n);
}

#else

void walk_shuffled_64(const struct plane *in, const struct walk *w, const uint64_t from[2],
                      uint8_t *to, int n)
{
    (void)in, (void)w, (void)from, (void)to, (void)n;
}

#endif
