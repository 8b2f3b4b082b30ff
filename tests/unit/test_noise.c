/* test_noise: noise ops have the moments that they state, by pixel, channel and place; equal keys
 * give equal noise. */
#include "forms.h"
#include "render_plane.h"

#include "base/rng.h"
#include "pixels/noise.h"

#include <math.h>
#include <string.h>

enum { SIDE = 256 };

static struct pool pool;

/* Applies the step to a flat image with this many channels, all samples `level`. */
static struct plane made(const char *step, int channels, enum pixel_type type, double level)
{
    struct arena arena = { 0 };
    struct plane flat = pool_plane(&pool, (struct frame){ SIDE, SIDE }, channels, type), out;
    struct sample sample = { .arena = &arena, .frame = { SIDE, SIDE } };
    struct text json = { 0 }, why = { 0 };
    struct faults faults = { .name = "noise" };
    struct resolved_ops resolved_ops;
    struct plan plan;

    plane_paint(&flat, 0, 0, SIDE, SIDE,
                &(struct fill){ .channel = { level, level, level, level } }, false, 0);
    for (int y = 0; y < SIDE; y++) /* alpha, too */
        for (int i = 0; i < SIDE * channels; i++)
            if (type == PIXEL_U8)
                ((uint8_t *)flat.px)[(size_t)y * flat.stride + (size_t)i] = (uint8_t)level;
            else
                ((uint16_t *)((char *)flat.px + (size_t)y * flat.stride))[i] = (uint16_t)level;
    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", step);
    faults.text = (struct slice){ json.at, json.length };
    CHECK(plan_read(&faults, &plan));
    CHECK(plan_apply(&plan, &(struct draw_id){ 0 }, (struct pixel_kind){ type, channels }, &sample,
                     &resolved_ops, &why));
    CHECK(render_plane(&resolved_ops, OPTIMIZE_NONE, &flat, &pool, &arena, &out));
    CHECK(out.px != flat.px);
    pool_return(&pool, &flat);
    plan_drop(&plan);
    arena_drop(&arena);
    text_drop(&json);
    text_drop(&why);
    return out;
}

static double at(const struct plane *p, int x, int y, int channel)
{
    const char *row = (const char *)p->px + (size_t)y * p->stride;
    size_t i = (size_t)x * (size_t)p->channels + (size_t)channel;

    return p->type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

struct moments {
    double mean, deviation, right, down, channels; /* correlations with neighbours and channel 1 */
};

static struct moments moments_of(const struct plane *p)
{
    struct moments m = { 0 };
    double n = SIDE * SIDE, product[3] = { 0 }, square = 0, other = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            m.mean += at(p, x, y, 0) / n;
            other += p->channels >= 3 ? at(p, x, y, 1) / n : 0;
        }
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double v = at(p, x, y, 0) - m.mean;

            square += v * v;
            product[0] += v * (at(p, (x + 1) % SIDE, y, 0) - m.mean);
            product[1] += v * (at(p, x, (y + 1) % SIDE, 0) - m.mean);
            product[2] += p->channels >= 3 ? v * (at(p, x, y, 1) - other) : 0;
        }
    m.deviation = sqrt(square / n);
    m.right = product[0] / square;
    m.down = product[1] / square;
    m.channels = product[2] / square;
    return m;
}

/* Mean and deviation within `share` and 0.1 levels; neighbours are not correlated. */
static struct moments check_noise(const char *step, int channels, enum pixel_type type,
                                  double level, double mean, double deviation)
{
    struct plane p = made(step, channels, type, level), again = made(step, channels, type, level);
    struct moments m = moments_of(&p);
    double unit = pixel_type_unit(type), slack = 5 * deviation / SIDE + 0.02 * unit;

    CHECK(fabs(m.mean - mean) < slack);
    CHECK(fabs(m.deviation - deviation) < 0.02 * deviation + 0.1);
    CHECK(fabs(m.right) < 0.025 && fabs(m.down) < 0.025);
    for (int y = 0; y < SIDE; y++)
        CHECK(!memcmp((char *)p.px + (size_t)y * p.stride, (char *)again.px + (size_t)y * p.stride,
                      (size_t)(SIDE * channels) * pixel_type_size(type)));
    if (channels == 2 || channels == 4) /* alpha */
        for (int y = 0; y < SIDE; y += 17)
            CHECK(at(&p, y, y, channels - 1) == level);
    pool_return(&pool, &p);
    pool_return(&pool, &again);
    return m;
}

static void test_gaussian(void)
{
    const char *step = "{\"type\": \"gaussian_noise\", \"mean\": 0.02, \"sigma\": 0.1, \"key\": 5}";

    for (int channels = 1; channels <= 4; channels++) {
        check_noise(step, channels, PIXEL_U8, 100, 105.1, 25.5);
        check_noise(step, channels, PIXEL_U16, 30000, 30000 + 1310.7, 6553.5);
    }
    CHECK(fabs(check_noise(step, 3, PIXEL_U8, 100, 105.1, 25.5).channels) < 0.025);
    /* If values wrapped around, half of the noise on white would be black. */
    check_noise("{\"type\": \"gaussian_noise\", \"mean\": 0.5, \"sigma\": 0.02, \"clip\": false}",
                3, PIXEL_U8, 200, 200 + 127.5 - 256, 5.1);
}

static void test_factors(void)
{
    const char *alike = "{\"type\": \"multiply_noise\", \"multiplier\": [0.5, 1.5]}";
    const char *apart =
        "{\"type\": \"multiply_noise\", \"multiplier\": [0.5, 1.5], \"per_channel\": true}";

    CHECK(check_noise(alike, 3, PIXEL_U8, 100, 100, 100 / sqrt(12)).channels > 0.999);
    CHECK(fabs(check_noise(apart, 4, PIXEL_U16, 20000, 20000, 20000 / sqrt(12)).channels) < 0.025);
}

/* 5 of 100 pixels change, 4 of 10 to white: mean and deviation of a mixture. */
static void test_salt(void)
{
    double p[3] = { 0.02, 0.03, 0.95 }, v[3] = { 255, 0, 100 }, mean = 0, square = 0;

    for (int i = 0; i < 3; i++) {
        mean += p[i] * v[i];
        square += p[i] * v[i] * v[i];
    }
    check_noise("{\"type\": \"salt_and_pepper\", \"amount\": 0.05, \"salt_vs_pepper\": 0.4}", 3,
                PIXEL_U8, 100, mean, sqrt(square - mean * mean));
}

/* Counted light has the mean and, times the photon's light, the variance of the light there was. */
static void check_shots(double scale, enum pixel_type type, double level, double slack)
{
    struct text step = { 0 };
    double top = pixel_type_max(type), light = pow(level / top, 2.2), sum = 0, square = 0;
    double n = SIDE * SIDE;
    struct plane p;

    text_addf(&step, "{\"type\": \"shot_noise\", \"scale\": %g, \"key\": 3}", scale);
    p = made(text_string(&step), 1, type, level);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            double v = pow(at(&p, x, y, 0) / top, 2.2);

            sum += v / n;
            square += v * v / n;
        }
    CHECK(fabs(sum - light) < 5 * sqrt(light * scale / n) + slack);
    CHECK(fabs((square - sum * sum) / (light * scale) - 1) < 0.03);
    pool_return(&pool, &p);
    text_drop(&step);
}

static void test_shots(void)
{
    check_shots(0.01, PIXEL_U8, 128, 0.002);
    check_shots(0.02, PIXEL_U16, 40000, 0.001);
    check_shots(0.0005, PIXEL_U8, 128, 0.002); /* by the expansion */
    check_shots(0.001, PIXEL_U16, 30001, 0.001);
}

/* For gray only the lightness changes: (1 - l) times a tenth of the intensity. */
static void test_iso(void)
{
    check_noise("{\"type\": \"iso_noise\", \"intensity\": 0.5, \"color_shift\": 0.3}", 3, PIXEL_U8,
                102, 102, 255 * 0.05 * 0.6);
}

/* No number depends on where a call begins. */
static void test_words(void)
{
    static struct noise whole, part;

    noise_words(7, 1, 100, 5, PLACE_PIECE, &whole);
    noise_words(7, 1, 131, 5, 40, &part);
    for (int k = 0; k < 4; k++)
        CHECK(!memcmp(whole.word[k] + 31, part.word[k], 40 * sizeof(uint32_t)));
}

/* Words of several pixels are made at once: they are those of the generator, however many there
 * are, and where columns and rows are below 0. */
static void test_generator(void)
{
    static struct noise noise;
    static uint32_t first[PLACE_PIECE];

    for (int n = 1; n < 40; n++) {
        uint32_t key[2] = { 0x80000001u * (uint32_t)n, 3u << 30 | (uint32_t)n };
        int x = 17 * n - 300, y = 5 - n, wrong = 0;

        noise_words(key[0], key[1], x, y, n, &noise);
        noise_first_words(key[0], key[1], x, y, n, first);
        for (int i = 0; i < n; i++) {
            uint32_t counter[4] = { (uint32_t)(x + i), (uint32_t)y, 0, 0 }, out[4];

            philox4x32(counter, key, out);
            for (int k = 0; k < 4; k++)
                wrong += noise.word[k][i] != out[k];
            wrong += first[i] != out[0];
        }
        CHECK(wrong == 0);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_words), TEST(test_generator), TEST(test_gaussian), TEST(test_factors),
        TEST(test_salt),  TEST(test_shots),     TEST(test_iso),
    };
    int status = forms_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
