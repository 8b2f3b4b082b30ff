/* thirds_64: 64 pixels of three bytes from a vector of each channel, for AVX-512: a third of them
 * at a time, red and green bytes by one shuffle, blue ones by another under a mask; only for
 * bytes_channels.c, weigh_64.c and jpeg_colours.c. */
#pragma once

#include "../base/cpu.h"

#include <stdint.h>

#ifdef CPU_HAS_INTRINSICS

/* Of byte k of a third: its pixel, and what is added to where this is in a channel's vector, for
 * green ones are in the second of two. */
#define THIRD_PIXEL(k, third) ((64 * (third) + (k)) / 3)
#define THIRD_VECTOR(k, third) ((64 * (third) + (k)) % 3 == 1 ? 64 : 0)

static const uint64_t THIRD_BLUE[3] = { 0x4924924924924924, 0x2492492492492492,
                                        0x9249249249249249 };

/* `at`: where each byte is. */
INLINE_FOR_AVX512_VBMI __m512i third_together(const __m512i channel[3], int third, __m512i at)
{
    __m512i v = _mm512_permutex2var_epi8(channel[0], at, channel[1]);

    return _mm512_mask_permutexvar_epi8(v, THIRD_BLUE[third], at, channel[2]);
}

#endif
