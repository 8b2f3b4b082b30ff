/* test_ycc_linear: linear functions of colors on the planes of YCbCr, compared with the same
 * functions of RGB; and parts of planes as colors. */
#include "unit.h"

#include "plan/planar.h"
#include "plan/ycc_linear.h"

#include <string.h>

/* JFIF's conversion, written down a second time. */
static void ycc_of(const double rgb[3], double ycc[3])
{
    ycc[0] = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
    ycc[1] = 128 + (rgb[2] - ycc[0]) / 1.772;
    ycc[2] = 128 + (rgb[0] - ycc[0]) / 1.402;
}

static void apply(const struct colour_matrix *m, double rgb[3])
{
    double before[3] = { rgb[0], rgb[1], rgb[2] };

    for (int i = 0; i < 3; i++) {
        rgb[i] = (double)m->m[i][3];
        for (int j = 0; j < 3; j++)
            rgb[i] += (double)m->m[i][j] * before[j];
    }
}

/* Colors in the middle of the range, so that nothing is clipped. */
static const struct colour_matrix functions[] = {
    { { { 0.8f, 0, 0, 9 }, { 0, 0.8f, 0, 9 }, { 0, 0, 0.8f, 9 } } },
    { { { 1.2f, 0, 0, -21 }, { 0, 1.2f, 0, -21 }, { 0, 0, 1.2f, -21 } } },
    { { { 0.65f, 0.29f, 0.06f, 0 }, { 0.15f, 0.79f, 0.06f, 0 }, { 0.15f, 0.29f, 0.56f, 0 } } },
    { { { 0.7f, 0.3f, 0, 0 }, { 0, 0.7f, 0.3f, 4 }, { 0.3f, 0, 0.7f, 0 } } },
};

/* Each alone, and each pair one after the other, on a pixel of each colour. */
static void test_functions(void)
{
    for (size_t a = 0; a < COUNTOF(functions); a++)
        for (size_t b = 0; b <= COUNTOF(functions); b++) {
            struct tone tone = tone_begin();

            tone_add(&tone, &functions[a]);
            if (b < COUNTOF(functions))
                tone_add(&tone, &functions[b]);
            for (int c = 0; c < 64; c++) {
                double rgb[3] = { 90 + 20 * (c & 3), 90 + 20 * (c >> 2 & 3), 90 + 20 * (c >> 4) };
                double in[3], want[3];
                uint8_t px[3];
                struct plane ycc[3];

                ycc_of(rgb, in);
                for (int i = 0; i < 3; i++) {
                    px[i] = (uint8_t)nearbyint(in[i]);
                    ycc[i] = (struct plane){ &px[i], PIXEL_U8, 1, 1, 1, 1 };
                }
                apply(&functions[a], rgb);
                if (b < COUNTOF(functions))
                    apply(&functions[b], rgb);
                ycc_of(rgb, want);
                tone_look_up(&tone, ycc);
                for (int i = 0; i < 3; i++)
                    CHECK_NEAR(px[i], want[i], 4);
            }
        }
}

/* Gray equals the result of the luma table, whatever chroma is. */
static void test_gray(void)
{
    for (size_t a = 0; a < COUNTOF(functions); a++) {
        struct tone tone = tone_begin();

        tone_add(&tone, &functions[a]);
        for (int v = 0; v < 256; v++) {
            double rgb[3] = { v, v, v }, want[3];

            apply(&functions[a], rgb);
            ycc_of(rgb, want);
            CHECK_NEAR(tone.luma[v], fmin(255, fmax(0, want[0])), 0.51);
        }
    }
}

static struct plane noise(struct pool *pool, int width, int height)
{
    struct plane p = pool_plane(pool, (struct frame){ width, height }, 1, PIXEL_U8);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            ((uint8_t *)p.px)[(size_t)y * p.stride + (size_t)x] = (uint8_t)unit_random();
    return p;
}

static int even(int lo, int hi)
{
    return unit_int(lo, hi) / 2 * 2;
}

/* A part has the colors of the whole, except for two pixels along its edges on the inside, whose
 * chroma is blended with their neighbors. */
static void test_part_in_colours(void)
{
    static struct pool pool;
    static const double PER[3][2] = { { 0.5, 0.5 }, { 0.5, 1 }, { 1, 1 } };

    for (int n = 0; n < 600; n++) {
        int width = unit_int(1, 90), height = unit_int(1, 40);
        double x = PER[n % 3][0], y = PER[n % 3][1];
        struct picture now = { .plane = noise(&pool, width, height),
                               .shrink = 1,
                               .chroma_x = x,
                               .chroma_y = y,
                               .left = 6,
                               .top = 4 };
        struct rect all = { 0, 0, width, height },
                    part = { even(0, width - 1), even(0, height - 1), 0, 0 };
        struct picture whole, some;

        part.w = unit_int(1, width - part.x);
        part.h = unit_int(1, height - part.y);
        for (int i = 0; i < 2; i++)
            now.chroma[i] = noise(&pool, (int)ceil(width * x), (int)ceil(height * y));
        whole = planar_colours(&now, &all, &pool);
        some = planar_colours(&now, &part, &pool);
        CHECK(some.left == 6 + part.x && some.top == 4 + part.y && !some.chroma[0].px);
        for (int v = 0; v < part.h; v++)
            for (int u = 0; u < part.w; u++) {
                bool beside = (u < 2 && part.x > 0) || (v < 2 && part.y > 0) ||
                              (u >= part.w - 2 && part.x + part.w < width) ||
                              (v >= part.h - 2 && part.y + part.h < height);
                const uint8_t *a =
                    (const uint8_t *)some.plane.px + (size_t)v * some.plane.stride + 3 * (size_t)u;
                const uint8_t *b = (const uint8_t *)whole.plane.px +
                                   (size_t)(part.y + v) * whole.plane.stride +
                                   3 * (size_t)(part.x + u);

                CHECK(beside || memcmp(a, b, 3) == 0);
            }
        pool_return(&pool, &whole.plane);
        pool_return(&pool, &some.plane);
        pool_return(&pool, &now.plane);
        for (int i = 0; i < 2; i++)
            pool_return(&pool, &now.chroma[i]);
    }
    pool_drop(&pool);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_functions),
        TEST(test_gray),
        TEST(test_part_in_colours),
    };

    return unit_main(tests, COUNTOF(tests));
}
