/* test_png: PNG written at every level comes back as it was. */
#include "render_plane.h"
#include "unit.h"

#include "pixels/picture.h"

#include <string.h>

static struct pool pool;

enum content { FLAT, SMOOTH, NOISE, STEPS };

/* Rows are padded, and the padding has values that must not be written. */
static struct picture drawn(struct frame frame, int channels, enum pixel_type type,
                            enum content kind)
{
    struct picture p = { .plane = pool_plane(&pool, frame, channels, type) };
    int max_level = (int)pixel_type_max(type);

    memset(p.plane.px, 0xa5, plane_bytes(&p.plane));
    for (int y = 0; y < frame.height; y++) {
        uint8_t *row = (uint8_t *)p.plane.px + (size_t)y * p.plane.stride;

        for (int i = 0; i < frame.width * channels; i++) {
            int x = i / channels, v = max_level / 3;

            if (kind == SMOOTH)
                v = (max_level / 2 * x / frame.width + max_level / 2 * y / frame.height +
                     i % channels) %
                    max_level;
            else if (kind == NOISE)
                v = unit_int(0, max_level);
            else if (kind == STEPS)
                v = (x / 20 + y / 15) % 5 * max_level / 4;
            if (type == PIXEL_U8)
                row[i] = (uint8_t)v;
            else
                ((uint16_t *)(void *)row)[i] = (uint16_t)v;
        }
    }
    return p;
}

static size_t check_file(const struct picture *p, int compression)
{
    struct picture_options options = { .format = PICTURE_PNG, .compression = compression };
    struct text file = { 0 }, again = { 0 }, why = { 0 };
    struct picture back;
    size_t length;

    CHECK(picture_write(p, &options, &file, &why));
    CHECK(picture_write(p, &options, &again, &why));
    CHECK(file.length == again.length && !memcmp(file.at, again.at, file.length));
    if (CHECK(picture_read((struct slice){ file.at, file.length }, &pool, 1 << 24, NULL, &back,
                           &why))) {
        CHECK(planes_equal(&p->plane, &back.plane));
        CHECK(back.icc_length == p->icc_length);
        CHECK(!back.icc || !memcmp(back.icc, p->icc, p->icc_length));
    } else {
        fprintf(stderr, "    %s\n", text_string(&why));
    }
    length = file.length;
    picture_drop(&back, &pool);
    text_drop(&file);
    text_drop(&again);
    text_drop(&why);
    return length;
}

static void test_kinds(void)
{
    static const struct frame FRAMES[] = { { 1, 1 },   { 1, 13 },   { 13, 1 },    { 2, 3 },
                                           { 31, 37 }, { 211, 97 }, { 20011, 2 }, { 3, 20011 } };

    for (size_t f = 0; f < COUNTOF(FRAMES); f++)
        for (int channels = 1; channels <= 4; channels++)
            for (int type = PIXEL_U8; type <= PIXEL_U16; type++)
                for (int kind = FLAT; kind <= STEPS; kind++) {
                    struct picture p =
                        drawn(FRAMES[f], channels, (enum pixel_type)type, (enum content)kind);

                    check_file(&p, 1);
                    check_file(&p, 2 + kind);
                    picture_drop(&p, &pool);
                }
}

static void test_levels(void)
{
    for (int kind = FLAT; kind <= STEPS; kind++) {
        struct picture p = drawn((struct frame){ 211, 197 }, 3, PIXEL_U8, (enum content)kind);
        size_t length[13];

        for (int level = 1; level <= 12; level++)
            length[level] = check_file(&p, level);
        CHECK(length[12] <= length[1] && length[12] <= length[4]);
        CHECK(kind != STEPS || length[12] < length[1]);
        picture_drop(&p, &pool);
    }
}

/* More than a chunk of data. */
static void test_large(void)
{
    struct picture p = drawn((struct frame){ 1031, 701 }, 4, PIXEL_U8, NOISE);

    check_file(&p, 1);
    check_file(&p, 2);
    picture_drop(&p, &pool);
}

/* A profile that has only the mandatory parts of its header; one for other colors is left out. */
static void test_profiles(void)
{
    for (int channels = 1; channels <= 4; channels++)
        for (size_t length = 200; length < 300000; length *= 5) {
            struct picture p = drawn((struct frame){ 31, 37 }, channels, PIXEL_U8, SMOOTH);
            struct text file = { 0 }, why = { 0 };

            p.icc = calloc(1, length);
            p.icc_length = length;
            for (size_t i = 132; i < length; i++)
                p.icc[i] = (uint8_t)unit_random();
            for (int i = 0; i < 4; i++)
                p.icc[i] = (uint8_t)(length >> (24 - 8 * i));
            p.icc[8] = 4;
            memcpy(p.icc + 12, "mntr", 4);
            memcpy(p.icc + 16, channels <= 2 ? "GRAY" : "RGB ", 4);
            memcpy(p.icc + 20, "XYZ ", 4);
            memcpy(p.icc + 36, "acsp", 4);
            memcpy(p.icc + 68, "\0\0\xf6\xd6\0\1\0\0\0\0\xd3\x2d", 12); /* D50 */
            check_file(&p, 1);
            memcpy(p.icc + 16, "CMYK", 4);
            CHECK(
                picture_write(&p, &(struct picture_options){ .format = PICTURE_PNG }, &file, &why));
            CHECK(!memmem(file.at, file.length, "iCCP", 4));
            picture_drop(&p, &pool);
            text_drop(&file);
            text_drop(&why);
        }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_kinds),
        TEST(test_levels),
        TEST(test_large),
        TEST(test_profiles),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
