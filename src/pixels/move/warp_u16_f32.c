/* warp_u16_f32: blends pixels of 16 bits or of floats bilinearly. Vectors blend the four taps of a
 * pixel at once. They use the operations of blend_float in the same order, so the results are the
 * same. */
#include "pixels/move/warp_u16_f32.h"

#ifdef CPU_HAS_INTRINSICS

/* Where the taps of a block's pixels begin in the source, in bytes, and the fractions after them.
 * Pixels outside have any valid taps. */
struct taps {
    uint32_t at[BLOCK]; /* bytes */
    float x[BLOCK], y[BLOCK];
};

/* Returns the whole pixels of four positions, 0 for positions outside 0 <= p < limit; *rest is
 * their fraction. */
INLINE_FOR_AVX2 __m128i whole_pixels(const double *at, double limit, __m128 *rest)
{
    __m256d p = _mm256_max_pd(_mm256_loadu_pd(at), _mm256_setzero_pd()); /* NaN becomes 0 */
    __m128i whole;

    p = _mm256_and_pd(p, _mm256_cmp_pd(p, _mm256_set1_pd(limit), _CMP_LT_OQ));
    whole = _mm256_cvttpd_epi32(p);
    *rest = _mm256_cvtpd_ps(_mm256_sub_pd(p, _mm256_cvtepi32_pd(whole)));
    return whole;
}

FOR_AVX2 static void find_taps(const struct warp *w, const struct positions *p, struct taps *t)
{
    const __m128i stride = _mm_set1_epi32((int)w->in->stride), size = _mm_set1_epi32((int)w->size);

    for (int i = 0; i < BLOCK; i += 4) {
        __m128 fx, fy;
        __m128i x = whole_pixels(p->x + i, w->limits.width, &fx);
        __m128i y = whole_pixels(p->y + i, w->limits.height, &fy);

        _mm_storeu_si128((__m128i *)(void *)(t->at + i),
                         _mm_add_epi32(_mm_mullo_epi32(y, stride), _mm_mullo_epi32(x, size)));
        _mm_storeu_ps(t->x + i, fx);
        _mm_storeu_ps(t->y + i, fy);
    }
}

/* Returns left + x (right - left) for both rows at once, the upper one in the first half. */
INLINE_FOR_AVX2 __m256 between(__m256 left, __m256 right, float x)
{
    return _mm256_add_ps(left, _mm256_mul_ps(_mm256_set1_ps(x), _mm256_sub_ps(right, left)));
}

/* --- 16 bit --- */

/* Makes an order for shuffles: in each half of a vector, four words from `upper` on, or from
 * `lower` on, as 32 bits. Lanes after the last channel hold unspecified values. */
#define WORD_AT(at) (char)((at)&15), (char)(((at) + 1) & 15), -1, -1
#define WORDS_AT(at) WORD_AT(at), WORD_AT((at) + 2), WORD_AT((at) + 4), WORD_AT((at) + 6)
INLINE_FOR_AVX2 __m256i words_order(int upper, int lower)
{
    return _mm256_setr_epi8(WORDS_AT(upper), WORDS_AT(lower));
}

/* Blends the taps of a pixel along the rows, with the upper row in the first half. The upper row's
 * taps are read with bytes after them, the lower row's with bytes before them, since the other row
 * is there. */
INLINE_FOR_AVX2 __m256 words_along(const uint8_t *from, size_t stride, float x, int channels)
{
    const void *above = from, *below = from + stride + 4 * channels - 16;
    __m256i taps = _mm256_loadu2_m128i(below, above);
    __m256i first = _mm256_shuffle_epi8(taps, words_order(0, 16 - 4 * channels));
    __m256i second = _mm256_shuffle_epi8(taps, words_order(2 * channels, 16 - 2 * channels));

    return between(_mm256_cvtepi32_ps(first), _mm256_cvtepi32_ps(second), x);
}

/* Blends pixels i and j of a block, four words each. The blend exceeds the ends of the scale by
 * less than a half. */
INLINE_FOR_AVX2 __m256i words_of_two(const uint8_t *px, size_t stride, const struct taps *t, int i,
                                     int j, int channels)
{
    __m256 a = words_along(px + t->at[i], stride, t->x[i], channels);
    __m256 b = words_along(px + t->at[j], stride, t->x[j], channels);
    __m256 above = _mm256_permute2f128_ps(a, b, 0x20), below = _mm256_permute2f128_ps(a, b, 0x31);
    __m256 y = _mm256_insertf128_ps(_mm256_set1_ps(t->y[i]), _mm_set1_ps(t->y[j]), 1);
    __m256 sum = _mm256_add_ps(above, _mm256_mul_ps(y, _mm256_sub_ps(below, above)));
    __m256i words = _mm256_cvttps_epi32(_mm256_add_ps(sum, _mm256_set1_ps(0.5f)));

    return _mm256_packus_epi32(words, words);
}

/* Each store but the last writes four words; the next store overwrites the surplus. */
INLINE_FOR_AVX2 void blend_words(const struct plane *in, const struct taps *t, uint16_t *to, int n,
                                 int channels)
{
    const uint8_t *px = in->px;
    size_t stride = in->stride;
    int i = 0;

    for (; (i + 1) * channels + 4 <= n * channels; i += 2, to += 2 * channels) {
        __m256i two = words_of_two(px, stride, t, i, i + 1, channels);

        _mm_storel_epi64((__m128i *)(void *)to, _mm256_castsi256_si128(two));
        _mm_storel_epi64((__m128i *)(void *)(to + channels), _mm256_extracti128_si256(two, 1));
    }
    for (; i < n; i++, to += channels) {
        uint16_t last[16];

        _mm256_storeu_si256((__m256i *)(void *)last, words_of_two(px, stride, t, i, i, channels));
        memcpy(to, last, (size_t)channels * sizeof *to);
    }
}

/* --- floats --- */

/* Blends one pixel of four floats. Lanes after the last channel hold unspecified values. */
INLINE_FOR_AVX2 __m128 floats_of_one(const uint8_t *from, size_t stride, float x, float y,
                                     int channels)
{
    const float *above = (const float *)(const void *)from,
                *below = (const float *)(const void *)(from + stride);
    __m256 left, right, rows;
    __m128 first, second;

    if (channels == 1) {
        left = _mm256_castsi256_ps(
            _mm256_setr_m128i(_mm_loadl_epi64((const __m128i *)(const void *)above),
                              _mm_loadl_epi64((const __m128i *)(const void *)below)));
        right = _mm256_permute_ps(left, 1);
    } else {
        left = _mm256_loadu2_m128(below, above);
        if (channels == 2)
            right = _mm256_permute_ps(left, 0xee);
        else if (channels == 3)
            right = _mm256_permute_ps(_mm256_loadu2_m128(below + 2, above + 2), 0xf9);
        else
            right = _mm256_loadu2_m128(below + 4, above + 4);
    }
    rows = between(left, right, x);
    first = _mm256_castps256_ps128(rows);
    second = _mm256_extractf128_ps(rows, 1);
    return _mm_add_ps(first, _mm_mul_ps(_mm_set1_ps(y), _mm_sub_ps(second, first)));
}

/* Each store but the last writes four floats, as for words. */
INLINE_FOR_AVX2 void blend_floats(const struct plane *in, const struct taps *t, float *to, int n,
                                  int channels)
{
    int i = 0;

    for (; i * channels + 4 <= n * channels; i++, to += channels)
        _mm_storeu_ps(to, floats_of_one((const uint8_t *)in->px + t->at[i], in->stride, t->x[i],
                                        t->y[i], channels));
    for (; i < n; i++, to += channels) {
        float last[4];

        _mm_storeu_ps(last, floats_of_one((const uint8_t *)in->px + t->at[i], in->stride, t->x[i],
                                          t->y[i], channels));
        memcpy(to, last, (size_t)channels * sizeof *to);
    }
}

/* --- blocks --- */

INLINE_FOR_AVX2 void blend_block(const struct plane *in, const struct taps *t, void *to, int n,
                                 int channels)
{
    if (in->type == PIXEL_U16)
        blend_words(in, t, to, n, channels);
    else
        blend_floats(in, t, to, n, channels);
}

FOR_AVX2 static void blend_channels(const struct plane *in, const struct taps *t, void *to, int n)
{
    switch (in->channels) {
    case 1:
        blend_block(in, t, to, n, 1);
        break;
    case 2:
        blend_block(in, t, to, n, 2);
        break;
    case 3:
        blend_block(in, t, to, n, 3);
        break;
    case 4:
        blend_block(in, t, to, n, 4);
        break;
    }
}

/* Returns false if the bytes next to a row's taps may not be read. */
static bool blend_vectors(const struct warp *w, const struct positions *p, void *to, int n)
{
    struct taps t;

    if (!cpu_has_feature(CPU_AVX2) || w->in->width < 2 || w->in->height < 2 || w->in->stride < 12)
        return false;
    prefetch_written(to, (size_t)n * w->size);
    find_taps(w, p, &t);
    blend_channels(w->in, &t, to, n);
    return true;
}

#else

static bool blend_vectors(const struct warp *w, const struct positions *p, void *to, int n)
{
    (void)w, (void)p, (void)to, (void)n;
    return false;
}

#endif

/* Returns how many of a block's positions are outside. */
VARIANTS static int count_outside(const struct warp *w, const struct positions *p)
{
    const struct limits limits = w->limits;
    int outside = 0;

    for (int i = 0; i < BLOCK; i++)
        outside += !warp_inside((struct point){ p->x[i], p->y[i] }, &limits);
    return outside;
}

/* Blends the pixels that vectors did not. */
ALWAYS_INLINE void blend_remaining(const struct warp *w, const struct positions *p, void *to, int n,
                                   bool blended, bool outside, enum pixel_type type)
{
    int channels = w->in->channels;

    for (int i = 0; i < n; i++) {
        struct point at = { p->x[i], p->y[i] };

        if (outside && !warp_inside(at, &w->limits))
            blend_careful(w, at, to, (size_t)(i * channels));
        else if (!blended)
            blend_float(w->in, type, at, to, (size_t)(i * channels), channels);
    }
}

void positions_blend(const struct warp *w, const struct positions *p, int x, int y, int n)
{
    unsigned char *to = plane_row(w->out, y) + (size_t)x * w->size;
    int outside = count_outside(w, p);
    bool blended = outside < BLOCK && blend_vectors(w, p, to, n);

    if (blended && !outside)
        return;
    if (w->in->type == PIXEL_U16)
        blend_remaining(w, p, to, n, blended, outside, PIXEL_U16);
    else
        blend_remaining(w, p, to, n, blended, outside, PIXEL_F32);
}
