/* deinterleave_u8: splits pixels of three bytes into channels, and joins them, 16 to 64 at a time
 * by shuffles if the processor has them. */
#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"
#include "pixels/simd/rgb_avx2.h"
#include "pixels/simd/rgb_avx512.h"

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

/* [channel][third]: the index, in a third of sixteen pixels, of each byte of a channel; -1:
 * none. */
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
const int8_t THIRDS_TOGETHER[3][3][16] = {
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
            shuffle[third][b] = shuffle_of(THIRDS_TOGETHER[third][b]);
    for (; i + 16 <= n; i += 16) {
        for (int b = 0; b < 3; b++)
            part[b] = _mm_loadu_si128((const __m128i *)(const void *)(channel[b] + i));
        for (size_t third = 0; third < 3; third++)
            _mm_storeu_si128((__m128i *)(void *)(out + 3 * i + 16 * third),
                             merged(part, shuffle[third]));
    }
    return i;
}

FOR_AVX2 static size_t pick_thirty_twos(const uint8_t *in, uint8_t *const channel[3], size_t n)
{
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m256i third[3];

        thirds_load(in + 3 * i, third);
        for (int b = 0; b < 3; b++)
            _mm256_storeu_si256((__m256i *)(void *)(channel[b] + i), merged_three(third, APART[b]));
    }
    return i;
}

FOR_AVX2 static size_t put_thirty_twos(const uint8_t *const channel[3], uint8_t *out, size_t n)
{
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        __m256i part[3];

        for (int b = 0; b < 3; b++)
            part[b] = _mm256_loadu_si256((const __m256i *)(const void *)(channel[b] + i));
        for (size_t k = 0; k < 3; k++)
            third_store(out + 3 * i, k, merged_three(part, THIRDS_TOGETHER[k]));
    }
    return i;
}

/* Sixty-four pixels in three registers. APART_64[channel] has the index of each byte of a channel,
 * counted from the first register on. Bytes from index 128 on are in the third register and are
 * selected by a mask. */
#define PLACE_APART(k, channel) 3 * (k) + (channel)
#define PLACE_TOGETHER(k, third) THIRD_PIXEL(64, k, third) + THIRD_GREEN(64, k, third)
static const uint8_t APART_64[3][64] = { SIXTY_FOUR(PLACE_APART, 0), SIXTY_FOUR(PLACE_APART, 1),
                                         SIXTY_FOUR(PLACE_APART, 2) };
static const uint8_t TOGETHER_64[3][64] = { SIXTY_FOUR(PLACE_TOGETHER, 0),
                                            SIXTY_FOUR(PLACE_TOGETHER, 1),
                                            SIXTY_FOUR(PLACE_TOGETHER, 2) };
static const uint64_t APART_THIRD[3] = { ~0ull << 43, ~0ull << 43, ~0ull << 42 };

FOR_AVX512_VBMI static size_t pick_sixty_fours(const uint8_t *in, uint8_t *const channel[3],
                                               size_t n)
{
    __m512i at[3];
    size_t i = 0;

    for (int b = 0; b < 3; b++)
        at[b] = _mm512_loadu_si512(APART_64[b]);
    for (; i + 64 <= n; i += 64) {
        __m512i x = _mm512_loadu_si512(in + 3 * i), y = _mm512_loadu_si512(in + 3 * i + 64);
        __m512i z = _mm512_loadu_si512(in + 3 * i + 128);

        for (int b = 0; b < 3; b++) {
            __m512i v = _mm512_permutex2var_epi8(x, at[b], y);

            v = _mm512_mask_permutexvar_epi8(v, APART_THIRD[b], at[b], z);
            _mm512_storeu_si512(channel[b] + i, v);
        }
    }
    return i;
}

FOR_AVX512_VBMI static size_t put_sixty_fours(const uint8_t *const channel[3], uint8_t *out,
                                              size_t n)
{
    __m512i at[3];
    size_t i = 0;

    for (int third = 0; third < 3; third++)
        at[third] = _mm512_loadu_si512(TOGETHER_64[third]);
    for (; i + 64 <= n; i += 64) {
        __m512i rgb[3];

        for (int b = 0; b < 3; b++)
            rgb[b] = _mm512_loadu_si512(channel[b] + i);
        for (int third = 0; third < 3; third++)
            _mm512_storeu_si512(out + 3 * i + 64 * third, third_of_bytes(rgb, third, at[third]));
    }
    return i;
}

/* Each loop handles the pixels that the previous one left. */
void bytes_deinterleave(const uint8_t *in, uint8_t *r, uint8_t *g, uint8_t *b, size_t n)
{
    size_t done = 0;

    if (cpu_has_feature(CPU_AVX512_VBMI))
        done = pick_sixty_fours(in, (uint8_t *const[]){ r, g, b }, n);
    if (cpu_has_feature(CPU_AVX2))
        done += pick_thirty_twos(in + 3 * done, (uint8_t *const[]){ r + done, g + done, b + done },
                                 n - done);
    if (cpu_has_feature(CPU_SSSE3))
        done += pick_sixteens(in + 3 * done, (uint8_t *const[]){ r + done, g + done, b + done },
                              n - done);
    pick_apart(in, (uint8_t *const[]){ r, g, b }, done, n);
}

void bytes_interleave(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *out, size_t n)
{
    size_t done = 0;

    if (cpu_has_feature(CPU_AVX512_VBMI))
        done = put_sixty_fours((const uint8_t *const[]){ r, g, b }, out, n);
    if (cpu_has_feature(CPU_AVX2))
        done += put_thirty_twos((const uint8_t *const[]){ r + done, g + done, b + done },
                                out + 3 * done, n - done);
    if (cpu_has_feature(CPU_SSSE3))
        done += put_sixteens((const uint8_t *const[]){ r + done, g + done, b + done },
                             out + 3 * done, n - done);
    put_together((const uint8_t *const[]){ r, g, b }, out, done, n);
}

#else

void bytes_deinterleave(const uint8_t *in, uint8_t *r, uint8_t *g, uint8_t *b, size_t n)
{
    pick_apart(in, (uint8_t *const[]){ r, g, b }, 0, n);
}

void bytes_interleave(const uint8_t *r, const uint8_t *g, const uint8_t *b, uint8_t *out, size_t n)
{
    put_together((const uint8_t *const[]){ r, g, b }, out, 0, n);
}

#endif
