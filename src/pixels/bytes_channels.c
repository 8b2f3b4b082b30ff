/* bytes_channels: pixels of three bytes picked apart into channels, and put together again; where
 * processors have shuffles, sixteen at a time. */
#include "samples.h"

static void pick_apart(const uint8_t *in, uint8_t *const channel[3], size_t begin, size_t n)
{
    for (size_t i = begin; i < n; i++)
        for (size_t b = 0; b < 3; b++)
            channel[b][i] = in[3 * i + b];
}

static void put_together(const uint8_t *const channel[3], uint8_t *out, size_t begin, size_t n)
{
    for (size_t i = begin; i < n; i++)
        for (size_t b = 0; b < 3; b++)
            out[3 * i + b] = channel[b][i];
}

#ifdef CPU_HAS_INTRINSICS

/* Sixteen pixels are three times 16 bytes. APART[channel][third]: where in a third the bytes of a
 * channel lie; TOGETHER[third][channel]: which bytes of a channel a third takes; -1: none. */
static const int8_t APART[3][3][16] = {
    { { 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 4, 7, 10, 13 } },
    { { 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 5, 8, 11, 14 } },
    { { 2, 5, 8, 11, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, 1, 4, 7, 10, 13, -1, -1, -1, -1, -1, -1 },
      { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 3, 6, 9, 12, 15 } }
};
static const int8_t TOGETHER[3][3][16] = {
    { { 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1, 5 },
      { -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1, -1 },
      { -1, -1, 0, -1, -1, 1, -1, -1, 2, -1, -1, 3, -1, -1, 4, -1 } },
    { { -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10, -1 },
      { 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1, 10 },
      { -1, 5, -1, -1, 6, -1, -1, 7, -1, -1, 8, -1, -1, 9, -1, -1 } },
    { { -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1, -1 },
      { -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15, -1 },
      { 10, -1, -1, 11, -1, -1, 12, -1, -1, 13, -1, -1, 14, -1, -1, 15 } }
};

INLINE_FOR_SSSE3 __m128i shuffle_of(const int8_t at[16])
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

INLINE_FOR_SSSE3 __m128i merged(const __m128i part[3], const __m128i shuffle[3])
{
    __m128i a = _mm_shuffle_epi8(part[0], shuffle[0]), b = _mm_shuffle_epi8(part[1], shuffle[1]);

    return _mm_or_si128(_mm_or_si128(a, b), _mm_shuffle_epi8(part[2], shuffle[2]));
}

FOR_SSSE3 static size_t pick_sixteens(const uint8_t *in, uint8_t *const channel[3], size_t n)
{
    __m128i shuffle[3][3], part[3];
    size_t i = 0;

    for (int b = 0; b < 3; b++)
        for (int third = 0; third < 3; third++)
            shuffle[b][third] = shuffle_of(APART[b][third]);
    for (; i + 16 <= n; i += 16) {
        for (size_t third = 0; third < 3; third++)
            part[third] = _mm_loadu_si128((const __m128i *)(const void *)(in + 3 * i + 16 * third));
        for (int b = 0; b < 3; b++)
            _mm_storeu_si128((__m128i *)(void *)(channel[b] + i), merged(part, shuffle[b]));
    }
    return i;
}

FOR_SSSE3 static size_t put_sixteens(const uint8_t *const channel[3], uint8_t *out, size_t n)
{
    __m128i shuffle[3][3], part[3];
    size_t i = 0;

    for (int third = 0; third < 3; third++)
        for (int b = 0; b < 3; b++)
            shuffle[third][b] = shuffle_of(TOGETHER[third][b]);
    for (; i + 16 <= n; i += 16) {
        for (int b = 0; b < 3; b++)
            part[b] = _mm_loadu_si128((const __m128i *)(const void *)(channel[b] + i));
        for (size_t third = 0; third < 3; third++)
            _mm_storeu_si128((__m128i *)(void *)(out + 3 * i + 16 * third),
                             merged(part, shuffle[third]));
    }
    return i;
}

void bytes_apart(const uint8_t *in, uint8_t *r, uint8_t *g, uint8_t *b, size_t n)
{
    uint8_t *const channel[] = { r, g, b };

    pick_apart(in, channel, cpu_has(CPU_SSSE3) ? pick_sixteens(in, channel, n) : 0, n);
}

void bytes_together(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *out, size_t n)
{
    const uint8_t *const channel[] = { r, g, b };

    put_together(channel, out, cpu_has(CPU_SSSE3) ? put_sixteens(channel, out, n) : 0, n);
}

#else

void bytes_apart(const uint8_t *in, uint8_t *r, uint8_t *g, uint8_t *b, size_t n)
{
    pick_apart(in, (uint8_t *const[]){ r, g, b }, 0, n);
}

void bytes_together(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *out, size_t n)
{
    put_together((const uint8_t *const[]){ r, g, b }, out, 0, n);
}

#endif
