/* bytes_reverse: pixels of three bytes back to front, where processors have shuffles five at a
 * time. */
#include "samples.h"

#if defined __x86_64__ && defined __GNUC__

#include <immintrin.h>

/* The last five of the sixteen bytes before `last`, in the other order; one byte is too many. */
__attribute__((target("ssse3"), always_inline)) static inline void reverse_five(const uint8_t *last,
                                                                                uint8_t *to)
{
    __m128i order = _mm_setr_epi8(13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0);
    __m128i pixels = _mm_loadu_si128((const __m128i *)(const void *)(last - 16));

    _mm_storeu_si128((__m128i *)(void *)to, _mm_shuffle_epi8(pixels, order));
}

/* As long as there are pixels before those that are read, and behind those that are written. */
__attribute__((target("ssse3"))) static size_t reverse_tens(const uint8_t *last, uint8_t *to,
                                                            size_t n)
{
    size_t done = 0;

    for (; done + 11 <= n; done += 10, last -= 30, to += 30) {
        reverse_five(last, to);
        reverse_five(last - 15, to + 15);
    }
    return done;
}

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    return __builtin_cpu_supports("ssse3") ? reverse_tens(from + 3 * n, to, n) : 0;
}

#else

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    (void)from, (void)to, (void)n;
    return 0;
}

#endif
