/* test_inpaint: holes filled from their surroundings, compared to the bit with the result of
 * OpenCV's inpaint for the same image (4.6.0, radius 3). At the border of an image, where OpenCV
 * fails, other properties are checked. */
#include "unit.h"

#include "pixels/plane.h"

#include <string.h>

enum { WIDTH = 26, HEIGHT = 24, SAMPLES = WIDTH * HEIGHT * 4 };

/* Two that overlap. */
static const struct rect two[] = { { .x = 8, .y = 7, .w = 9, .h = 6 },
                                   { .x = 13, .y = 11, .w = 6, .h = 7 } };

/* Pixels of the filled holes, row by row. */
static const uint16_t telea_8[] = { 123, 131, 140, 152, 164, 170, 178, 184, 197, 126, 127, 136, 151,
                                    162, 177, 190, 197, 203, 133, 131, 141, 153, 167, 179, 196, 209,
                                    216, 131, 141, 147, 158, 170, 182, 203, 221, 229, 133, 145, 158,
                                    171, 181, 188, 192, 208, 212, 221, 181, 143, 153, 170, 179, 184,
                                    187, 195, 185, 196, 181, 159, 184, 185, 168, 161, 127, 94,  199,
                                    185, 161, 137, 105, 116, 207, 190, 174, 124, 89,  48,  212, 209,
                                    176, 104, 67,  32,  217, 213, 178, 76,  64,  61 };
static const uint16_t ns_8[] = { 126, 133, 139, 153, 166, 171, 176, 181, 196, 128, 132, 141, 152,
                                 165, 173, 184, 195, 201, 131, 134, 141, 151, 163, 177, 193, 205,
                                 213, 131, 137, 144, 153, 164, 179, 197, 215, 225, 132, 144, 155,
                                 164, 170, 179, 197, 213, 215, 212, 167, 142, 151, 165, 171, 175,
                                 181, 192, 194, 190, 172, 145, 185, 191, 181, 162, 137, 99,  199,
                                 196, 180, 145, 120, 117, 203, 204, 190, 134, 96,  82,  210, 210,
                                 198, 122, 75,  55,  225, 214, 200, 115, 60,  70 };
static const uint16_t telea_16[] = {
    31638, 33901, 36097, 39097, 42420, 43956, 45451, 46721, 50218, 32568, 33070, 35352, 38682,
    42009, 45188, 48046, 49849, 51592, 34219, 34049, 36029, 39116, 42586, 45874, 49910, 53343,
    55089, 33731, 35670, 37364, 40290, 43553, 46747, 52104, 56719, 58921, 33750, 36754, 40208,
    43409, 45920, 47941, 49425, 53614, 54796, 57009, 46316, 36553, 39102, 43281, 45681, 46777,
    47726, 49857, 47707, 50514, 46574, 40752, 47130, 47324, 43080, 41296, 32548, 24196, 51135,
    47572, 41179, 34877, 27207, 29869, 53329, 49007, 44553, 31599, 22309, 12471, 54702, 54224,
    45532, 26170, 16707, 7800,  56128, 55103, 45813, 18941, 15844, 15796
};
static const uint16_t ns_16[] = {
    32448, 34067, 35601, 39071, 42674, 43866, 45168, 46515, 50403, 32841, 33990, 36436, 38965,
    42330, 44489, 47373, 50229, 51729, 33497, 34349, 36189, 38847, 41950, 45578, 49643, 52839,
    54792, 33481, 35013, 37009, 39488, 42296, 45946, 50823, 55380, 57737, 33922, 36942, 39773,
    42181, 43707, 45902, 50762, 54759, 55345, 54531, 42821, 36454, 38911, 42403, 43923, 44925,
    46340, 49133, 49828, 48900, 44263, 37204, 47417, 48900, 46485, 41583, 35268, 25467, 50949,
    50183, 46100, 37228, 30861, 30010, 52124, 52274, 48646, 34473, 24587, 20908, 53898, 53919,
    50829, 31187, 19156, 13977, 57899, 54933, 51269, 29386, 15360, 17815
};

static uint16_t samples[SAMPLES];

static struct plane make(enum pixel_type type, int channels)
{
    return (struct plane){ samples, type,     WIDTH,
                           HEIGHT,  channels, (size_t)(WIDTH * channels) * pixel_type_size(type) };
}

static int get(const struct plane *p, int x, int y, int b)
{
    int i = (y * WIDTH + x) * p->channels + b;

    return p->type == PIXEL_U8 ? ((const uint8_t *)p->px)[i] : ((const uint16_t *)p->px)[i];
}

static void set(const struct plane *p, int x, int y, int b, int v)
{
    int i = (y * WIDTH + x) * p->channels + b;

    if (p->type == PIXEL_U8)
        ((uint8_t *)p->px)[i] = (uint8_t)v;
    else
        ((uint16_t *)p->px)[i] = (uint16_t)v;
}

/* Returns the level of channel b. */
static int level(enum pixel_type type, int x, int y, int b)
{
    int v = ((x + 3 * b) * 9 + y * 5 + (x * x * 7 + y * 3 * x) % 41) % 256;

    if (type == PIXEL_U8)
        return v;
    return v ? v * 257 - x * y % 97 : 0;
}

static void draw(const struct plane *p)
{
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int b = 0; b < p->channels; b++)
                set(p, x, y, b, level(p->type, x, y, b));
}

static bool is_in(const struct rect *r, int x, int y)
{
    return x >= r->x && y >= r->y && x < r->x + r->w && y < r->y + r->h;
}

static bool is_hole(int x, int y)
{
    return is_in(&two[0], x, y) || is_in(&two[1], x, y);
}

static void check_levels(enum pixel_type type, enum paint_method method, const uint16_t *want)
{
    struct plane p = make(type, 1);

    draw(&p);
    plane_inpaint(&p, &(struct rects){ two, COUNTOF(two) }, method);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            snprintf(unit_subject, sizeof unit_subject, "(%d, %d)", x, y);
            CHECK(get(&p, x, y, 0) == (is_hole(x, y) ? *want++ : level(type, x, y, 0)));
        }
    *unit_subject = 0;
}

static void test_levels(void)
{
    check_levels(PIXEL_U8, PAINT_INPAINT_TELEA, telea_8);
    check_levels(PIXEL_U8, PAINT_INPAINT_NS, ns_8);
    check_levels(PIXEL_U16, PAINT_INPAINT_TELEA, telea_16);
    check_levels(PIXEL_U16, PAINT_INPAINT_NS, ns_16);
}

/* Each color gets the result that it has alone, and alpha stays. */
static void test_channels(void)
{
    for (int method = PAINT_INPAINT_TELEA; method <= PAINT_INPAINT_NS; method++)
        for (int channels = 2; channels <= 4; channels++) {
            static int want[HEIGHT][WIDTH][4];
            struct rects holes = { two, COUNTOF(two) };
            int alpha = channels == 3 ? 3 : channels - 1;
            struct plane p = make(PIXEL_U8, 1);

            for (int b = 0; b < channels; b++) {
                for (int i = 0; i < WIDTH * HEIGHT; i++)
                    set(&p, i % WIDTH, i / WIDTH, 0, level(PIXEL_U8, i % WIDTH, i / WIDTH, b));
                if (b != alpha)
                    plane_inpaint(&p, &holes, (enum paint_method)method);
                for (int i = 0; i < WIDTH * HEIGHT; i++)
                    want[i / WIDTH][i % WIDTH][b] = get(&p, i % WIDTH, i / WIDTH, 0);
            }
            p = make(PIXEL_U8, channels);
            draw(&p);
            plane_inpaint(&p, &holes, (enum paint_method)method);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++)
                    for (int b = 0; b < channels; b++)
                        CHECK(get(&p, x, y, b) == want[y][x][b]);
        }
}

/* The pixels in a hole, which may reach beyond the image, change nothing: neither other pixels of
 * the hole nor its surroundings depend on them. A flat image stays nearly flat: half a level is
 * added before rounding. */
static void test_border(void)
{
    static const struct rect at[] = {
        { .x = -4, .y = -9, .w = 11, .h = 17 },
        { .x = 19, .y = 20, .w = 90, .h = 90 },
        { .x = 0, .y = 9, .w = WIDTH, .h = 5 },
        { .x = 10, .y = 0, .w = 1, .h = HEIGHT },
        { .x = 1, .y = 1, .w = WIDTH - 2, .h = HEIGHT },
        { .x = 0, .y = 0, .w = WIDTH, .h = HEIGHT - 1 },
        { .x = WIDTH - 1, .y = 0, .w = 1, .h = 1 },
        { .x = WIDTH, .y = 0, .w = 1, .h = 1 },
    };

    for (size_t i = 0; i < COUNTOF(at); i++)
        for (int method = PAINT_INPAINT_TELEA; method <= PAINT_INPAINT_NS; method++) {
            struct plane p = make(PIXEL_U8, 1);
            uint8_t first[WIDTH * HEIGHT];

            snprintf(unit_subject, sizeof unit_subject, "hole %zu", i);
            for (int k = 0; k < 2; k++) {
                draw(&p);
                for (int y = 0; y < HEIGHT; y++)
                    for (int x = 0; x < WIDTH; x++)
                        if (is_in(&at[i], x, y))
                            set(&p, x, y, 0, k ? 255 : 0);
                plane_inpaint(&p, &(struct rects){ &at[i], 1 }, (enum paint_method)method);
                if (!k)
                    memcpy(first, p.px, sizeof first);
            }
            CHECK(memcmp(first, p.px, sizeof first) == 0);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++)
                    set(&p, x, y, 0, is_in(&at[i], x, y) ? 0 : 200);
            plane_inpaint(&p, &(struct rects){ &at[i], 1 }, (enum paint_method)method);
            for (int y = 0; y < HEIGHT; y++)
                for (int x = 0; x < WIDTH; x++)
                    CHECK(abs(get(&p, x, y, 0) - 200) <= 12);
        }
    *unit_subject = 0;
}

static void test_nothing_left(void)
{
    struct plane p = make(PIXEL_U16, 2);
    struct rect all = { .x = -1, .y = -1, .w = 99, .h = 99 };

    draw(&p);
    plane_inpaint(&p, &(struct rects){ &all, 1 }, PAINT_INPAINT_TELEA);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            CHECK(get(&p, x, y, 0) == 0);
            CHECK(get(&p, x, y, 1) == level(PIXEL_U16, x, y, 1));
        }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_levels),
        TEST(test_channels),
        TEST(test_border),
        TEST(test_nothing_left),
    };

    return unit_main(tests, COUNTOF(tests));
}
