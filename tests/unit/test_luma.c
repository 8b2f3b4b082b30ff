/* test_luma: luma, counts and statements about colors, and the measures of images that check takes,
 * against plain implementations. */
#include "unit.h"

#include "batch/inspect/inspect.h"
#include "pixels/luma.h"
#include "pixels/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A plane whose rows end where its memory does, for sanitizers. */
static struct plane plane_of(int width, int height, int channels, enum pixel_type type)
{
    struct plane p = { .type = type, .width = width, .height = height, .channels = channels };

    p.stride = (size_t)width * (size_t)channels * pixel_type_size(type);
    p.px = malloc(plane_bytes(&p));
    return p;
}

/* With few levels neighbours are often alike. */
static struct plane random_plane(int width, int height, int channels, enum pixel_type type,
                                 int levels)
{
    struct plane p = plane_of(width, height, channels, type);
    uint8_t *at = p.px;

    for (size_t i = 0; i < plane_bytes(&p); i++)
        at[i] = (uint8_t)(levels == 256 ? unit_int(0, 255) : 100 + unit_int(0, levels - 1));
    return p;
}

/* The high byte of a sample. */
static int level_at(const struct plane *p, int x, int y, int band)
{
    const char *row = (const char *)p->px + (size_t)y * p->stride;
    size_t at = (size_t)x * (size_t)p->channels + (size_t)band;

    return p->type == PIXEL_U8 ? ((const uint8_t *)row)[at]
                               : ((const uint16_t *)(const void *)row)[at] >> 8;
}

/* The three colours of a pixel. */
static void colours_at(const struct plane *p, int x, int y, int v[3])
{
    for (int band = 0; band < 3; band++)
        v[band] = level_at(p, x, y, p->channels < 3 ? 0 : band);
}

static int plain_luma(const int v[3])
{
    return (299 * v[0] + 587 * v[1] + 114 * v[2] + 500) / 1000;
}

static bool is_coloured_pixel(const int v[3])
{
    return abs(v[0] - v[1]) > 2 || abs(v[1] - v[2]) > 2 || abs(v[0] - v[2]) > 2;
}

static void test_luma_of_all_colours(void)
{
    enum { WIDTH = 65536 };
    struct plane p = plane_of(WIDTH, 1, 3, PIXEL_U8);
    uint8_t *luma = malloc(WIDTH), *at = p.px;

    for (int r = 0; r < 256; r++) {
        int wrong = 0;

        for (int x = 0; x < WIDTH; x++) {
            at[3 * x] = (uint8_t)r;
            at[3 * x + 1] = (uint8_t)(x >> 8);
            at[3 * x + 2] = (uint8_t)x;
        }
        plane_luma_row(&p, 0, luma);
        for (int x = 0; x < WIDTH; x++)
            wrong += luma[x] != plain_luma((int[]){ r, x >> 8, x & 255 });
        CHECK(wrong == 0);
    }
    free(luma);
    free(p.px);
}

static void check_rows(const struct plane *p)
{
    uint8_t *luma = malloc((size_t)p->width);

    for (int y = 0; y < p->height; y++) {
        bool coloured = false, varied = false;
        int v[3], first[3];

        plane_luma_row(p, y, luma);
        colours_at(p, 0, 0, first);
        for (int x = 0; x < p->width; x++) {
            colours_at(p, x, y, v);
            CHECK(luma[x] == plain_luma(v));
            coloured |= is_coloured_pixel(v);
            varied |= memcmp(v, first, sizeof v) != 0;
        }
        CHECK(plane_row_is_coloured(p, y, 2) == coloured);
        CHECK(plane_row_is_varied(p, y) == varied);
    }
    free(luma);
}

static void test_rows(void)
{
    static const int levels[] = { 1, 2, 3, 4, 256 };

    for (int i = 0; i < 4000; i++) {
        struct plane p = random_plane(unit_int(1, 70), unit_int(1, 3), 1 + i % 4,
                                      i / 4 % 2 ? PIXEL_U16 : PIXEL_U8, levels[unit_int(0, 4)]);

        check_rows(&p);
        free(p.px);
    }
}

static void test_bytes(void)
{
    for (int n = 0; n < 300; n++) {
        uint32_t counts[COUNT_PARTS][256] = { 0 }, plain[256] = { 0 };
        uint8_t *bytes = malloc((size_t)n + 1);
        uint64_t sum = 0;

        for (int i = 0; i < n; i++) {
            bytes[i] = (uint8_t)(n % 2 ? unit_int(0, 255) : 250 + unit_int(0, 5));
            plain[bytes[i]]++;
            sum += bytes[i];
        }
        CHECK(bytes_sum(bytes, (size_t)n) == sum);
        bytes_count(bytes, (size_t)n, counts);
        for (int v = 0; v < 256; v++) {
            uint32_t all = 0;

            for (int k = 0; k < COUNT_PARTS; k++)
                all += counts[k][v];
            CHECK(all == plain[v]);
        }
        free(bytes);
    }
}

static void test_large_sums(void)
{
    size_t n = (1u << 25) + 77;
    uint8_t *bytes = malloc(n);

    memset(bytes, 255, n);
    CHECK(bytes_sum(bytes, n) == 255 * (uint64_t)n);
    free(bytes);
}

/* --- measures of an image --- */

struct plain_measures {
    uint64_t histogram[256];
    uint64_t sum[THUMBNAIL_ROWS][THUMBNAIL_COLUMNS], count[THUMBNAIL_ROWS][THUMBNAIL_COLUMNS];
    bool coloured, varied;
};

static struct plain_measures plain_of(const struct plane *p)
{
    struct plain_measures m = { .coloured = false };
    int v[3], first[3];

    colours_at(p, 0, 0, first);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            int cell_x = x * THUMBNAIL_COLUMNS / p->width, cell_y = y * THUMBNAIL_ROWS / p->height;

            colours_at(p, x, y, v);
            m.coloured |= is_coloured_pixel(v);
            m.varied |= memcmp(v, first, sizeof v) != 0;
            m.histogram[plain_luma(v)]++;
            m.sum[cell_y][cell_x] += (uint64_t)plain_luma(v);
            m.count[cell_y][cell_x]++;
        }
    return m;
}

/* Checks that this share of the pixels (in thousandths) is at most this luma, and at no lower one.
 */
static void check_percentile(const struct plain_measures *m, uint64_t n, int luma, unsigned share)
{
    uint64_t below = 0;

    for (int v = 0; v < luma; v++)
        below += m->histogram[v];
    CHECK(below * 1000 < n * share || luma == 0);
    CHECK((below + m->histogram[luma]) * 1000 >= n * share);
}

static void check_measures(const struct plane *p, const struct image_measures *seen)
{
    struct plain_measures m = plain_of(p);
    uint64_t n = (uint64_t)p->width * (uint64_t)p->height, dhash = 0;
    double entropy = 0;

    CHECK(seen->gray == !m.coloured);
    CHECK(seen->constant == !m.varied);
    check_percentile(&m, n, seen->dark, 990);
    check_percentile(&m, n, seen->light, 50);
    for (int v = 0; v < 256; v++)
        if (m.histogram[v])
            entropy -=
                (double)m.histogram[v] / (double)n * log2((double)m.histogram[v] / (double)n);
    CHECK_NEAR(seen->entropy, entropy, 1e-12);
    for (int y = 0; y < THUMBNAIL_ROWS; y++)
        for (int x = 0; x < THUMBNAIL_COLUMNS; x++) {
            uint64_t pixels = m.count[y][x];

            CHECK(seen->thumbnail[y][x] == (pixels ? m.sum[y][x] / pixels : 0));
            if (x)
                dhash = dhash << 1 | (seen->thumbnail[y][x - 1] < seen->thumbnail[y][x]);
        }
    CHECK(seen->dhash == dhash);
}

/* Written as a PNG and inspected. */
static void test_measures(void)
{
    const struct job job = { .images.max_pixels = 1 << 20 };
    struct inspector l = { .job = &job, .pixels = true };

    for (int i = 0; i < 400; i++) {
        enum pixel_type type = i / 4 % 2 ? PIXEL_U16 : PIXEL_U8;
        struct picture picture = { .plane = random_plane(unit_int(1, 60), unit_int(1, 40),
                                                         1 + i % 4, type, i % 3 ? 256 : 1 + i % 5),
                                   .shrink = 1,
                                   .format = PICTURE_PNG };
        struct picture_options options = { .format = PICTURE_PNG, .compression = 1 };
        struct inspected_file seen = { .has_header = true };
        struct text file = { 0 }, why = { 0 };
        const struct plane *p = &picture.plane;

        seen.header.frame = picture.full = (struct frame){ p->width, p->height };
        CHECK(picture_write(&picture, &options, &file, &why));
        CHECK(inspect_measure(&l, (struct slice){ file.at, file.length }, &seen, &why));
        CHECK(seen.has_pixels);
        check_measures(p, &seen.pixels);
        text_drop(&file);
        text_drop(&why);
        free(picture.plane.px);
    }
    pool_drop(&l.pool);
}

/* The mean luma of every single color equals torchvision's, except for 20 colors. */
static void test_mean_luma_of_all(void)
{
    static uint8_t in[3 * 256];
    long other = 0, wrong = 0;

    for (unsigned rg = 0; rg < 1 << 16; rg++) {
        uint8_t r = (uint8_t)(rg >> 8), g = (uint8_t)rg;
        uint64_t sum = 0;

        for (unsigned b = 0; b < 256; b++) {
            unsigned luma = byte_luma(r, g, b);

            in[3 * b] = r;
            in[3 * b + 1] = g;
            in[3 * b + 2] = (uint8_t)b;
            sum += luma;
            other += luma != (unsigned)((float)r * 0.2989f + (float)g * 0.587f + (float)b * 0.114f);
        }
        wrong += bytes_luma(in, 256) != sum;
    }
    CHECK(wrong == 0);
    CHECK(other == 20);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_luma_of_all_colours), TEST(test_rows),     TEST(test_bytes),
        TEST(test_large_sums),          TEST(test_measures), TEST(test_mean_luma_of_all),
    };

    return unit_main(tests, COUNTOF(tests));
}
