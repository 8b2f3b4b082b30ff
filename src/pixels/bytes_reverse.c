/* bytes_reverse: pixels of three bytes back to front, where processors have shuffles five at a
 * time. */
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

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    return cpu_has(CPU_SSSE3) ? reverse_tens(from, to + 3 * n, n) : 0;
}

#else

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    (void)from, (void)to, (void)n;
    return 0;
}

#endif
