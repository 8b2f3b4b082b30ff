/* bytes_reverse: pixels of three bytes, or of three words, back to front, where processors have
 * shuffles five or 21, or two or ten, at a time. */
#include "samples.h"
#include "sixty_four.h"

#ifdef CPU_HAS_INTRINSICS

/* Memory is fetched ahead by itself where it is read upwards, but not where it is written
 * downwards: that took twice as long on a Xeon, of an image in the cache of the second level, too.
 */
ALWAYS_INLINE void prefetch_below(const uint8_t *end)
{
    enum { AHEAD = 384 };

    _mm_prefetch((const char *)end - AHEAD, _MM_HINT_T0);
}

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
        prefetch_below(end);
        reverse_five(from, end);
        reverse_five(from + 15, end - 15);
    }
    return done;
}

/* The same of pixels of three words, two at a time. */
FOR_SSSE3 static size_t reverse_twos(const uint8_t *from, uint8_t *end, size_t n)
{
    const __m128i order = _mm_setr_epi8(12, 13, 14, 15, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5);
    size_t done = 0;

    for (; done + 3 <= n; done += 2, from += 12, end -= 12) {
        prefetch_below(end);
        _mm_storeu_si128(
            (__m128i *)(void *)(end - 16),
            _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)from), order));
    }
    return done;
}

/* Of 64 bytes that are written, the first are what the next ones will overwrite; behind them are as
 * many whole pixels of three or six bytes as there is room for, back to front. */
#define NEXT(size) (64 - 63 / (size) * (size))
#define PIXEL_OF(k, size) (63 / (size)-1 - ((k)-NEXT(size)) / (size))
#define BACK(k, size)                                                                              \
    (k) < NEXT(size) ? 64 - NEXT(size) + (k)                                                       \
                     : PIXEL_OF(k, size) * (size) + ((k)-NEXT(size)) % (size)
static const uint8_t BACK_THREES[64] = SIXTY_FOUR(BACK, 3);
static const uint8_t BACK_SIXES[64] = SIXTY_FOUR(BACK, 6);

/* As reverse_tens, of pixels of `size` bytes. */
FOR_AVX512_VBMI static size_t reverse_by_64(const uint8_t *from, uint8_t *end, size_t n,
                                            size_t size, const uint8_t back[64])
{
    const size_t pixels = 63 / size, bytes = pixels * size;
    const __m512i order = _mm512_loadu_si512(back);
    size_t done = 0;

    for (; done + pixels + 1 <= n; done += pixels, from += bytes, end -= bytes) {
        prefetch_below(end);
        _mm512_storeu_si512(end - 64, _mm512_permutexvar_epi8(order, _mm512_loadu_si512(from)));
    }
    return done;
}

size_t bytes_reverse_sixes(const uint8_t *from, uint8_t *to, size_t n)
{
    size_t done = cpu_has(CPU_AVX512_VBMI) ? reverse_by_64(from, to + 6 * n, n, 6, BACK_SIXES) : 0;

    if (cpu_has(CPU_SSSE3))
        done += reverse_twos(from + 6 * done, to + 6 * (n - done), n - done);
    return done;
}

size_t bytes_reverse_threes(const uint8_t *from, uint8_t *to, size_t n)
{
    size_t done = cpu_has(CPU_AVX512_VBMI) ? reverse_by_64(from, to + 3 * n, n, 3, BACK_THREES) : 0;

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
