/* resize_half: bytes to half their size by means of two and two, as a plain bilinear resize has it.
 */
#include "resize_axis.h"
#include "samples.h"

static bool takes_means(const struct axis *a, int n)
{
    bool means = a->taps == 2;

    for (int k = 0; means && k < n; k++)
        means = a->weight[2 * k] == 0.5f && a->weight[2 * k + 1] == 0.5f &&
                a->first[k] == a->first[0] + 2 * k;
    return means;
}

bool resize_is_half(const struct axis *x, int width, const struct axis *y, int height)
{
    return cpu_has(CPU_AVX512_VBMI) && takes_means(x, width) && takes_means(y, height);
}

#ifdef CPU_HAS_INTRINSICS

/* Bytes of two neighbours are brought side by side, for as many whole pixels of the output as 64
 * bytes make, and added up by one instruction; so are those of the row below. The sum of four is
 * exact: it rounds as the sums of resize_bytes.c do. */
FOR_AVX512_VBMI static void halve(const uint8_t *above, const uint8_t *below, uint8_t *to,
                                  size_t samples, size_t channels)
{
    const size_t piece = 32 / channels * channels;
    const __m512i one = _mm512_set1_epi8(1), half = _mm512_set1_epi16(2);
    uint8_t side_by_side[64] = { 0 };
    __m512i order;

    for (size_t i = 0; i < piece; i++) {
        size_t byte = i / channels * 2 * channels + i % channels;

        side_by_side[2 * i] = (uint8_t)byte;
        side_by_side[2 * i + 1] = (uint8_t)(byte + channels);
    }
    order = _mm512_loadu_si512(side_by_side);
    for (size_t at = 0; at < samples; at += piece) {
        size_t n = samples - at < piece ? samples - at : piece;
        __mmask64 reads = ~0ull >> (64 - 2 * n);
        __m512i a = _mm512_maskz_loadu_epi8(reads, above + 2 * at);
        __m512i b = _mm512_maskz_loadu_epi8(reads, below + 2 * at);
        __m512i sum = _mm512_add_epi16(
            _mm512_add_epi16(_mm512_maddubs_epi16(_mm512_permutexvar_epi8(order, a), one),
                             _mm512_maddubs_epi16(_mm512_permutexvar_epi8(order, b), one)),
            half);

        _mm512_mask_cvtepi16_storeu_epi8(to + at, (__mmask32)(~0u >> (32 - n)),
                                         _mm512_srli_epi16(sum, 2));
    }
}

#endif

void resize_half_row(const struct plane *in, int left, int top, struct plane *out, int y)
{
#ifdef CPU_HAS_INTRINSICS
    size_t channels = (size_t)in->channels, at = (size_t)left * channels;

    halve(plane_row(in, top) + at, plane_row(in, top + 1) + at, plane_row(out, y),
          (size_t)out->width * channels, channels);
#else
    (void)in, (void)left, (void)top, (void)out, (void)y; /* resize_is_half says no */
#endif
}
