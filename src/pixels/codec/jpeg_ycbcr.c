/* jpeg_ycbcr: converts red, green and blue to the luma and chroma of a JPEG and back, 64 pixels at
 * a time.
 *
 * libjpeg-turbo does the same with AVX2, but stores rows in memory after each step. */
#include "pixels/codec/jpeg_ycbcr.h"
#include "base/cpu.h"
#include "pixels/simd/repeat64.h"
#include "pixels/simd/rgb_avx512.h"

#include <string.h>

#ifdef CPU_HAS_INTRINSICS

bool jpeg_has_colour_loops(void)
{
    return cpu_has_feature(CPU_AVX512_VBMI2);
}

INLINE_FOR_AVX512_VBMI2 __m512i load(const void *at)
{
    return _mm512_loadu_si512(at);
}

/* Returns a mask of the first n of 64 bytes; n may be any number. */
static inline uint64_t first_bytes(ptrdiff_t n)
{
    return n >= 64 ? ~0ull : n <= 0 ? 0 : (1ull << n) - 1;
}

/* Returns the high words of two vectors, with the words of `even` at even positions. */
INLINE_FOR_AVX512_VBMI2 __m512i high_words(__m512i even, __m512i odd)
{
    return _mm512_mask_blend_epi16(0xaaaaaaaa, _mm512_srli_epi32(even, 16), odd);
}

static inline int two_words(int low, int high)
{
    return (int)((uint32_t)(uint16_t)low | (uint32_t)high << 16);
}

/* --- colours to luma and chroma --- */

/* Sixteen pixels are 48 of 64 bytes, from byte 0 or 16 on. Red and blue become a pair of words, and
 * green becomes two. Then no weight of a pair is outside -32768..32767. */
#define PLACE_RED_BLUE(k, from) (from) + 3 * ((k) / 4) + (k) % 4
#define PLACE_GREEN(k, from) (from) + 3 * ((k) / 4) + 1
static const uint8_t RED_BLUE[2][64] = { SIXTY_FOUR(PLACE_RED_BLUE, 0),
                                         SIXTY_FOUR(PLACE_RED_BLUE, 16) };
static const uint8_t GREEN[2][64] = { SIXTY_FOUR(PLACE_GREEN, 0), SIXTY_FOUR(PLACE_GREEN, 16) };
static const uint64_t LOW_BYTES = 0x5555555555555555; /* of words */

/* Packs four vectors of sixteen numbers as bytes 0, 2, 1, 3 of each 32 bits. */
#define PLACE_SIXTEENS(k, unused) 4 * ((k) % 16) + (k) / 32 + (k) / 16 % 2 * 2
static const uint8_t SIXTEENS[64] = SIXTY_FOUR(PLACE_SIXTEENS, 0);

/* The words of 64 pixels, sixteen per vector. */
struct words {
    __m512i red_blue[4], green[4];
};

INLINE_FOR_AVX512_VBMI2 void words_take(struct words *w, int k, __m512i bytes, bool from_sixteen)
{
    w->red_blue[k] = _mm512_maskz_permutexvar_epi8(LOW_BYTES, load(RED_BLUE[from_sixteen]), bytes);
    w->green[k] = _mm512_maskz_permutexvar_epi8(LOW_BYTES, load(GREEN[from_sixteen]), bytes);
}

INLINE_FOR_AVX512_VBMI2 void words_of_all(struct words *w, const uint8_t *rgb)
{
    for (int k = 0; k < 3; k++)
        words_take(w, k, load(rgb + 48 * k), false);
    words_take(w, 3, load(rgb + 128), true);
}

INLINE_FOR_AVX512_VBMI2 void words_of_first(struct words *w, const uint8_t *rgb, ptrdiff_t bytes)
{
    for (int k = 0; k < 4; k++, bytes -= 48)
        words_take(w, k, _mm512_maskz_loadu_epi8(first_bytes(bytes), rgb + 48 * k), false);
}

/* The weights are negated, since those of blue in Cb and of red in Cr are 32 768. -1 is added, so
 * that the result is the complement of the wanted sum. */
struct weights {
    __m512i red_blue, green, begin;
};

INLINE_FOR_AVX512_VBMI2 struct weights weights_of(int red, int green, int more_green, int blue,
                                                  int offset)
{
    return (struct weights){ _mm512_set1_epi32(two_words(-red, -blue)),
                             _mm512_set1_epi32(two_words(-green, -more_green)),
                             _mm512_set1_epi32(-offset - 1) };
}

/* Returns the third byte of each sum. */
INLINE_FOR_AVX512_VBMI2 __m512i weighed(const struct words *words, const struct weights *w)
{
    enum { NOT_A_OR_NOT_B_AND_C = 0x2f };
    __m512i v[4], low, high;

    for (int k = 0; k < 4; k++) {
        v[k] = _mm512_dpwssd_epi32(w->begin, words->red_blue[k], w->red_blue);
        v[k] = _mm512_dpwssd_epi32(v[k], words->green[k], w->green);
    }
    low = high_words(v[0], v[1]);
    high = _mm512_slli_epi16(high_words(v[2], v[3]), 8);
    low = _mm512_ternarylogic_epi32(low, high, _mm512_set1_epi16((short)0xff00),
                                    NOT_A_OR_NOT_B_AND_C);
    return _mm512_permutexvar_epi8(load(SIXTEENS), low);
}

FOR_AVX512_VBMI2 static void apart(const uint8_t *rgb, size_t n, uint8_t *const planes[3])
{
    const struct weights weights[3] = {
        weights_of(19595, 19235, 19235, 7471, 32768),
        weights_of(-11059, -21709, 0, 32768, (128 << 16) + 32767),
        weights_of(32768, -27439, 0, -5329, (128 << 16) + 32767),
    };

    for (size_t i = 0; i < n; i += 64) {
        struct words words;

        if (i + 64 <= n)
            words_of_all(&words, rgb + 3 * i);
        else
            words_of_first(&words, rgb + 3 * i, (ptrdiff_t)(3 * (n - i)));
        for (int c = 0; c < 3; c++)
            _mm512_storeu_si512(planes[c] + i, weighed(&words, &weights[c]));
    }
}

void jpeg_ycbcr_from_rgb(const uint8_t *rgb, size_t n, size_t room, uint8_t *const planes[3])
{
    apart(rgb, n, planes);
    for (int c = 0; c < 3; c++)
        memset(planes[c] + n, planes[c][n - 1], room - n);
}

FOR_AVX512_VBMI2 void jpeg_chroma_halve(const uint8_t *above, const uint8_t *below, size_t n,
                                        uint8_t *to)
{
    __m512i ones = _mm512_set1_epi8(1);
    __m512i half = _mm512_set1_epi32(two_words(1, 2));

    for (size_t i = 0; i < n; i += 32) {
        __m512i sum = _mm512_add_epi16(_mm512_maddubs_epi16(load(above + 2 * i), ones),
                                       _mm512_maddubs_epi16(load(below + 2 * i), ones));

        sum = _mm512_srli_epi16(_mm512_add_epi16(sum, half), 2);
        _mm256_storeu_si256((__m256i *)(void *)(to + i), _mm512_cvtepi16_epi8(sum));
    }
}

/* --- luma and chroma to colours --- */

/* Words of the even and of the odd pixels among 64. Chroma is centered at 0. */
struct pixels {
    __m512i even, odd;
};

/* Computes 3 near + far. The first and the last value are repeated outside the row. */
FOR_AVX512_VBMI2 static void add_up_rows(const uint8_t *near, const uint8_t *far, size_t n,
                                         int16_t *sums)
{
    for (size_t i = 0; i < n; i += 32) {
        __m512i a = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(near + i)));
        __m512i b = _mm512_cvtepu8_epi16(_mm256_loadu_si256((const void *)(far + i)));

        a = _mm512_add_epi16(_mm512_add_epi16(a, a), _mm512_add_epi16(a, b));
        _mm512_storeu_si512(sums + i, a);
    }
    sums[-1] = sums[0];
    sums[n] = sums[n - 1];
}

/* Adds a quarter of a neighbor, the left one for even pixels and the right one for odd ones.
 * Sixteenths become levels, centered at 0. */
INLINE_FOR_AVX512_VBMI2 struct pixels blended(const int16_t *sums, struct pixels half)
{
    __m512i three = _mm512_mullo_epi16(load(sums), _mm512_set1_epi16(3));
    __m512i even = _mm512_add_epi16(_mm512_add_epi16(three, half.even), load(sums - 1));
    __m512i odd = _mm512_add_epi16(_mm512_add_epi16(three, half.odd), load(sums + 1));

    return (struct pixels){ _mm512_srai_epi16(even, 4), _mm512_srai_epi16(odd, 4) };
}

INLINE_FOR_AVX512_VBMI2 struct pixels evens_and_odds(const uint8_t *samples)
{
    __m512i v = load(samples);

    return (struct pixels){ _mm512_and_si512(v, _mm512_set1_epi16(255)), _mm512_srli_epi16(v, 8) };
}

INLINE_FOR_AVX512_VBMI2 struct pixels whole_chroma(const uint8_t *samples)
{
    struct pixels p = evens_and_odds(samples);
    __m512i middle = _mm512_set1_epi16(128);

    return (struct pixels){ _mm512_sub_epi16(p.even, middle), _mm512_sub_epi16(p.odd, middle) };
}

/* Computes colors that are not clamped yet. Products with factors in 2^-15 are rounded like those
 * of libjpeg in 2^-16. For the 256 values of cr, 13173 / 2^15 gives the same as 26345 / 2^16. */
INLINE_FOR_AVX512_VBMI2 void colours_of(__m512i y, __m512i cb, __m512i cr, __m512i rgb[3])
{
    __m512i weights = _mm512_set1_epi32(two_words(-22554, 65536 - 46802));
    __m512i half = _mm512_set1_epi32(32768);
    __m512i even = _mm512_mask_blend_epi16(0xaaaaaaaa, cb, _mm512_slli_epi32(cr, 16));
    __m512i odd = high_words(cb, cr);

    even = _mm512_add_epi32(_mm512_madd_epi16(even, weights), half);
    odd = _mm512_add_epi32(_mm512_madd_epi16(odd, weights), half);
    rgb[0] = _mm512_add_epi16(_mm512_add_epi16(y, cr),
                              _mm512_mulhrs_epi16(cr, _mm512_set1_epi16(13173)));
    rgb[1] = _mm512_add_epi16(_mm512_sub_epi16(y, cr), high_words(even, odd));
    rgb[2] = _mm512_add_epi16(_mm512_add_epi16(y, cb),
                              _mm512_mulhrs_epi16(cb, _mm512_set1_epi16(25297)));
}

/* In the 64 bytes of a channel, each 16 are eight even pixels, then eight odd ones. */
#define PLACE_PACKED(pixel) ((pixel) & ~15) + (pixel) % 2 * 8 + (pixel) % 16 / 2
#define PLACE_TOGETHER(k, third)                                                                   \
    (PLACE_PACKED(THIRD_PIXEL(64, k, third))) + THIRD_GREEN(64, k, third)
static const uint8_t TOGETHER[3][64] = { SIXTY_FOUR(PLACE_TOGETHER, 0),
                                         SIXTY_FOUR(PLACE_TOGETHER, 1),
                                         SIXTY_FOUR(PLACE_TOGETHER, 2) };

INLINE_FOR_AVX512_VBMI2 void store_pixels(struct pixels y, struct pixels cb, struct pixels cr,
                                          uint8_t *rgb, ptrdiff_t bytes)
{
    __m512i even[3], odd[3], packed[3];

    colours_of(y.even, cb.even, cr.even, even);
    colours_of(y.odd, cb.odd, cr.odd, odd);
    for (int c = 0; c < 3; c++)
        packed[c] = _mm512_packus_epi16(even[c], odd[c]);
    for (int third = 0; third < 3; third++) {
        __m512i v = third_of_bytes(packed, third, load(TOGETHER[third]));

        _mm512_mask_storeu_epi8(rgb + 64 * third, first_bytes(bytes - 64 * third), v);
    }
}

FOR_AVX512_VBMI2 static void together_halved(const struct jpeg_row *row, uint8_t *rgb, size_t n)
{
    bool rows = row->subsampling == SUBSAMPLING_420;
    struct pixels half = { _mm512_set1_epi16((short)((rows ? 8 : 4) - 16 * 128)),
                           _mm512_set1_epi16((short)((rows ? 7 : 8) - 16 * 128)) };
    const int16_t *sums[2];

    for (int c = 0; c < 2; c++) {
        int16_t *to = row->chroma[c].sums + JPEG_COLOURS_STEP;

        add_up_rows(row->chroma[c].near, row->chroma[c].far, row->samples, to);
        sums[c] = to;
    }
    for (size_t i = 0; i < n; i += 64)
        store_pixels(evens_and_odds(row->luma + i), blended(sums[0] + i / 2, half),
                     blended(sums[1] + i / 2, half), rgb + 3 * i, (ptrdiff_t)(3 * (n - i)));
}

FOR_AVX512_VBMI2 static void together_whole(const struct jpeg_row *row, uint8_t *rgb, size_t n)
{
    for (size_t i = 0; i < n; i += 64)
        store_pixels(evens_and_odds(row->luma + i), whole_chroma(row->chroma[0].near + i),
                     whole_chroma(row->chroma[1].near + i), rgb + 3 * i, (ptrdiff_t)(3 * (n - i)));
}

void jpeg_ycbcr_to_rgb(const struct jpeg_row *row, uint8_t *rgb, size_t n)
{
    if (row->subsampling == SUBSAMPLING_444)
        together_whole(row, rgb, n);
    else
        together_halved(row, rgb, n);
}

#else

bool jpeg_has_colour_loops(void)
{
    return false;
}

void jpeg_ycbcr_from_rgb(const uint8_t *rgb, size_t n, size_t room, uint8_t *const planes[3])
{
    (void)rgb, (void)n, (void)room, (void)planes;
}

void jpeg_chroma_halve(const uint8_t *above, const uint8_t *below, size_t n, uint8_t *to)
{
    (void)above, (void)below, (void)n, (void)to;
}

void jpeg_ycbcr_to_rgb(const struct jpeg_row *row, uint8_t *rgb, size_t n)
{
    (void)row, (void)rgb, (void)n;
}

#endif
