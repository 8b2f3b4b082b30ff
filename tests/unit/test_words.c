/* test_words: special loops for samples of 16 bit give the same result in all forms. */
#include "unit.h"

#include "pixels/filters.h"
#include "pixels/simd/matrix_u16.h"

#include <math.h>
#include <string.h>

/* The loops once more under other names, without the variants. */
#define plane_clahe plain_clahe
void plane_clahe(const struct plane *, struct plane *, double, int, int, struct pool *);
#define weigh_words plain_weigh_words
#define blend_gray_words plain_blend_gray_words
#define weigh_words_32 plain_weigh_words_32
#define blend_gray_words_32 plain_blend_gray_words_32
#define word_sum_make plain_word_sum_fits
bool word_sum_make(const float weight[3], double offset, struct word_sum *);
void weigh_words(const struct word_sum[3], uint16_t *restrict, uint16_t *restrict,
                 uint16_t *restrict, size_t);
void blend_gray_words(const struct word_sum *, uint16_t *restrict, uint16_t *restrict,
                      uint16_t *restrict, size_t);
size_t weigh_words_32(const struct word_sum[3], const uint16_t *, uint16_t *, size_t);
size_t blend_gray_words_32(const struct word_sum *, const uint16_t *, uint16_t *, size_t);
#define WITHOUT_VARIANTS
#include "pixels/filter/clahe.c"
#include "pixels/simd/matrix_u16.c"
#include "forms.h"
#undef plane_clahe
#undef weigh_words
#undef blend_gray_words
#undef word_sum_make

static struct pool pool;

static struct plane fresh(struct frame f, int channels)
{
    return pool_plane(&pool, f, channels, PIXEL_U16);
}

/* All levels, or few of them, so that many pixels have the same. */
static struct plane noise(struct frame f, int channels)
{
    struct plane p = fresh(f, channels);
    bool few = unit_int(0, 1);
    int lo = few ? unit_int(0, 65532) : 0, hi = few ? lo + 3 : 65535;

    for (int y = 0; y < p.height; y++)
        for (int i = 0; i < p.width * channels; i++)
            ((uint16_t *)(void *)plane_row(&p, y))[i] = (uint16_t)unit_int(lo, hi);
    return p;
}

static bool same_rows(const struct plane *a, const struct plane *b)
{
    for (int y = 0; y < a->height; y++)
        if (memcmp(plane_row(a, y), plane_row(b, y), 2 * (size_t)(a->width * a->channels)) != 0)
            return false;
    return true;
}

/* Tiles with more pixels than levels, and with fewer: counts above the limit are spread over all
 * levels, and over some. */
static void test_clahe(void)
{
    for (int i = 0; i < 30; i++) {
        struct frame f = { unit_int(1, 500), unit_int(1, 400) };
        struct plane in = noise(f, unit_int(1, 4)), a = fresh(f, in.channels);
        struct plane b = fresh(f, in.channels);
        double limit = unit_int(0, 3) ? unit_double(0.1, 20) : 0;
        int columns = unit_int(1, 4), rows = unit_int(1, 3);

        plane_clahe(&in, &a, limit, columns, rows, &pool);
        plain_clahe(&in, &b, limit, columns, rows, &pool);
        CHECK(same_rows(&a, &b));
        pool_return(&pool, &in);
        pool_return(&pool, &a);
        pool_return(&pool, &b);
    }
}

/* --- sums of colours --- */

enum { MAX_PIXELS = 70 };

struct words {
    uint16_t channel[3][MAX_PIXELS];
    size_t n;
};

/* The ends of the scale more often than others. */
static struct words random_words(void)
{
    static const uint16_t ends[] = { 0, 1, 32767, 32768, 65534, 65535 };
    struct words w = { .n = (size_t)unit_int(1, MAX_PIXELS) };
    bool at_ends = unit_int(0, 1);

    for (size_t i = 0; i < w.n; i++)
        for (int b = 0; b < 3; b++)
            w.channel[b][i] = at_ends ? ends[unit_int(0, 5)] : (uint16_t)unit_random();
    return w;
}

static bool same_words(const struct words *a, const struct words *b)
{
    for (int k = 0; k < 3; k++)
        if (memcmp(a->channel[k], b->channel[k], a->n * sizeof(uint16_t)) != 0)
            return false;
    return true;
}

/* Applies a function as a plane's function does, in place or not, to three channels or four. */
static struct words by_plane(const struct words *from, colour_fn *f, const void *context)
{
    struct plane in = fresh((struct frame){ (int)from->n, 1 }, unit_int(3, 4)), out = in;
    size_t step = (size_t)in.channels;
    uint16_t *px = in.px;
    struct words to = { .n = from->n };

    if (unit_int(0, 1))
        out = fresh((struct frame){ in.width, 1 }, in.channels);
    for (size_t i = 0; i < step * from->n; i++)
        px[i] = i % step < 3 ? from->channel[i % step][i / step] : (uint16_t)i;
    plane_colour(&in, &out, f, context);
    px = out.px;
    for (size_t i = 0; i < step * from->n; i++)
        if (i % step < 3)
            to.channel[i % step][i / step] = px[i];
        else
            CHECK(px[i] == (uint16_t)i);
    if (out.px != in.px)
        pool_return(&pool, &out);
    pool_return(&pool, &in);
    return to;
}

static double clamped_word(double v)
{
    return v < 0 ? 0 : v < 65535 ? v : 65535;
}

/* Weights of all sizes: none, common ones, such that the sum just fits a scale or just does not,
 * and such that have no room. The largest sum of them and the offset, either way, is returned. */
static double random_weights(float m[4])
{
    double max_sum, min_sum, bound, wanted = unit_int(0, 1) ? ldexp(1, unit_int(16, 28)) : 0;

    for (int j = 0; j < 4; j++) {
        double size = unit_int(0, 3) ? 2 : pow(10, unit_double(-4, 5));

        m[j] = unit_int(0, 7) ? (float)unit_double(-size, size) : (float)unit_int(-1, 1);
    }
    m[3] *= unit_int(0, 2) ? 100 : 0;
    for (int round = 0; round < 2; round++) {
        max_sum = min_sum = 257 * (double)m[3];
        for (int j = 0; j < 3; j++) {
            max_sum += fmax(0, 65535 * (double)m[j]);
            min_sum += fmin(0, 65535 * (double)m[j]);
        }
        bound = fmax(max_sum, -min_sum);
        if (round == 0 && bound > 0 && wanted > 0)
            for (int j = 0; j < 4; j++)
                m[j] = (float)((double)m[j] * (wanted / bound * (1 + 1e-6 * unit_int(-50, 50))));
    }
    return bound;
}

/* Returns the allowed error of a weighted sum in addition to rounding. The sum is computed in
 * integers, or in floats if one of the pixel's sums does not fit into integers. */
static double slack_of(const float m[4], const struct word_sum *sum, bool fits)
{
    double size = 257 * fabs((double)m[3]);

    for (int j = 0; j < 3; j++)
        size += 65535 * fabs((double)m[j]);
    return fits ? ldexp(3.6, -sum->shift) : ldexp(size, -21);
}

static void test_weighed(void)
{
    for (int round = 0; round < 4000; round++) {
        struct words in = random_words(), out, a = in, b = in;
        struct colour_matrix m;
        struct word_sum sum[3];
        bool fits = true;

        for (int k = 0; k < 3; k++) {
            double bound = random_weights(m.m[k]);
            bool room = word_sum_make(m.m[k], 257 * (double)m.m[k][3], &sum[k]);

            CHECK(room ? sum[k].shift >= 4 && sum[k].shift <= 14 : bound > 1 << 26);
            fits &= room;
        }
        out = by_plane(&in, colour_by_matrix, &m);
        if (fits) {
            weigh_words(sum, a.channel[0], a.channel[1], a.channel[2], a.n);
            plain_weigh_words(sum, b.channel[0], b.channel[1], b.channel[2], b.n);
            CHECK(same_words(&a, &out) && same_words(&b, &out));
        }
        for (size_t i = 0; i < in.n; i++)
            for (int k = 0; k < 3; k++) {
                double v = 257 * (double)m.m[k][3];

                for (int j = 0; j < 3; j++)
                    v += (double)m.m[k][j] * in.channel[j][i];
                CHECK_NEAR(out.channel[k][i], clamped_word(v),
                           0.5 + slack_of(m.m[k], &sum[k], fits));
            }
    }
}

/* Gray is rounded down, exactly: some colours have a whole one, others one just below. */
static void test_saturated(void)
{
    for (int round = 0; round < 4000; round++) {
        struct words in = random_words(), out, a = in, b = in;
        float factor = unit_int(0, 3) ? (float)unit_double(0, 3) : (float)unit_double(0, 400);
        float weight[3] = { factor, 1 - factor, 0 };
        struct word_sum sum;
        double slack;

        if (!CHECK(word_sum_make(weight, 0, &sum)))
            continue;
        slack = ldexp(3.6, -sum.shift);
        out = by_plane(&in, colour_saturate, &factor);
        blend_gray_words(&sum, a.channel[0], a.channel[1], a.channel[2], a.n);
        plain_blend_gray_words(&sum, b.channel[0], b.channel[1], b.channel[2], b.n);
        CHECK(same_words(&a, &out) && same_words(&b, &out));
        for (size_t i = 0; i < in.n; i++) {
            int gray =
                (2989 * in.channel[0][i] + 5870 * in.channel[1][i] + 1140 * in.channel[2][i]) /
                10000;

            for (int k = 0; k < 3; k++)
                CHECK_NEAR(
                    out.channel[k][i],
                    clamped_word((double)weight[0] * in.channel[k][i] + (double)weight[1] * gray),
                    0.5 + slack);
        }
    }
}

/* Colors for which 2989 R + 5870 G + 1140 B is a multiple of 10000, and colors one level of blue
 * below. */
static void test_whole_grays(void)
{
    struct word_sum as_gray;
    int whole = 0;

    CHECK(word_sum_make((const float[]){ 0, 1, 0 }, 0, &as_gray));
    while (whole < 20000) {
        uint32_t r = (uint32_t)unit_int(0, 65535), g = (uint32_t)unit_int(0, 65535);
        uint32_t rest = (2989 * r + 5870 * g) % 10000, blue = (uint32_t)unit_int(0, 130) * 500;

        if (rest % 20)
            continue;
        /* 57 * 193 = 1 modulo 500 */
        blue += (500 - rest / 20) * 193 % 500;
        for (uint32_t b = blue ? blue - 1 : blue; b <= blue; b++) {
            uint16_t v[3] = { (uint16_t)r, (uint16_t)g, (uint16_t)b };

            blend_gray_words(&as_gray, &v[0], &v[1], &v[2], 1);
            CHECK(v[0] == (2989 * r + 5870 * g + 1140 * b) / 10000);
        }
        whole += (2989 * r + 5870 * g + 1140 * blue) % 10000 == 0;
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_clahe),
        TEST(test_weighed),
        TEST(test_saturated),
        TEST(test_whole_grays),
    };
    int status = forms_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
