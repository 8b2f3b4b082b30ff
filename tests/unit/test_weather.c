/* test_weather: measures effects of weather and light on an image: angles of streaks, contrast by
 * distance, light inside of shadows, brightness around the sun. */
#include "random_step.h"
#include "render_plane.h"
#include "unit.h"

#include <stdarg.h>
#include <string.h>

static struct pool pool;

/* --- images --- */

static double get(const struct plane *p, int x, int y, int channel)
{
    const char *row = (const char *)p->px + (size_t)y * p->stride;
    size_t i = (size_t)(x * p->channels + channel);

    return p->type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

static void put(struct plane *p, int x, int y, int channel, int v)
{
    char *row = (char *)p->px + (size_t)y * p->stride;
    size_t i = (size_t)(x * p->channels + channel);

    if (p->type == PIXEL_U8)
        ((uint8_t *)row)[i] = (uint8_t)v;
    else
        ((uint16_t *)row)[i] = (uint16_t)v;
}

static struct plane make(int width, int height, int channels, enum pixel_type type)
{
    return pool_plane(&pool, (struct frame){ width, height }, channels, type);
}

/* Every value drawn between two, both included. */
static struct plane make_random(int width, int height, int channels, enum pixel_type type, int lo,
                                int hi)
{
    struct plane p = make(width, height, channels, type);

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width * channels; x++)
            put(&p, x / channels, y, x % channels, unit_int(lo, hi));
    return p;
}

/* --- steps --- */

/* Returns the plan's output for this image, which may be the image itself. */
static struct plane plan_do(const struct plan *plan, const struct plane *in)
{
    struct arena arena = { 0 };
    struct sample sample = { .arena = &arena, .frame = { in->width, in->height } };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plane out = *in;

    if (CHECK(plan_apply(plan, &(struct draw_id){ .seed = 1 },
                         (struct pixel_kind){ in->type, in->channels }, &sample, &resolved_ops,
                         &why)))
        CHECK(render_plane(&resolved_ops, OPTIMIZE_NONE, in, &pool, &arena, &out));
    text_drop(&why);
    arena_drop(&arena);
    return out;
}

PRINTF_LIKE(2, 3) static struct plane step_do(const struct plane *in, const char *format, ...)
{
    struct text json = { 0 };
    struct faults faults = { .name = "step" };
    struct plan plan;
    struct plane out = *in;
    char step[1000];
    va_list more;

    va_start(more, format);
    vsnprintf(step, sizeof step, format, more);
    va_end(more);
    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", step);
    faults.text = (struct slice){ json.at, json.length };
    if (CHECK(plan_read(&faults, &plan)))
        out = plan_do(&plan, in);
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&json);
    return out;
}

static void give_back(struct plane *in, struct plane *out)
{
    if (out->px != in->px)
        pool_return(&pool, out);
    pool_return(&pool, in);
}

/* --- rain --- */

/* Returns the angle in degrees between structures and the vertical, from the structure tensor:
 * gradients are perpendicular to structures. */
static double measured_slant(const struct plane *p)
{
    double xx = 0, xy = 0, yy = 0;

    for (int y = 1; y < p->height - 1; y++)
        for (int x = 1; x < p->width - 1; x++) {
            double dx = 0, dy = 0;

            for (int k = -1; k <= 1; k++) {
                double weight = k == 0 ? 10 : 3;

                dx += weight * (get(p, x + 1, y + k, 0) - get(p, x - 1, y + k, 0));
                dy += weight * (get(p, x + k, y + 1, 0) - get(p, x + k, y - 1, 0));
            }
            xx += dx * dx;
            xy += dx * dy;
            yy += dy * dy;
        }
    return -0.5 * atan2(2 * xy, xx - yy) * 180 / M_PI;
}

static void test_slant(void)
{
    for (int i = 0; i < 60; i++) {
        double slant = i < 5 ? (i - 2) * 10 : unit_double(-60, 60);
        struct plane in = make_random(300, 260, 1, PIXEL_U16, 20000, 20000);
        struct plane out =
            step_do(&in,
                    "{\"type\": \"rain\", \"slant\": %.9g, \"drop_length\": %d, \"drop_width\": "
                    "%d, \"blur_value\": %d, \"drops\": 40, \"key\": %d}",
                    slant, unit_int(30, 60), unit_int(1, 3), 2 * unit_int(0, 2) + 1, i);

        CHECK_NEAR(measured_slant(&out), slant, 1);
        give_back(&in, &out);
    }
}

/* A streak's light is its area, wherever it lies; it is added, and all is darkened. */
static void test_streak(void)
{
    int whole = 0;

    for (int key = 0; key < 40; key++) {
        double slant = unit_double(-90, 90), width = unit_double(0.3, 5), light = 0, max_light = 0;
        struct plane in = make_random(200, 200, 1, PIXEL_U16, 10000, 10000);
        struct plane out = step_do(&in,
                                   "{\"type\": \"rain\", \"slant\": %.9g, \"drop_length\": 30, "
                                   "\"drop_width\": %.9g, \"drop_color\": 100, \"blur_value\": 1, "
                                   "\"brightness_coefficient\": 0.5, \"drops\": 1, \"key\": %d}",
                                   slant, width, key);
        bool inside = true;

        for (int y = 0; y < 200; y++)
            for (int x = 0; x < 200; x++) {
                double more = get(&out, x, y, 0) - 5000;

                CHECK(more >= 0);
                light += more;
                max_light = fmax(max_light, more);
                inside = inside && !(more > 0 && (x == 0 || y == 0 || x == 199 || y == 199));
            }
        if (inside && light > 0) {
            CHECK_NEAR(light / (0.5 * 25700), 30 * width, 0.03 * 30 * width);
            CHECK_NEAR(max_light, 0.5 * 25700 * fmin(1, width), 0.1 * max_light);
            whole++;
        }
        give_back(&in, &out);
    }
    CHECK(whole > 20);
}

/* --- fog --- */

static double deviation(const struct plane *p, int y0, int y1)
{
    double n = (double)(y1 - y0) * p->width * p->channels, sum = 0, squares = 0;

    for (int y = y0; y < y1; y++)
        for (int x = 0; x < p->width * p->channels; x++) {
            double v = get(p, x / p->channels, y, x % p->channels);

            sum += v;
            squares += v * v;
        }
    return sqrt(squares / n - sum / n * sum / n);
}

static void test_fog(void)
{
    enum { BAND = 10, BANDS = 20, DRAWS = 8 };
    struct plane in = make_random(200, BAND * BANDS, 3, PIXEL_U16, 0, 65535);

    for (int i = 0; i < DRAWS; i++) {
        double intensity = unit_double(0.01, 0.95), horizon = unit_double(0.2, 0.6), last = 0;
        struct plane out = step_do(&in,
                                   "{\"type\": \"fog\", \"intensity\": %.9g, \"horizon\": %.9g, "
                                   "\"color\": [200, 210, 220]}",
                                   intensity, horizon);

        for (int k = 0; k < BANDS; k++) {
            double left = deviation(&out, k * BAND, k * BAND + BAND) /
                          deviation(&in, k * BAND, k * BAND + BAND);
            double away = (k + 0.5) / BANDS - horizon;

            if (away < 0)
                CHECK_NEAR(left, 1 - intensity, 0.01);
            else if (away > 0.15) {
                CHECK(left > last);
                CHECK_NEAR(left,
                           1 - intensity * (1 - pow(0.05, 0.08 * (1 - horizon) / away)) / 0.95,
                           0.02);
            }
            last = left;
        }
        if (out.px != in.px)
            pool_return(&pool, &out);
    }
    pool_return(&pool, &in);
}

/* The fog's share of a black image's row, where it is largest. */
static double max_fog(const struct plane *out)
{
    double max_mean = 0;

    for (int y = 0; y < out->height; y++) {
        double sum = 0;

        for (int x = 0; x < out->width; x++)
            sum += get(out, x, y, 0);
        max_mean = fmax(max_mean, sum / (255. * out->width));
    }
    return max_mean;
}

/* A little more intensity is a little more fog, up to the end of the range. */
static void test_fog_grows(void)
{
    struct plane in = make_random(16, 90, 1, PIXEL_U8, 0, 0);
    double last = 0;

    for (int i = 1; i <= 100; i++) {
        struct plane out =
            step_do(&in, "{\"type\": \"fog\", \"intensity\": %.9g, \"horizon\": 0.4}", i / 100.);

        CHECK(get(&out, 0, 0, 0) - last <= 3);
        CHECK_NEAR(get(&out, 0, in.height - 1, 0), 255 * 0.224 * i / 100, 3);
        CHECK_NEAR(max_fog(&out), i / 100., 0.01);
        last = get(&out, 0, 0, 0);
        pool_return(&pool, &out);
    }
    pool_return(&pool, &in);
}

/* The transform's thickest fog by default hides as much of a row as Albumentations' does. */
static void test_random_fog(void)
{
    struct plane in = make_random(16, 90, 1, PIXEL_U8, 0, 0);

    for (int i = 0; i <= 10; i++) {
        double coef = i / 10.;
        struct plane out =
            step_do(&in, "{\"type\": \"RandomFog\", \"p\": 1, \"fog_coef_range\": %.9g}", coef);

        CHECK_NEAR(max_fog(&out), 0.22 * coef, 0.02);
        if (out.px != in.px)
            pool_return(&pool, &out);
    }
    pool_return(&pool, &in);
}

/* --- snow --- */

static void extremes(const struct plane *p, int x, int y, double *low, double *high)
{
    double a = get(p, x, y, 0), b = get(p, x, y, 1), c = get(p, x, y, 2);

    *low = fmin(a, fmin(b, c));
    *high = fmax(a, fmax(b, c));
}

/* HLS's saturation on a scale of 0..1, of a lightness of 0..255. */
static double saturation(double low, double high)
{
    return (high - low) / (255 - fabs(high + low - 255));
}

static void test_snow(void)
{
    struct plane in = make_random(100, 100, 3, PIXEL_U8, 0, 255);
    struct plane out =
        step_do(&in, "{\"type\": \"snow\", \"snow_point\": 0.3, \"brightness_coeff\": 1.6}");
    double point = 85 + 0.3 * 127.5;
    int changed = 0;

    for (int y = 0; y < 100; y++)
        for (int x = 0; x < 100; x++) {
            double low, high, low_out, high_out, light;

            extremes(&in, x, y, &low, &high);
            extremes(&out, x, y, &low_out, &high_out);
            light = (low + high) / 2;
            if (light >= point) {
                for (int k = 0; k < 3; k++)
                    CHECK(get(&out, x, y, k) == get(&in, x, y, k));
                continue;
            }
            CHECK_NEAR((low_out + high_out) / 2, 1.6 * light, 0.51);
            if (light > 20)
                CHECK_NEAR(saturation(low_out, high_out), saturation(low, high), 0.03);
            changed++;
        }
    CHECK(changed > 2000 && changed < 8000);
    give_back(&in, &out);
}

/* --- shadow --- */

static void test_shadow(void)
{
    struct arena arena = { 0 };

    for (int i = 0; i < 60; i++) {
        struct plane in = make_random(80, 60, 1, PIXEL_U16, 60000, 60000);
        struct point at[3];
        struct ring ring = { .at = at, .n = 3 };
        struct rings cut;
        double dark = 0;
        struct plane out;

        for (int k = 0; k < 3; k++)
            at[k] = (struct point){ unit_double(-30, 110), unit_double(-30, 90) };
        out = step_do(&in,
                      "{\"type\": \"shadow\", \"intensity\": 0.4, \"points\": [[%.9g, %.9g], "
                      "[%.9g, %.9g], [%.9g, %.9g]]}",
                      at[0].x, at[0].y, at[1].x, at[1].y, at[2].x, at[2].y);
        for (int y = 0; y < 60; y++)
            for (int x = 0; x < 80; x++)
                dark += 1 - get(&out, x, y, 0) / 60000;
        cut = ring_clip(&arena, &ring, (struct box){ 0, 0, 80, 60 });
        CHECK_NEAR(dark / 0.4, rings_area(&cut), 0.1);
        give_back(&in, &out);
    }
    arena_drop(&arena);
}

/* Inside by the intensity, outside not at all, whichever way the outline turns, crossing itself or
 * not. */
static void test_shadow_sides(void)
{
    static const char *const outline[] = {
        "[[10, 5], [50, 5], [50, 40], [10, 40]]",
        "[[10, 40], [50, 40], [50, 5], [10, 5]]",
        "[[10, 5], [50, 5], [50, 40], [10, 40], [10, 5], [50, 5], [50, 40], [10, 40]]",
    };

    for (size_t i = 0; i < COUNTOF(outline); i++) {
        struct plane in = make_random(61, 53, 4, PIXEL_U8, 0, 255);
        struct plane out =
            step_do(&in, "{\"type\": \"shadow\", \"intensity\": 0.3, \"points\": %s}", outline[i]);

        for (int y = 0; y < in.height; y++)
            for (int x = 0; x < in.width; x++)
                for (int k = 0; k < 4; k++) {
                    bool inside = x >= 10 && x < 50 && y >= 5 && y < 40 && k < 3;
                    double v = get(&in, x, y, k);

                    CHECK_NEAR(get(&out, x, y, k), inside ? 0.7 * v : v, inside ? 0.501 : 0);
                }
        give_back(&in, &out);
    }
}

/* --- sun --- */

static void test_flare(void)
{
    struct plane in = make_random(201, 151, 3, PIXEL_U16, 0, 0);
    struct plane out =
        step_do(&in, "{\"type\": \"sun_flare\", \"x\": 70.5, \"y\": 40.5, \"radius\": "
                     "100, \"strength\": 0.8, \"color\": [250, 200, 100]}");

    CHECK_NEAR(get(&out, 70, 40, 0), 0.8 * 250 * 257, 1);
    CHECK_NEAR(get(&out, 70, 40, 2), 0.8 * 100 * 257, 1);
    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++) {
            double d = hypot(x - 70, y - 40);

            CHECK((x == 70 && y == 40) || get(&out, x, y, 0) < get(&out, 70, 40, 0));
            CHECK(d < 100 || get(&out, x, y, 0) == 0);
            CHECK_NEAR(get(&out, x, y, 1),
                       d < 100 ? 0.8 * 200 * 257 * pow(1 - d * d / 10000, 6) : 0, 2);
        }
    give_back(&in, &out);
}

static void test_circle(void)
{
    struct plane in = make_random(120, 90, 1, PIXEL_U16, 0, 0);
    struct plane out =
        step_do(&in, "{\"type\": \"sun_flare\", \"x\": -50, \"y\": -50, \"radius\": 1, "
                     "\"circles\": [[60.2, 44.7, 25.5, 0.5, 200, 200, 200]]}");
    double light = 0;

    for (int y = 0; y < in.height; y++)
        for (int x = 0; x < in.width; x++)
            light += get(&out, x, y, 0);
    CHECK_NEAR(get(&out, 60, 44, 0), 100 * 257, 8);
    CHECK_NEAR(light / (0.5 * 200 * 257), M_PI * 25.5 * 25.5, 5);
    give_back(&in, &out);
}

/* --- all of them --- */

/* Any size and number of channels: 16 bits give the same as 8 bits, and alpha stays. */
static void test_kinds(const struct op *op, struct rng *rng)
{
    static const struct frame sizes[] = { { 1, 1 }, { 7, 1 }, { 1, 13 }, { 53, 41 }, { 530, 3 } };
    struct plan plan;

    for (int i = 0; i < 200; i++) {
        struct frame f = sizes[i % 5];
        int channels = i / 5 % 4 + 1;
        struct plane narrow = make_random(f.width, f.height, channels, PIXEL_U8, 0, 255);
        struct plane wide = make(f.width, f.height, channels, PIXEL_U16), from_narrow, from_wide;

        while (!random_plan(&op, 1, rng, &plan))
            ;
        for (int y = 0; y < f.height; y++)
            for (int x = 0; x < f.width * channels; x++)
                put(&wide, x / channels, y, x % channels,
                    257 * (int)get(&narrow, x / channels, y, x % channels));
        from_narrow = plan_do(&plan, &narrow);
        from_wide = plan_do(&plan, &wide);
        for (int y = 0; y < f.height; y++)
            for (int x = 0; x < f.width * channels; x++) {
                int channel = x % channels;
                double v = get(&from_narrow, x / channels, y, channel);

                CHECK_NEAR(v, get(&from_wide, x / channels, y, channel) / 257, 1.6);
                if (channels % 2 == 0 && channel == channels - 1)
                    CHECK(v == get(&narrow, x / channels, y, channel));
            }
        give_back(&narrow, &from_narrow);
        give_back(&wide, &from_wide);
        plan_drop(&plan);
    }
}

int main(void)
{
    static const char *const ops[] = { "fog", "rain", "snow", "shadow", "sun_flare" };
    static const struct unit_test tests[] = {
        TEST(test_slant),      TEST(test_streak), TEST(test_fog),    TEST(test_fog_grows),
        TEST(test_random_fog), TEST(test_snow),   TEST(test_shadow), TEST(test_shadow_sides),
        TEST(test_flare),      TEST(test_circle),
    };
    struct rng rng = rng_start(7, 1, RNG_DRAW);

    unit_plan(COUNTOF(tests) + COUNTOF(ops));
    unit_run(tests, COUNTOF(tests));
    for (size_t i = 0; i < COUNTOF(ops); i++) {
        test_kinds(registry_op(ops[i]), &rng);
        unit_report(ops[i]);
    }
    pool_drop(&pool);
    return unit_end();
}
