/* reverse_pixels: reverses a row's pixels, by shuffles of as many whole pixels as fit 16 or 64
 * bytes, if the processor has them. */
#include "pixels/samples.h"
#include "pixels/simd/repeat64.h"

#ifdef CPU_HAS_INTRINSICS

/* In each vector written, the first bytes are overwritten by the next vector. After them are as
 * many whole pixels as fit, in reverse order. */
#define WHOLE(size, room) ((room) / (size) * (size))
#define BACK(k, size, room)                                                                        \
    (k) < (room)-WHOLE(size, room)                                                                 \
        ? (k)                                                                                      \
        : (((room)-1 - (k)) / (size) + 1) * (size)-1 - ((room)-1 - (k)) % (size)
#define BACK_16(k, size) BACK(k, size, 16)
#define BACK_64(k, size) BACK(k, size, 64)

enum { LARGEST = 16 };
static const uint8_t BY_16[LARGEST + 1][16] = {
    [1] = { SIXTEEN(BACK_16, 0, 1) },   [2] = { SIXTEEN(BACK_16, 0, 2) },
    [3] = { SIXTEEN(BACK_16, 0, 3) },   [4] = { SIXTEEN(BACK_16, 0, 4) },
    [6] = { SIXTEEN(BACK_16, 0, 6) },   [8] = { SIXTEEN(BACK_16, 0, 8) },
    [12] = { SIXTEEN(BACK_16, 0, 12) }, [16] = { SIXTEEN(BACK_16, 0, 16) },
};
static const uint8_t BY_64[LARGEST + 1][64] = {
    [1] = SIXTY_FOUR(BACK_64, 1),   [2] = SIXTY_FOUR(BACK_64, 2),   [3] = SIXTY_FOUR(BACK_64, 3),
    [4] = SIXTY_FOUR(BACK_64, 4),   [6] = SIXTY_FOUR(BACK_64, 6),   [8] = SIXTY_FOUR(BACK_64, 8),
    [12] = SIXTY_FOUR(BACK_64, 12), [16] = SIXTY_FOUR(BACK_64, 16),
};

/* Reads go upwards, which processors prefetch by themselves. They do not prefetch the downward
 * writes: without this, flips took twice as long on a Xeon, even in the second-level cache. */
ALWAYS_INLINE void prefetch_below(const uint8_t *end)
{
    enum { AHEAD = 384 };

    _mm_prefetch((const char *)end - AHEAD, _MM_HINT_T0);
}

INLINE_FOR_SSSE3 void reverse_16(const uint8_t *from, uint8_t *end, __m128i order)
{
    __m128i pixels = _mm_loadu_si128((const __m128i *)(const void *)from);

    _mm_storeu_si128((__m128i *)(void *)(end - 16), _mm_shuffle_epi8(pixels, order));
}

/* Loop while a full block fits both before the writes and after the reads. */
FOR_SSSE3 static size_t reverse_by_16(const uint8_t *from, uint8_t *end, size_t n, size_t size)
{
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)BY_16[size]);
    const size_t pixels = 16 / size, bytes = pixels * size;
    size_t done = 0;

    for (; done + 4 * pixels + 1 <= n; done += 4 * pixels) {
        prefetch_below(end);
        for (int i = 0; i < 4; i++, from += bytes, end -= bytes)
            reverse_16(from, end, order);
    }
    return done;
}

FOR_AVX512_VBMI static size_t reverse_by_64(const uint8_t *from, uint8_t *end, size_t n,
                                            size_t size)
{
    const __m512i order = _mm512_loadu_si512(BY_64[size]);
    const size_t pixels = 64 / size, bytes = pixels * size;
    size_t done = 0;

    for (; done + pixels + 1 <= n; done += pixels, from += bytes, end -= bytes) {
        prefetch_below(end);
        _mm512_storeu_si512(end - 64, _mm512_permutexvar_epi8(order, _mm512_loadu_si512(from)));
    }
    return done;
}

size_t bytes_reverse(const uint8_t *from, uint8_t *to, size_t n, size_t size)
{
    size_t done =
        cpu_has_feature(CPU_AVX512_VBMI) ? reverse_by_64(from, to + n * size, n, size) : 0;

    if (cpu_has_feature(CPU_SSSE3))
        done += reverse_by_16(from + done * size, to + (n - done) * size, n - done, size);
    return done;
}

#else

size_t bytes_reverse(const uint8_t *from, uint8_t *to, size_t n, size_t size)
{
    (void)from, (void)to, (void)n, (void)size;
    return 0;
}

#endif
