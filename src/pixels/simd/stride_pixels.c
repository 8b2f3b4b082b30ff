/* stride_pixels: picks every second, third, ... pixel of a row by shuffles, if the processor has
 * them. */
#include "pixels/samples.h"

#ifdef CPU_HAS_INTRINSICS

/* n pixels, or as many as there are vectors for, of `size` bytes each, `step` bytes apart. */
struct strided_pixels {
    size_t n, size, step;
};

/* Sets the order of a window's bytes in a vector of `room` bytes: the bytes of *each pixels, then
 * any bytes. */
static void pick_order(const struct strided_pixels *p, size_t window, size_t room,
                       uint8_t order[64], size_t *each)
{
    size_t at = 0;

    for (*each = 0; *each * p->step + p->size <= window && at + p->size <= room; ++*each)
        for (size_t b = 0; b < p->size; b++)
            order[at++] = (uint8_t)(*each * p->step + b);
    while (at < room)
        order[at++] = 0;
}

/* True if a window can be read and a vector written from pixel i on without passing the end of the
 * last pixel. */
static inline bool pick_reaches(const struct strided_pixels *p, size_t i, size_t window,
                                size_t room)
{
    return (p->n - i) * p->size >= room && (p->n - 1 - i) * p->step + p->size >= window;
}

FOR_AVX512_VBMI static size_t pick_64(const uint8_t *from, uint8_t *to,
                                      const struct strided_pixels *p)
{
    uint8_t order[64];
    size_t each, i = 0;
    __m512i at;

    pick_order(p, 128, 64, order, &each);
    at = _mm512_loadu_si512(order);
    for (; i < p->n && pick_reaches(p, i, 128, 64); i += each) {
        __m512i low = _mm512_loadu_si512(from + i * p->step);
        __m512i high = _mm512_loadu_si512(from + i * p->step + 64);

        _mm512_storeu_si512(to + i * p->size, _mm512_permutex2var_epi8(low, at, high));
    }
    return i;
}

FOR_SSSE3 static size_t pick_16(const uint8_t *from, uint8_t *to, const struct strided_pixels *p)
{
    uint8_t order[64];
    size_t each, i = 0;
    __m128i at;

    pick_order(p, 16, 16, order, &each);
    at = _mm_loadu_si128((const __m128i *)(const void *)order);
    for (; i < p->n && pick_reaches(p, i, 16, 16); i += each) {
        __m128i window = _mm_loadu_si128((const __m128i *)(const void *)(from + i * p->step));

        _mm_storeu_si128((__m128i *)(void *)(to + i * p->size), _mm_shuffle_epi8(window, at));
    }
    return i;
}

/* Each loop handles the pixels that the previous one left. */
size_t bytes_pick(const uint8_t *from, uint8_t *to, size_t n, size_t size, size_t step)
{
    struct strided_pixels p = { n, size, size * step };
    size_t done = 0;

    if (p.size + p.step > 16) /* fewer than two pixels in a window */
        return 0;
    if (cpu_has_feature(CPU_AVX512_VBMI))
        done = pick_64(from, to, &p);
    p.n -= done;
    if (cpu_has_feature(CPU_SSSE3))
        done += pick_16(from + done * p.step, to + done * size, &p);
    return done;
}

#else

size_t bytes_pick(const uint8_t *from, uint8_t *to, size_t n, size_t size, size_t step)
{
    (void)from, (void)to, (void)n, (void)size, (void)step;
    return 0;
}

#endif
