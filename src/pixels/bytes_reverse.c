/* bytes_reverse: pixels of three bytes, or of three words, back to front, where processors have
 * shuffles five or 21, or two or ten, at a time. */
#include "samples.h"

#ifdef CPU_HAS_INTRINSICS

/* The first five of the pixels at `from`, in the other order, to the fifteen bytes before `end`;
 * the byte before those is written too. */
INLINE_FOR_SSSE3 void reverse_five(const uint8_t *from, uint8_t *end)
{
    __m128i order = _mm_setr_epi8(15, 12, 13, 14, 9, 10, 11, 6, 7, 8, 3, 4, 5, 0, 1, 2);
    __m128i pixels = _mm_loadu_si128((const __m128i *)(const void *)from);

    _mm_storeu_si128((__m128i *)(void *)(end - 16), _mm_shuffle_epi8(pixels, order));
}

/* As long as there are pixels behind those that are read, and before those that are written. What
 * is read goes upwards, as it came into the caches; what is written stays in the nearest one. */
FOR_SSSE3 static size_t reverse_tens(const uint8_t *from, uint8_t *end, size_t n)
{
    size_t done = 0;

    for (; done + 11 <= n; done += 10, from += 30, end -= 30) {
        reverse_five(from, end);
        reverse_five(from + 15, end - 15);
    }
    return done;
}

/* As reverse_tens. */
FOR_AVX512_VBMI static size_t reverse_twenty_ones(const uint8_t *from, uint8_t *end, size_t n)
{
    uint8_t byte[64] = { 63 };
    __m512i order;
    size_t done = 0;

    for (int i = 0; i < 63; i++)
        byte[1 + i] = (uint8_t)((20 - i / 3) * 3 + i % 3);
    order = _mm512_loadu_si512(byte);
    for (; done + 22 <= n; done += 21, from += 63, end -= 63)
        _mm512_storeu_si512(end - 64, _mm512_permutexvar_epi8(order, _mm512_loadu_si512(from)));
    return done;
}

/* The same of pixels of three words, two at a time. */
FOR_SSSE3 static size_t reverse_twos(const uint8_t *from, uint8_t *end, size_t n)
{
    const __m128i order = _mm_setr_epi8(12, 13, 14, 15, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5);
    size_t done = 0;

    for (; done + 3 <= n; done += 2, from += 12, end -= 12)
        _mm_storeu_si128(
            (__m128i *)(void *)(end - 16),
            _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)from), order));
    return done;
}

FOR_AVX512_VBMI static size_t reverse_word_tens(const uint8_t *from, uint8_t *end, size_t n)
{
    uint16_t word[32] = { 30, 31 };
    __m512i order;
    size_t done = 0;

    for (int i = 0; i < 30; i++)
        word[2 + i] = (uint16_t)((9 - i / 3) * 3 + i % 3);
    order = _mm512_loadu_si512(word);
    for (; done + 11 <= n; done += 10, from += 60, end -= 60)
        _mm512_storeu_si512(end - 64, _mm512_permutexvar_epi16(order, _mm512_loadu_si512(from)));
    return done;
}

size_t bytes_reverse_sixes(const uint8_t *from, uint8_t *to, size_t n)
{
    size_t done = cpu_has(CPU_AVX512_VBMI) ? reverse_word_tens(from, to + 6 * n, n) : 0;

    if (cpu_has(CPU_SSSE3))
        done += reverse_twos(from + 6 * done, to + 6 * (n - done), n - done);
    return done;
}

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    size_t done = cpu_has(CPU_AVX512_VBMI) ? reverse_twenty_ones(from, to + 3 * n, n) : 0;

    if (cpu_has(CPU_SSSE3))
        done += reverse_tens(from + 3 * done, to + 3 * (n - done), n - done);
    return done;
}

#else

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    (void)from, (void)to, (void)n;
    return 0;
}

size_t bytes_reverse_sixes(const uint8_t *from, uint8_t *to, size_t n)
{
    return bytes_reverse_threes(from, to, n);
}

#endif
