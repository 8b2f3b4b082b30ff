/* lookup_u8: looks up bytes in a table of 256 entries, many at a time by shuffles if the processor
 * has them. */
#include "pixels/samples.h"

static void look_up(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = table[in[i]];
}

#ifdef CPU_HAS_INTRINSICS

FOR_AVX2 static __m256i choose(__m256i a, __m256i b, __m256i by_top_bits)
{
    return _mm256_blendv_epi8(a, b, by_top_bits);
}

/* The low half of a byte selects one of 16 entries from each of 16 pieces of the table. Then each
 * bit of the high half, moved to the top, selects one of two results, until one is left. */
FOR_AVX2 static size_t look_up_32(const uint8_t *in, uint8_t *out, const uint8_t table[256],
                                  size_t n)
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

/* Six bits of a byte select one of 64 entries from each quarter of the table; the other two bits
 * select the quarter. Shuffles of two registers would select one of 128. But if they run densely, a
 * Xeon of 2023 lowers its clock to 0.93 for milliseconds. */
FOR_AVX512_VBMI static size_t look_up_64(const uint8_t *in, uint8_t *out, const uint8_t table[256],
                                         size_t n)
{
    __m512i quarter[4];
    size_t i = 0;

    for (int k = 0; k < 4; k++)
        quarter[k] = _mm512_loadu_si512(table + 64 * k);
    for (; i + 64 <= n; i += 64) {
        prefetch_written(out + i, 64);
        __m512i v = _mm512_loadu_si512(in + i);
        __mmask64 odd = _mm512_movepi8_mask(_mm512_slli_epi16(v, 1));
        __m512i low = _mm512_permutexvar_epi8(v, quarter[0]);
        __m512i high = _mm512_permutexvar_epi8(v, quarter[2]);

        low = _mm512_mask_permutexvar_epi8(low, odd, v, quarter[1]);
        high = _mm512_mask_permutexvar_epi8(high, odd, v, quarter[3]);
        _mm512_storeu_si512(out + i, _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high));
    }
    return i;
}

void bytes_look_up(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    size_t done = cpu_has_feature(CPU_AVX512_VBMI) ? look_up_64(in, out, table, n) : 0;

    if (n - done >= 32 && cpu_has_feature(CPU_AVX2))
        done += look_up_32(in + done, out + done, table, n - done);
    look_up(in + done, out + done, table, n - done);
}

#else

void bytes_look_up(const uint8_t *in, uint8_t *out, const uint8_t table[256], size_t n)
{
    look_up(in, out, table, n);
}

#endif
