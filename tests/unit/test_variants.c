/* test_variants: loops compiled for newer processors give the bits of the plain ones: colours,
 * warps of parts and displacements (test_pixels has the others). */
#include "unit.h"

#include "geom/field.h"
#include "pixels/plane.h"

#include <stdlib.h>
#include <string.h>

/* The loops once more under other names, without the variants. */
#define plane_table plain_table
#define plane_bits plain_bits
#define plane_colour plain_colour
#define plane_colour_at plain_colour_at
#define plane_line plain_line
#define plane_add_chroma plain_add_chroma
#define plane_mix_chroma plain_mix_chroma
#define colour_by_matrix plain_by_matrix
#define colour_same plain_same
#define colour_permute plain_permute
#define colour_luma plain_luma
#define colour_saturate plain_saturate
#define colour_bytes plain_colour_bytes
#define colour_words plain_colour_words
#define words_deinterleave plain_words_apart
#define words_interleave plain_words_together
#define words_luma plain_words_luma
#define weigh_words plain_weigh_words
#define blend_gray_words plain_blend_gray_words
#define weigh_words_32 plain_weigh_words_32
#define blend_gray_words_32 plain_blend_gray_words_32
#define word_sum_make plain_word_sum_fits
#define plane_counts plain_counts
#define plane_histogram plain_histogram
#define plane_luma_sum plain_luma_sum
#define plane_colour_sums plain_colour_sums
#define plane_of_ycc plain_of_ycc
#define plane_warp_inside plain_warp_inside
#define plane_fill_outside plain_fill_outside
#define walk_is_shuffled plain_is_shuffled
#define plane_displace_rows plain_displace_rows
#define positions_blend plain_positions_blend
void plane_table(const struct plane *, struct plane *, const void *);
void plane_bits(const struct plane *, struct plane *, const struct sample_bits *);
void plane_colour(const struct plane *, struct plane *, colour_fn *, const void *);
void plane_colour_at(const struct plane *, struct plane *, place_fn *, const void *);
void plane_line(struct plane *, const struct level_line *);
void plane_add_chroma(struct plane *, const struct plane *, const struct plane *, const float[2]);
void plane_mix_chroma(struct plane *, struct plane *, const float[2][2]);
void colour_by_matrix(const void *, float *restrict, float *restrict, float *restrict, int);
colour_fn colour_same, colour_permute, colour_luma, colour_saturate;
bool colour_bytes(const struct plane *, struct plane *, colour_fn *, const void *);
bool colour_words(const struct plane *, struct plane *, colour_fn *, const void *);
size_t plane_counts(const struct plane *);
void plane_histogram(const struct plane *, uint32_t *);
double plane_luma_sum(const struct plane *);
void plane_colour_sums(const struct plane *, struct colour_sums *);
void plane_of_ycc(const struct plane *, const struct plane[2], double, double, struct plane *);
void plane_warp_inside(const struct plane *, struct plane *, const struct mat3 *,
                       enum interpolation, const struct edges *, row_shift_fn *, int, int);
void plane_fill_outside(struct plane *, enum interpolation, const struct edges *,
                        const struct fill *, int, int);
bool walk_is_shuffled(const struct mat3 *, int channels);
bool walk_is_shuffled(const struct mat3 *inverse, int channels)
{
    (void)inverse, (void)channels;
    return false;
}
void plane_displace_rows(const struct plane *, struct plane *, const struct field *,
                         enum interpolation, const struct fill *, int, int);
#define WITHOUT_VARIANTS
#include "pixels/colour/chroma.c"
#include "pixels/colour/colour.c"
#include "pixels/colour/colour_functions.c"
#include "pixels/colour/colour_u8.c"
#include "pixels/colour/histogram.c"
#include "pixels/colour/lookup.c"
#include "pixels/colour/colour_u16.c"
#include "pixels/move/displace.c"
#include "pixels/move/warp_clipped.c"
#include "pixels/move/warp_u16_f32.c"
#include "pixels/simd/matrix_u16.c"
#include "pixels/simd/deinterleave_u16.c"
#include "pixels/colour/ycbcr.c"
#include "forms.h"
#undef walk_is_shuffled
#undef plane_table
#undef plane_bits
#undef plane_colour
#undef plane_colour_at
#undef plane_line
#undef plane_add_chroma
#undef plane_mix_chroma
#undef colour_by_matrix
#undef colour_same
#undef colour_permute
#undef colour_luma
#undef colour_saturate
#undef colour_bytes
#undef plane_counts
#undef plane_histogram
#undef plane_luma_sum
#undef plane_colour_sums
#undef plane_of_ycc
#undef plane_warp_inside
#undef plane_fill_outside
#undef plane_displace_rows

static struct pool pool;

static struct plane noise(struct frame f, int channels, enum pixel_type type)
{
    struct plane p = pool_plane(&pool, f, channels, type);
    uint8_t *at = p.px;

    for (size_t i = 0; i < plane_bytes(&p); i++)
        at[i] = (uint8_t)unit_random();
    return p;
}

static struct plane copy_of(const struct plane *p)
{
    struct plane c = pool_plane(&pool, (struct frame){ p->width, p->height }, p->channels, p->type);

    memcpy(c.px, p->px, plane_bytes(p));
    return c;
}

/* Compares, and gives both back. */
static void check_same(struct plane *a, struct plane *b)
{
    size_t row = (size_t)(a->width * a->channels) * pixel_type_size(a->type);

    for (int y = 0; y < a->height; y++)
        CHECK(memcmp(plane_row(a, y), plane_row(b, y), row) == 0);
    pool_return(&pool, a);
    pool_return(&pool, b);
}

static struct frame random_frame(void)
{
    return (struct frame){ unit_int(1, 700), unit_int(1, 9) };
}

/* Checks each byte of chroma against the expected sum without rounding. */
static void check_mixed(const struct plane *cb, const struct plane *cr, const float weight[2],
                        const struct plane *got)
{
    for (int y = 0; y < cb->height; y++)
        for (int x = 0; x < cb->width; x++) {
            double want = 128 + (double)weight[0] * (plane_row(cb, y)[x] - 128) +
                          (double)weight[1] * (plane_row(cr, y)[x] - 128);

            want = want < 0 ? 0 : want > 255 ? 255 : want;
            CHECK_NEAR(plane_row(got, y)[x], want, 0.5 + 3.0 / 64 + 1e-4);
        }
}

static void test_luma(void)
{
    struct level_line line = { (float)unit_double(-2, 2), (float)unit_double(-100, 300), 3, 249 };
    float max_weight = unit_int(0, 1) ? 1 : 8; /* 8: sums exceed 16-bit words */
    float per[2] = { (float)unit_double(-max_weight, max_weight),
                     (float)unit_double(-max_weight, max_weight) };
    const float mix[2][2] = { { per[1], per[0] }, { -per[0], 1 } };
    struct frame f = random_frame(), half = { (f.width + 1) / 2, (f.height + 1) / 2 };
    struct plane a = noise(f, 1, PIXEL_U8), b = copy_of(&a);
    struct plane cb = noise(unit_int(0, 1) ? half : f, 1, PIXEL_U8);
    struct plane cr = noise((struct frame){ cb.width, cb.height }, 1, PIXEL_U8);
    struct plane other_cb = copy_of(&cb), other_cr = copy_of(&cr);
    struct plane old_cb = copy_of(&cb), old_cr = copy_of(&cr);

    plane_line(&a, &line);
    plain_line(&b, &line);
    plane_add_chroma(&a, &cb, &cr, per);
    plain_add_chroma(&b, &cb, &cr, per);
    plane_mix_chroma(&cb, &cr, mix);
    plain_mix_chroma(&other_cb, &other_cr, mix);
    check_mixed(&old_cb, &old_cr, mix[0], &cb);
    check_mixed(&old_cb, &old_cr, mix[1], &cr);
    pool_return(&pool, &old_cb);
    pool_return(&pool, &old_cr);
    CHECK(plane_luma_sum(&a) == plain_luma_sum(&a));
    check_same(&a, &b);
    check_same(&cb, &other_cb);
    check_same(&cr, &other_cr);
}

/* Vectors and the remaining bytes after them, in place too. */
/* A plane of chroma at a place between its pixels, without its offset. */
static float chroma_between(const struct plane *p, struct chroma_pair x, struct chroma_pair y)
{
    const uint8_t *a = plane_row(p, y.first), *b = plane_row(p, y.second);
    float left = (float)a[x.first] + y.weight * (float)(b[x.first] - a[x.first]);
    float right = (float)a[x.second] + y.weight * (float)(b[x.second] - a[x.second]);

    return left + x.weight * (right - left) - 128;
}

/* Against a colour at a time, each place worked out by itself; chroma may be a pixel too small or
 * too large. */
static void test_colours_of_ycc(void)
{
    static const double pers[] = { 1, 0.5, 0.25 };
    double per_x = pers[unit_int(0, 2)], per_y = pers[unit_int(0, 2)];
    struct frame f = random_frame();
    struct frame half = { (int)fmax(1, f.width * per_x + unit_int(-1, 1)),
                          (int)fmax(1, f.height * per_y + unit_int(-1, 1)) };
    struct plane luma = noise(f, 1, PIXEL_U8);
    struct plane chroma[2] = { noise(half, 1, PIXEL_U8), noise(half, 1, PIXEL_U8) };
    struct plane a = noise(f, 3, PIXEL_U8), b = noise(f, 3, PIXEL_U8), c = noise(f, 3, PIXEL_U8);

    plane_of_ycc(&luma, chroma, per_x, per_y, &a);
    plain_of_ycc(&luma, chroma, per_x, per_y, &b);
    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++) {
            struct chroma_pair bx = chroma_pair(x, per_x, half.width),
                               by = chroma_pair(y, per_y, half.height);
            float cb = chroma_between(&chroma[0], bx, by);
            float cr = chroma_between(&chroma[1], bx, by), v = plane_row(&luma, y)[x];
            uint8_t *to = plane_row(&c, y) + 3 * x;

            to[0] = (uint8_t)sample_round(v + 1.402f * cr, 255);
            to[1] = (uint8_t)sample_round(v - 0.344136286f * cb - 0.714136286f * cr, 255);
            to[2] = (uint8_t)sample_round(v + 1.772f * cb, 255);
        }
    for (int y = 0; y < f.height; y++)
        CHECK(memcmp(plane_row(&a, y), plane_row(&c, y), 3 * (size_t)f.width) == 0);
    check_same(&b, &c);
    pool_return(&pool, &a);
    pool_return(&pool, &luma);
    for (int i = 0; i < 2; i++)
        pool_return(&pool, &chroma[i]);
}

static void test_table(void)
{
    uint8_t table[256], in[200] = { 0 }, out[200] = { 0 };
    size_t n = (size_t)unit_int(0, 200);

    for (int i = 0; i < 256; i++)
        table[i] = (uint8_t)unit_random();
    for (size_t i = 0; i < n; i++)
        in[i] = (uint8_t)unit_random();
    bytes_look_up(in, out, table, n);
    for (size_t i = 0; i < n; i++)
        CHECK(out[i] == table[in[i]]);
    bytes_look_up(in, in, table, n);
    CHECK(n == 0 || !memcmp(in, out, n));
}

/* Copies from and to any alignment; nothing is written before the first or after the last byte. */
static void test_copy(void)
{
    enum { LENGTH = 300, SKEW = 64 };
    size_t n = (size_t)unit_int(0, LENGTH), at = (size_t)unit_int(1, SKEW);
    size_t from = (size_t)unit_int(0, SKEW);
    uint8_t *in = calloc(from + n + 1, 1);
    _Alignas(SKEW) uint8_t out[LENGTH + SKEW + 1] = { 0 };

    for (size_t i = 0; i < n; i++)
        in[from + i] = (uint8_t)unit_random();
    out[at - 1] = out[at + n] = 77;
    bytes_copy(in + from, out + at, n);
    CHECK(memcmp(in + from, out + at, n) == 0);
    CHECK(out[at - 1] == 77 && out[at + n] == 77);
    free(in);
}

/* Pixels of three bytes summed by vectors, and the remaining pixels. */
static void test_luma_of_threes(void)
{
    size_t n = (size_t)unit_int(0, 100);
    uint8_t *in = malloc(3 * n + 1); /* nothing is read after the last */
    uint64_t sum = 0;

    for (size_t i = 0; i < 3 * n; i++)
        in[i] = (uint8_t)unit_random();
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)(2989 * in[3 * i] + 5870 * in[3 * i + 1] + 1140 * in[3 * i + 2]) / 10000;
    CHECK(bytes_luma(in, n) == sum);
    free(in);
}

/* Splits bands and joins them again; nothing is read or written after the last. */
static void test_channels_of_threes(void)
{
    size_t n = (size_t)unit_int(0, 100);
    uint8_t *in = calloc(3 * n + 1, 1), *out = malloc(3 * n + 1), *channel[3];

    for (size_t b = 0; b < 3; b++)
        channel[b] = malloc(n + 1);
    for (size_t i = 0; i < 3 * n; i++)
        in[i] = (uint8_t)unit_random();
    out[3 * n] = 77;
    bytes_deinterleave(in, channel[0], channel[1], channel[2], n);
    bytes_interleave(channel[2], channel[0], channel[2], out, n);
    for (size_t i = 0; i < n; i++) {
        CHECK(channel[0][i] == in[3 * i] && channel[1][i] == in[3 * i + 1] &&
              channel[2][i] == in[3 * i + 2]);
        CHECK(out[3 * i] == in[3 * i + 2] && out[3 * i + 1] == in[3 * i] &&
              out[3 * i + 2] == in[3 * i + 2]);
    }
    CHECK(out[3 * n] == 77);
    bytes_gray_to_rgb(channel[1], out, n);
    for (size_t i = 0; i < 3 * n; i++)
        CHECK(out[i] == in[i / 3 * 3 + 1]);
    CHECK(out[3 * n] == 77);
    for (size_t b = 0; b < 3; b++)
        free(channel[b]);
    free(in);
    free(out);
}

/* Floats at and around each level, beyond all levels, and NaN: rounded, and nothing is written
 * after. */
static void test_bytes_of_floats(void)
{
    size_t n = (size_t)unit_int(0, 100);
    float *in = calloc(n + 1, sizeof *in);
    uint8_t *out = malloc(n + 1);

    for (size_t i = 0; i < n; i++) {
        float level = (float)unit_int(-3, 258) + 0.5f * (float)unit_int(0, 1);
        const float odd[] = { level,
                              nextafterf(level, -1),
                              nextafterf(level, 300),
                              1e30f,
                              -1e30f,
                              INFINITY,
                              -INFINITY,
                              NAN };

        in[i] = odd[unit_int(0, unit_int(0, 1) ? 2 : 7)];
    }
    out[n] = 77;
    row_store(in, PIXEL_U8, out, n);
    for (size_t i = 0; i < n; i++)
        CHECK(out[i] == (in[i] > 0 ? in[i] < 255 ? (int)(in[i] + 0.5f) : 255 : 0));
    CHECK(out[n] == 77);
    free(in);
    free(out);
}

/* Every second, third, ... pixel by shuffles; nothing is read or written after the last. */
static bool has_shuffles(void)
{
#if defined __x86_64__ && defined __GNUC__
    return cpu_limit > CPU_SSSE3 && __builtin_cpu_supports("ssse3");
#else
    return false;
#endif
}

static void test_pick(void)
{
    size_t n = (size_t)unit_int(1, 200), size = (size_t)unit_int(1, 8);
    size_t step = (size_t)unit_int(2, 9), length = ((n - 1) * step + 1) * size, done;
    uint8_t *in = malloc(length), *out = malloc(n * size);

    for (size_t i = 0; i < length; i++)
        in[i] = (uint8_t)unit_random();
    done = bytes_pick(in, out, n, size, step);
    CHECK(done <= n);
    if (has_shuffles() && size + size * step <= 16) /* a remainder smaller than a vector is left */
        CHECK(done + 17 >= n);
    for (size_t i = 0; i < done; i++)
        CHECK(!memcmp(out + i * size, in + i * step * size, size));
    free(in);
    free(out);
}

/* Sums of the whole are those of its parts. */
static void test_sums(void)
{
    struct plane a = noise(random_frame(), unit_int(1, 4), unit_int(0, 1) ? PIXEL_U8 : PIXEL_U16);
    int x = unit_int(0, a.width);
    struct plane left = plane_part(&a, 0, 0, x, a.height);
    struct plane right = plane_part(&a, x, 0, a.width - x, a.height);
    struct colour_sums whole = { 0 }, parts = { 0 };

    plane_colour_sums(&a, &whole);
    plain_colour_sums(&left, &parts);
    plain_colour_sums(&right, &parts);
    CHECK(memcmp(&whole, &parts, sizeof whole) == 0);
    CHECK(plane_colours(&a) == 3 || whole.colour[0] == (uint64_t)plane_luma_sum(&a));
    pool_return(&pool, &a);
}

static void test_matrix(void)
{
    struct frame f = random_frame();
    struct plane a = noise(f, unit_int(3, 4), unit_int(0, 1) ? PIXEL_U8 : PIXEL_U16);
    struct plane b = copy_of(&a);
    struct colour_matrix m;

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m.m[i][j] = (float)unit_double(-1, 1);
    CHECK(plane_luma_sum(&a) == plain_luma_sum(&a));
    plane_colour(&a, &a, colour_by_matrix, &m);
    plain_colour(&b, &b, plain_by_matrix, &m);
    check_same(&a, &b);
}

/* 16 bit: both forms of a function that has a special path, and a pixel compared with doubles. */
static void test_words(void)
{
    struct frame f = random_frame();
    float factor = (float)unit_double(0, 3);
    int order[3] = { unit_int(0, 2), unit_int(0, 2), unit_int(0, 2) };
    const struct {
        colour_fn *fn, *plain;
        const void *context;
        int from, to;
    } cases[] = { { colour_luma, plain_luma, NULL, 3, 1 },
                  { colour_luma, plain_luma, NULL, 3, 3 },
                  { colour_luma, plain_luma, NULL, 4, 4 },
                  { colour_saturate, plain_saturate, &factor, 3, 3 },
                  { colour_saturate, plain_saturate, &factor, 4, 4 },
                  { colour_permute, plain_permute, order, 3, 3 },
                  { colour_same, plain_same, NULL, 1, 3 } };
    size_t k = (size_t)unit_int(0, COUNTOF(cases) - 1), x = (size_t)unit_int(0, f.width - 1);
    struct plane in = noise(f, cases[k].from, PIXEL_U16);
    struct plane a = noise(f, cases[k].to, PIXEL_U16), b = copy_of(&a);
    const uint16_t *from = (const uint16_t *)in.px + x * (size_t)in.channels;
    const uint16_t *to = (const uint16_t *)a.px + x * (size_t)a.channels;

    plane_colour(&in, &a, cases[k].fn, cases[k].context);
    plain_colour(&in, &b, cases[k].plain, cases[k].context);
    if (cases[k].fn == colour_luma)
        CHECK(fabs(0.299 * from[0] + 0.587 * from[1] + 0.114 * from[2] - to[0]) < 0.51);
    if (cases[k].fn == colour_permute)
        CHECK(to[0] == from[order[0]] && to[1] == from[order[1]] && to[2] == from[order[2]]);
    if (cases[k].fn == colour_same)
        CHECK(to[0] == from[0] && to[1] == from[0] && to[2] == from[0]);
    if (cases[k].fn == colour_saturate) {
        double gray = floor(0.2989 * from[0] + 0.587 * from[1] + 0.114 * from[2]);
        double blue = gray + factor * (from[2] - gray);

        CHECK(fabs(fmin(fmax(blue, 0), 65535) - to[2]) < 0.51);
    }
    if (a.channels == 4)
        CHECK(to[3] == from[3]);
    check_same(&a, &b);
    pool_return(&pool, &in);
}

static int sample_at(const struct plane *p, int y, int i)
{
    const void *row = plane_row(p, y);

    return p->type == PIXEL_U8 ? ((const uint8_t *)row)[i] : ((const uint16_t *)row)[i];
}

/* Samples whose bits are kept and flipped; also in place. */
static void test_bits(void)
{
    enum pixel_type type = unit_int(0, 1) ? PIXEL_U8 : PIXEL_U16;
    int channels = unit_int(1, 4), max_level = (int)pixel_type_max(type);
    struct plane in = noise(random_frame(), channels, type), out = copy_of(&in);
    struct sample_bits bits;

    for (int b = 0; b < 3; b++) {
        bits.keep[b] = (uint16_t)(unit_random() & (unsigned)max_level);
        bits.flip[b] = (uint16_t)(unit_random() & (unsigned)max_level);
    }
    plane_bits(&in, &out, &bits);
    for (int y = 0; y < in.height; y++)
        for (int i = 0; i < in.width * channels; i++) {
            int b = i % channels, from = sample_at(&in, y, i);

            CHECK(sample_at(&out, y, i) ==
                  (b < plane_colours(&in) ? (from & bits.keep[b]) ^ bits.flip[b] : from));
        }
    plane_bits(&in, &in, &bits);
    check_same(&in, &out);
}

/* Words looked up in tables. */
static void test_word_tables(void)
{
    int channels = unit_int(1, 4), tables = channels <= 2 ? 1 : 3;
    struct plane in = noise(random_frame(), channels, PIXEL_U16), out = copy_of(&in);
    uint16_t *table = malloc(3 * 65536 * sizeof *table);

    for (int i = 0; i < 3 * 65536; i++)
        table[i] = (uint16_t)unit_random();
    plane_table(&in, &out, table);
    for (int y = 0; y < in.height; y++)
        for (int i = 0; i < in.width * channels; i++) {
            int c = i % channels, from = sample_at(&in, y, i);

            CHECK(sample_at(&out, y, i) == (c < tables ? table[65536 * c + from] : from));
        }
    plane_table(&in, &in, table);
    check_same(&in, &out);
    free(table);
}

/* Bytes that are weighed in fixed point, against doubles: a matrix and luma before rounding,
 * saturation to the level. */
static void check_weighed(const struct plane *in, const struct plane *out,
                          const struct colour_matrix *m, double slack)
{
    double worst = 0;

    for (int y = 0; y < in->height; y++)
        for (int x = 0; x < in->width; x++) {
            const uint8_t *from = plane_row(in, y) + 3 * x, *to = plane_row(out, y) + 3 * x;

            for (int i = 0; i < 3; i++) {
                double v = (double)m->m[i][3];

                for (int j = 0; j < 3; j++)
                    v += (double)m->m[i][j] * from[j];
                v = v < 0 ? 0 : v > 255 ? 255 : v;
                worst = fmax(worst, fabs(to[i] - v));
            }
        }
    CHECK_NEAR(worst, 0, slack);
}

/* The largest weights are some that fixed point has no room for. */
static void test_weighed(void)
{
    static const float luma[3] = { 0.299f, 0.587f, 0.114f }, gray[3] = { 0.2989f, 0.587f, 0.114f };
    struct plane in = noise(random_frame(), 3, PIXEL_U8), a = copy_of(&in), b = copy_of(&in);
    double max_factor = unit_int(0, 2) ? unit_double(0.1, 2) : unit_double(2, 20);
    struct colour_matrix m = { 0 };
    float factor = (float)unit_double(0, unit_int(0, 2) ? 2 : 5);

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m.m[i][j] = (float)(unit_double(-max_factor, max_factor) * (j == 3 ? 50 : 1));
    plane_colour(&in, &a, colour_by_matrix, &m);
    plain_colour(&in, &b, plain_by_matrix, &m);
    check_weighed(&in, &a, &m, 0.625);
    check_same(&a, &b);
    a = copy_of(&in), b = copy_of(&in);
    for (int i = 0; i < 3; i++)
        memcpy(m.m[i], (float[]){ luma[0], luma[1], luma[2], 0 }, sizeof m.m[i]);
    plane_colour(&a, &a, colour_luma, NULL);
    plain_colour(&b, &b, plain_luma, NULL);
    check_weighed(&in, &a, &m, 0.625);
    check_same(&a, &b);
    a = copy_of(&in), b = copy_of(&in);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            m.m[i][j] = j < 3 ? gray[j] * (1 - factor) + (i == j ? factor : 0) : 0;
    for (int i = 0; i < 3; i++) /* gray is half a level lower on average */
        m.m[i][3] = (factor - 1) / 2;
    plane_colour(&a, &a, colour_saturate, &factor);
    plain_colour(&b, &b, plain_saturate, &factor);
    check_weighed(&in, &a, &m, 0.65 + 0.5 * fabs(1 - (double)factor));
    check_same(&a, &b);
    pool_return(&pool, &in);
}

/* Along rows that are nearly level, either way round, the source upside down or not; its corners
 * too. */
static void test_level_rows(void)
{
    struct frame size = { unit_int(60, 400), unit_int(2, 60) }, f = random_frame();
    struct plane in = noise(size, unit_int(1, 4), PIXEL_U8);
    struct plane a = noise(f, in.channels, PIXEL_U8), b = noise(f, in.channels, PIXEL_U8);
    double slope = unit_int(0, 2) ? unit_double(-0.3, 0.3) : 0, step = unit_double(0.1, 2);
    double down = unit_double(-1.5, 1.5);
    bool back = unit_int(0, 1);
    struct mat3 m = { { back ? -step : step, unit_double(-0.3, 0.3), back ? in.width : 0, slope,
                        down, down < 0 ? in.height : unit_double(-3, 3), 0, 0, 1 } };
    struct edges none = { NULL, 0 };

    plane_warp_inside(&in, &a, &m, INTERPOLATION_BILINEAR, &none, NULL, 0, f.height);
    plain_warp_inside(&in, &b, &m, INTERPOLATION_BILINEAR, &none, NULL, 0, f.height);
    check_same(&a, &b);
    pool_return(&pool, &in);
}

/* Rows that stand elsewhere than those beside them. */
static double wobble(int y)
{
    return y % 8 / 8.0 - 0.5;
}

/* Edges all around, and a fill beyond them. */
static void test_part(void)
{
    struct plane in = noise((struct frame){ unit_int(1, 300), unit_int(1, 60) }, unit_int(1, 4),
                            unit_int(0, 3) ? PIXEL_U8 : PIXEL_U16);
    struct frame f = random_frame();
    struct plane a = noise(f, in.channels, in.type), b = noise(f, in.channels, in.type);
    double t = unit_double(0, 7), c = cos(t), s = sin(t), scale = unit_double(0.3, 1.4);
    struct mat3 m = { { scale * c, -scale * s, unit_double(0, in.width), scale * s, scale * c,
                        unit_double(0, in.height), 0, 0, 1 } };
    struct edge at[3] = { { c, s, unit_double(-10, 200) },
                          { -c, s, unit_double(0, 200) },
                          { 0, 1, unit_double(-2, 2) } };
    struct edges edges = { at, (size_t)unit_int(0, 3) };
    enum interpolation interpolation =
        unit_int(0, 1) ? INTERPOLATION_BILINEAR : INTERPOLATION_NEAREST;
    struct fill fill = { .channel = { 1, 77, 200, 255 } };
    row_shift_fn *shift = unit_int(0, 2) ? NULL : wobble;

    plane_warp_inside(&in, &a, &m, interpolation, &edges, shift, 0, f.height);
    plain_warp_inside(&in, &b, &m, interpolation, &edges, shift, 0, f.height);
    plane_fill_outside(&a, interpolation, &edges, &fill, 0, f.height);
    plain_fill_outside(&b, interpolation, &edges, &fill, 0, f.height);
    check_same(&a, &b);
    pool_return(&pool, &in);
}

/* Returns a displaced pixel: the blend of four with the fill around them, or the nearest one. */
static double displaced_sample(const struct plane *in, struct point p, int channel,
                               enum interpolation interpolation, const struct fill *fill)
{
    double left = floor(p.x - 0.5), top = floor(p.y - 0.5), sum = 0;

    if (interpolation == INTERPOLATION_NEAREST) {
        left = floor(p.x);
        top = floor(p.y);
    }
    for (int tap = 0; tap < (interpolation == INTERPOLATION_NEAREST ? 1 : 4); tap++) {
        double x = left + (tap & 1), y = top + (tap >> 1);
        double weight = (1 - fabs(p.x - 0.5 - x)) * (1 - fabs(p.y - 0.5 - y));
        double v = fill->channel[channel];

        if (x >= 0 && y >= 0 && x < in->width && y < in->height)
            v = (double)sample_load(plane_row(in, (int)y), in->type,
                                    (size_t)((int)x * in->channels + channel));
        sum += (interpolation == INTERPOLATION_NEAREST ? 1 : weight) * v;
    }
    return sum;
}

static const struct field *random_field(struct arena *arena, struct frame f)
{
    bool dense = unit_int(0, 1);
    int columns = dense ? f.width : unit_int(1, 9), rows = dense ? f.height : unit_int(1, 5);
    struct point origin = { dense ? 0.5 : unit_double(-2, 3), dense ? 0.5 : unit_double(-2, 3) };
    struct point step = { dense ? 1 : unit_double(1, 90), dense ? 1 : unit_double(1, 3) };
    size_t n = (size_t)columns * (size_t)rows;
    float *dx = ARENA_ARRAY(arena, float, n), *dy = ARENA_ARRAY(arena, float, n);

    for (size_t i = 0; i < n; i++) {
        dx[i] = (float)unit_double(-20, 20);
        dy[i] = (float)unit_double(-4, 4);
    }
    return field_make(arena, f, columns, rows, origin, step, dx, dy);
}

static void test_displace(void)
{
    struct arena arena = { 0 };
    struct frame f = random_frame();
    struct plane in = noise((struct frame){ unit_int(1, 300), unit_int(1, 30) }, unit_int(1, 4),
                            unit_int(0, 2) ? PIXEL_U8 : PIXEL_U16);
    struct plane a = noise(f, in.channels, in.type), b = noise(f, in.channels, in.type);
    const struct field *field = random_field(&arena, f);
    enum interpolation interpolation =
        unit_int(0, 1) ? INTERPOLATION_BILINEAR : INTERPOLATION_NEAREST;
    struct fill fill = { .channel = { 1, 77, 200, 255 } };
    double slack =
        interpolation == INTERPOLATION_NEAREST ? 0 : 0.51 + 0.05 * (in.type == PIXEL_U8 ? 1 : 257);

    plane_displace_rows(&in, &a, field, interpolation, &fill, 0, f.height);
    plain_displace_rows(&in, &b, field, interpolation, &fill, 0, f.height);
    for (int i = 0; i < 200; i++) {
        int x = unit_int(0, f.width - 1), y = unit_int(0, f.height - 1);
        int c = unit_int(0, in.channels - 1);
        struct point p = field_source(field, (struct point){ x + 0.5, y + 0.5 });
        double got = (double)sample_load(plane_row(&a, y), a.type, (size_t)(x * a.channels + c));

        if (interpolation == INTERPOLATION_NEAREST && /* on an edge it may be either */
            fmin(fabs(p.x - nearbyint(p.x)), fabs(p.y - nearbyint(p.y))) < 1e-4)
            continue;
        CHECK_NEAR(got, displaced_sample(&in, p, c, interpolation, &fill), slack);
    }
    check_same(&a, &b);
    pool_return(&pool, &in);
    arena_drop(&arena);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_displace),
        TEST(test_luma),
        TEST(test_colours_of_ycc),
        TEST(test_table),
        TEST(test_copy),
        TEST(test_luma_of_threes),
        TEST(test_channels_of_threes),
        TEST(test_bytes_of_floats),
        TEST(test_pick),
        TEST(test_matrix),
        TEST(test_weighed),
        TEST(test_words),
        TEST(test_word_tables),
        TEST(test_bits),
        TEST(test_sums),
        TEST(test_part),
        TEST(test_level_rows),
    };

    unit_plan(FORMS * COUNTOF(tests));
    for (int form = 0; forms_take(form); form++)
        for (size_t i = 0; i < COUNTOF(tests); i++) {
            for (int k = 0; k < 300; k++)
                tests[i].run();
            unit_report(tests[i].name);
        }
    pool_drop(&pool);
    return unit_end();
}
