/* Taps are picked by shuffles of 32 bytes and, if the processor has them, of 64. Both must equal a
 * loop over samples. */
#include "pixels/move/warp_shuffle.c"
#include "forms.h"

#include <stdlib.h>

enum { WIDTH = 300, HEIGHT = 90, MAX_LENGTH = 200 };

/* Bytes of a plane whose memory ends with the last one. */
static struct plane noise(int channels)
{
    size_t stride = (size_t)(WIDTH * channels + unit_int(0, 3));
    size_t size = stride * (HEIGHT - 1) + (size_t)(WIDTH * channels);
    struct plane p = { .px = malloc(size),
                       .width = WIDTH,
                       .height = HEIGHT,
                       .channels = channels,
                       .type = PIXEL_U8,
                       .stride = stride };

    for (size_t i = 0; i < size; i++)
        ((uint8_t *)p.px)[i] = (uint8_t)unit_int(0, 255);
    return p;
}

static uint64_t fixed(double v)
{
    return (uint64_t)(int64_t)(v * 0x1p32);
}

/* Returns a position along a side such that n steps, including rounding, do not reach its last
 * sample: spans are limited in this way. */
static uint64_t begin_on(int side, double step, int n)
{
    double way = step * (n - 1), room = side - 1 - fabs(way) - 1.0 / FINE - 0x1p-20;
    double at = unit_int(0, 2) ? unit_double(0, room) : unit_int(0, 1) * room;

    return fixed(at + (way < 0 ? -way : 0)) + (1 << 16);
}

/* Returns the position of pixel i of n, in 2^-16 pixel. */
static uint32_t position(uint64_t from, double step, int i, int n)
{
    int last = n - 32, first = i < last ? i / 32 * 32 : last; /* of the block; the last overlaps */

    return (uint32_t)((from + (uint64_t)first * fixed(step)) >> 16) +
           (uint32_t)(((uint64_t)(i - first) * fixed(step) + 0x8000) >> 16);
}

static void by_samples(const struct plane *in, const uint64_t from[2], const double step[2],
                       uint8_t *to, int n)
{
    size_t channels = (size_t)in->channels;

    for (int i = 0; i < n; i++) {
        uint32_t x = position(from[0], step[0], i, n), y = position(from[1], step[1], i, n);
        const uint8_t *a = (const uint8_t *)in->px + (y >> 16) * in->stride + (x >> 16) * channels;
        const uint8_t *b = a + in->stride;
        int16_t wx = (int16_t)(x >> 1 & (FINE - 1)), wy = (int16_t)(y >> 1 & (FINE - 1));

        for (size_t c = 0; c < channels; c++)
            *to++ = (uint8_t)blend_lane(a[c], a[c + channels], b[c], b[c + channels], wx, wy);
    }
}

static double usual_or_last(double last)
{
    return unit_int(0, 2) ? unit_double(-last, last) : unit_int(0, 1) ? last : -last;
}

static void compare_once(void)
{
    int channels = unit_int(1, 4), n = unit_int(BLOCK, MAX_LENGTH);
    struct plane in = noise(channels);
    double along = usual_or_last(1.9899), down = usual_or_last(0.2799);
    struct mat3 m = { { along, 0, 0, down, unit_double(-2, 2), 0, 0, 0, 1 } };
    struct walk w;

    walk_begin(&w, &in, &m);
    CHECK(cpu_has_feature(CPU_AVX2) || !w.shuffled);
    if (w.shuffled && fabs(along) * n < WIDTH - 3) {
        double step[2] = { along, down };
        uint64_t from[2] = { begin_on(WIDTH, along, n), begin_on(HEIGHT, down, n) };
        uint8_t want[4 * MAX_LENGTH] = { 0 }, got[4 * MAX_LENGTH];

        by_samples(&in, from, step, want, n);
        walk_shuffled(&in, &w, from, got, n);
        CHECK(memcmp(got, want, (size_t)(n * channels)) == 0);
    }
    free(in.px);
}

/* They are for as many channels and directions as they can be. */
static void test_allowed(void)
{
    for (int channels = 1; channels <= 4; channels++)
        for (int back = 0; back < 2; back++) {
            struct plane in = { .width = 9, .height = 9, .channels = channels, .stride = 64 };
            struct walk w;
            struct mat3 m = { { back ? -0.78 : 0.78, 0, 0, 0.27, 1, 0, 0, 0, 1 } };

            walk_begin(&w, &in, &m);
            CHECK(w.shuffled == cpu_has_feature(CPU_AVX2));
            m.m[3] = 0.29;
            walk_begin(&w, &in, &m);
            CHECK(!w.shuffled);
        }
}

static void test_many(void)
{
    for (int i = 0; i < 5000; i++)
        compare_once();
}

int main(void)
{
    static const struct unit_test tests[] = { TEST(test_many), TEST(test_allowed) };

    return forms_main(tests, COUNTOF(tests));
}
