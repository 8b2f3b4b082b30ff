/* bytes_table: bytes looked up in a table of 256, where processors have shuffles many at a time. */
#include "samples.h"

static void look_up(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = table[in[i]];
}

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static __m256i choose(__m256i a, __m256i b, __m256i by_top_bits)
{
    return _mm256_blendv_epi8(a, b, by_top_bits);
}

/* The low half of a byte picks one of 16 from each of 16 pieces of the table; the bits of the high
 * half, brought to the top one after the other, pick one of two until one is left. */
AVX2 static size_t look_up_32(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    __m256i piece[16], low = _mm256_set1_epi8(15);
    size_t i = 0;

    for (int k = 0; k < 16; k++)
        piece[k] = _mm256_broadcastsi128_si256(
            _mm_loadu_si128((const __m128i *)(const void *)(table + 16 * k)));
    for (; i + 32 <= n; i += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(in + i)), found[16];
        __m256i at = _mm256_and_si256(v, low);

        for (int k = 0; k < 16; k++)
            found[k] = _mm256_shuffle_epi8(piece[k], at);
        for (int half = 8, shift = 3; half; half /= 2, shift--) {
            __m256i bit = _mm256_slli_epi16(v, shift);

            for (int k = 0; k < half; k++)
                found[k] = choose(found[2 * k], found[2 * k + 1], bit);
        }
        _mm256_storeu_si256((__m256i *)(void *)(out + i), found[0]);
    }
    return i;
}

void bytes_table(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    size_t done = __builtin_cpu_supports("avx2") ? look_up_32(in, out, table, n) : 0;

    look_up(in + done, out + done, table, n - done);
}

#else

void bytes_table(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    look_up(in, out, table, n);
}

#endif
