/* resize_row_u8: resamples a row of bytes along the row, in 16-bit fixed point. */
#include "pixels/move/resize_row_u8.h"

#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Resamples the pixels of a row from a line. It writes bytes from a line of summed rows, or words
 * from a line of source bytes. */
ALWAYS_INLINE void pixels_along(const struct resizer_bytes *w, const uint16_t *line, void *to,
                                bool bytes, int channels)
{
    int shift = bytes ? SCALE + ALONG : ALONG - SCALE;

    for (int x = 0; x < w->out->width; x++) {
        const uint16_t *from = line + w->x.first[x] * channels;
        const uint16_t *weight = w->along + (size_t)x * (size_t)w->pairs * 2;

        for (int b = 0; b < channels; b++) {
            uint32_t sum = 1u << shift >> 1;

            for (int t = 0; t < 2 * w->pairs; t++)
                sum += (uint32_t)weight[t] * from[t * channels + b];
            if (bytes)
                ((uint8_t *)to)[x * channels + b] = (uint8_t)(sum >> shift);
            else
                ((uint16_t *)to)[x * channels + b] = (uint16_t)(sum >> shift);
        }
    }
}

ALWAYS_INLINE void pixels_along_channels(const struct resizer_bytes *w, const uint16_t *line,
                                         void *to, bool bytes)
{
    switch (w->in->channels) {
    case 1:
        pixels_along(w, line, to, bytes, 1);
        break;
    case 2:
        pixels_along(w, line, to, bytes, 2);
        break;
    case 3:
        pixels_along(w, line, to, bytes, 3);
        break;
    case 4:
        pixels_along(w, line, to, bytes, 4);
        break;
    }
}

VARIANTS static void along_to_bytes(const struct resizer_bytes *w, const uint16_t *line, void *to)
{
    pixels_along_channels(w, line, to, true);
}

VARIANTS static void along_to_words(const struct resizer_bytes *w, const uint16_t *line, void *to)
{
    pixels_along_channels(w, line, to, false);
}

#ifdef CPU_HAS_INTRINSICS

/* Returns the order that makes words of each channel of two adjacent pixels adjacent. */
FOR_SSSE3 static __m128i pair_order(size_t channels)
{
    uint8_t order[16];

    for (size_t b = 0; b < 4; b++)
        for (size_t i = 0; i < 4; i++)
            order[4 * b + i] = (uint8_t)(b < channels ? 2 * (b + channels * (i / 2)) + i % 2 : 0);
    return _mm_loadu_si128((const __m128i *)(const void *)order);
}

/* Returns the order that packs two pixels of four words without the unused channels. */
FOR_SSSE3 static __m128i words_close(size_t channels)
{
    uint8_t order[16];

    for (size_t i = 0; i < sizeof order; i++)
        order[i] = (uint8_t)(i < 2 * channels ? i : i < 4 * channels ? i - 2 * channels + 8 : 0x80);
    return _mm_loadu_si128((const __m128i *)(const void *)order);
}

/* Returns the sums of two pixels. `from` and `weight` belong to the first; the second is at the
 * given distances after them. */
INLINE_FOR_AVX2 __m256i sums_of_two(const uint16_t *from, ptrdiff_t other, const uint16_t *weight,
                                    int pairs, size_t step, __m256i order, __m256i sum)
{
    for (int j = 0; j < pairs; j++, from += step, weight += 2) {
        int one, two;

        memcpy(&one, weight, sizeof one);
        memcpy(&two, weight + 4 * (size_t)pairs, sizeof two);
        sum = _mm256_add_epi32(
            sum, _mm256_madd_epi16(
                     _mm256_shuffle_epi8(
                         _mm256_loadu2_m128i((const __m128i *)(const void *)(from + other),
                                             (const __m128i *)(const void *)from),
                         order),
                     _mm256_blend_epi32(_mm256_set1_epi32(one), _mm256_set1_epi32(two), 0xF0)));
    }
    return sum;
}

/* Handles pixels of two to four channels, four at a time, except the last ones. Surplus writes
 * after a pixel are overwritten. Returns how many were done. */
INLINE_FOR_AVX2 int along_fours(const struct resizer_bytes *w, const uint16_t *line, void *to,
                                bool bytes, int pairs)
{
    size_t channels = (size_t)w->in->channels, step = 2 * channels;
    int shift = bytes ? SCALE + ALONG : ALONG - SCALE, x = 0;
    __m256i half = _mm256_set1_epi32(1 << (shift - 1));
    __m256i order = _mm256_broadcastsi128_si256(pair_order(channels));
    __m256i close = _mm256_broadcastsi128_si256(words_close(channels));
    const uint16_t *weight = w->along;

    for (; x + 8 <= w->out->width; x += 4, weight += 8 * (size_t)pairs) {
        const int32_t *first = w->x.first + x;
        ptrdiff_t across = (ptrdiff_t)channels;
        __m256i even = sums_of_two(line + first[0] * across, (first[2] - first[0]) * across, weight,
                                   pairs, step, order, half);
        __m256i odd = sums_of_two(line + first[1] * across, (first[3] - first[1]) * across,
                                  weight + 2 * pairs, pairs, step, order, half);
        __m256i four = _mm256_shuffle_epi8(
            _mm256_packs_epi32(_mm256_srai_epi32(even, shift), _mm256_srai_epi32(odd, shift)),
            close);

        if (bytes) {
            uint8_t *at = (uint8_t *)to + (size_t)x * channels;

            four = _mm256_packus_epi16(four, four);
            _mm_storel_epi64((__m128i *)(void *)at, _mm256_castsi256_si128(four));
            _mm_storel_epi64((__m128i *)(void *)(at + step), _mm256_extracti128_si256(four, 1));
        } else {
            uint16_t *at = (uint16_t *)to + (size_t)x * channels;

            _mm_storeu_si128((__m128i *)(void *)at, _mm256_castsi256_si128(four));
            _mm_storeu_si128((__m128i *)(void *)(at + step), _mm256_extracti128_si256(four, 1));
        }
    }
    return x;
}

FOR_AVX2 static int along_by_fours(const struct resizer_bytes *w, const uint16_t *line, void *to,
                                   bool bytes)
{
    if (w->pairs == 1)
        return bytes ? along_fours(w, line, to, true, 1) : along_fours(w, line, to, false, 1);
    return bytes ? along_fours(w, line, to, true, w->pairs)
                 : along_fours(w, line, to, false, w->pairs);
}

/* Handles the pixels from x on, one at a time, with the words of two source pixels side by side. Up
 * to three surplus samples are written, which the last pixels avoid. */
FOR_SSSE3 static void along_pixels(const struct resizer_bytes *w, const uint16_t *line, void *to,
                                   bool bytes, int x)
{
    size_t channels = (size_t)w->in->channels, step = 2 * channels;
    __m128i count = _mm_cvtsi32_si128(bytes ? SCALE + ALONG : ALONG - SCALE);
    __m128i half = _mm_set1_epi32(bytes ? 1 << (SCALE + ALONG - 1) : 1 << (ALONG - SCALE - 1));
    __m128i order = pair_order(channels);
    const uint16_t *weight = w->along + (size_t)x * (size_t)w->pairs * 2;

    for (; x < w->out->width; x++) {
        const uint16_t *from = line + (size_t)w->x.first[x] * channels;
        __m128i sum = half;

        for (int j = 0; j < w->pairs; j++, from += step, weight += 2) {
            int two;

            memcpy(&two, weight, sizeof two);
            sum = _mm_add_epi32(
                sum,
                _mm_madd_epi16(
                    _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)from), order),
                    _mm_set1_epi32(two)));
        }
        sum = _mm_sra_epi32(sum, count);
        sum = _mm_packs_epi32(sum, sum);
        if (bytes) {
            int four = _mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));

            memcpy((uint8_t *)to + (size_t)x * channels, &four,
                   x < w->out->width - 4 ? 4 : channels);
        } else {
            _mm_storel_epi64((__m128i *)(void *)((uint16_t *)to + (size_t)x * channels), sum);
        }
    }
}

/* Picks words from windows of 32, 64 or 128 words. */
__attribute__((target("avx512bw,avx512vbmi"), always_inline)) static inline __m512i
lanes_pick(const uint16_t *from, __m512i index, __mmask32 far, int reach)
{
    __m512i near = _mm512_loadu_si512(from);

    if (reach <= 32)
        return _mm512_permutexvar_epi16(index, near);
    near = _mm512_permutex2var_epi16(near, index, _mm512_loadu_si512(from + 32));
    if (reach <= 64)
        return near;
    return _mm512_mask_mov_epi16(near, far,
                                 _mm512_permutex2var_epi16(_mm512_loadu_si512(from + 64), index,
                                                           _mm512_loadu_si512(from + 96)));
}

__attribute__((target("avx512bw,avx512vbmi"), always_inline)) static inline void
lanes_row(const struct resizer_bytes *w, const uint16_t *line, void *to, bool bytes, int reach)
{
    size_t step = 2 * (size_t)w->in->channels;
    const uint16_t *weight = w->weights;
    const struct lanes *l = w->lanes;

    for (size_t at = 0; at < w->n; at += LANES, l++) {
        const uint16_t *from = line + l->base;
        __m512i index = _mm512_loadu_si512(l->index);
        __mmask32 far = reach > 64 ? _mm512_cmpgt_epu16_mask(index, _mm512_set1_epi16(63)) : 0;
        __m512i sum =
            _mm512_set1_epi32(bytes ? 1 << (SCALE + ALONG - 1) : 1 << (ALONG - SCALE - 1));

        for (int j = 0; j < w->pairs; j++, from += step, weight += 2 * LANES)
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(lanes_pick(from, index, far, reach),
                                                          _mm512_loadu_si512(weight)));
        if (bytes) {
            __m128i levels = _mm512_cvtepi32_epi8(_mm512_srai_epi32(sum, SCALE + ALONG));

            if (w->n - at >= LANES)
                _mm_storeu_si128((__m128i *)(void *)((uint8_t *)to + at), levels);
            else
                memcpy((uint8_t *)to + at, &levels, w->n - at);
        } else {
            _mm256_storeu_si256((__m256i *)(void *)((uint16_t *)to + at),
                                _mm512_cvtepi32_epi16(_mm512_srai_epi32(sum, ALONG - SCALE)));
        }
    }
}

FOR_AVX512_VBMI static void along_lanes(const struct resizer_bytes *w, const uint16_t *line,
                                        void *to, bool bytes)
{
    if (w->reach <= 32)
        bytes ? lanes_row(w, line, to, true, 32) : lanes_row(w, line, to, false, 32);
    else if (w->reach <= 64)
        bytes ? lanes_row(w, line, to, true, 64) : lanes_row(w, line, to, false, 64);
    else
        bytes ? lanes_row(w, line, to, true, 128) : lanes_row(w, line, to, false, 128);
}

/* After the last sample, lanes repeat it. */
static void lanes_make(struct resizer_bytes *w)
{
    size_t channels = (size_t)w->in->channels, pairs = (size_t)w->pairs;
    size_t groups = (w->n + LANES - 1) / LANES;

    w->lanes = memory_take(groups * sizeof *w->lanes);
    w->weights = memory_take(groups * pairs * 2 * LANES * sizeof *w->weights);
    for (size_t g = 0; g < groups; g++) {
        struct lanes *l = &w->lanes[g];

        l->base = (size_t)w->x.first[g * LANES / channels] * channels;
        for (size_t i = 0; i < LANES; i++) {
            size_t at = g * LANES + i < w->n ? g * LANES + i : w->n - 1, x = at / channels;
            size_t word = (size_t)w->x.first[x] * channels + at % channels - l->base;
            uint16_t *weight = w->weights + (g * pairs * LANES + i) * 2;

            l->index[2 * i] = (uint16_t)word;
            l->index[2 * i + 1] = (uint16_t)(word + channels);
            w->reach = (int)(word + channels) >= w->reach ? (int)(word + channels) + 1 : w->reach;
            for (size_t j = 0; j < pairs; j++)
                memcpy(weight + j * 2 * LANES, w->along + (x * pairs + j) * 2, 2 * sizeof *weight);
        }
    }
}

#endif

void resize_along(const struct resizer_bytes *w, const uint16_t *line, void *to, bool bytes)
{
#ifdef CPU_HAS_INTRINSICS
    if (w->lanes && w->reach <= 128) {
        along_lanes(w, line, to, bytes);
        return;
    }
    if (w->in->channels > 1 && cpu_has_feature(CPU_SSSE3)) {
        along_pixels(w, line, to, bytes,
                     cpu_has_feature(CPU_AVX2) ? along_by_fours(w, line, to, bytes) : 0);
        return;
    }
#endif
    if (bytes)
        along_to_bytes(w, line, to);
    else
        along_to_words(w, line, to);
}

void resize_along_begin(struct resizer_bytes *w)
{
#ifdef CPU_HAS_INTRINSICS
    if (cpu_has_feature(CPU_AVX512_VBMI))
        lanes_make(w);
#else
    (void)w;
#endif
}
