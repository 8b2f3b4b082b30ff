/* test_jpeg: parts of JPEGs equal the whole's pixels, and damage is found whatever is wished. */
#include "jpegs.h"

/* Of each kind and size: parts read, and damages. */
enum { PARTS = 40, DAMAGES = 10 };

static const struct frame SIZES[] = {
    { 1, 1 },   { 1, 40 },  { 40, 1 },  { 7, 5 },     { 8, 8 },     { 15, 17 },
    { 16, 16 }, { 17, 33 }, { 31, 31 }, { 101, 97 },  { 64, 48 },   { 127, 131 },
    { 33, 7 },  { 7, 67 },  { 97, 16 }, { 200, 150 }, { 211, 307 },
};

static struct picture_wish random_part(struct frame f)
{
    struct picture_wish wish = { 0 };

    wish.width = unit_int(1, unit_int(0, 1) ? f.width : (f.width + 3) / 4);
    wish.height = unit_int(1, unit_int(0, 1) ? f.height : (f.height + 3) / 4);
    wish.left = unit_int(0, f.width - wish.width);
    wish.top = unit_int(0, f.height - wish.height);
    return wish;
}

/* Are the wished pixels there, and equal to the whole's? */
static bool holds(const struct picture *p, const struct picture_wish *wish,
                  const struct picture *whole)
{
    int x = wish->left - p->left, y = wish->top - p->top, channels = whole->plane.channels;
    bool good = x >= 0 && y >= 0 && x + wish->width <= p->plane.width &&
                y + wish->height <= p->plane.height && p->plane.channels == channels;

    for (int i = 0; i < wish->height && good; i++)
        good = !memcmp(at(&p->plane, x, y + i), at(&whole->plane, wish->left, wish->top + i),
                       (size_t)(wish->width * channels));
    return good;
}

static size_t small_parts; /* those that did hold less than the whole */

static void check_part(struct slice bytes, const struct picture *whole,
                       const struct picture_wish *wish, const char *name)
{
    struct picture p;
    bool good = CHECK(reads(bytes, wish, &p));

    good = good && CHECK(holds(&p, wish, whole)) &&
           CHECK(p.shrink == 1 && p.chroma_x == 1 && !p.chroma[0].px) &&
           CHECK(frame_equal(p.full, whole->full));
    if (!good)
        fprintf(stderr, "    %s, %d x %d: %d x %d at %d, %d\n", name, whole->full.width,
                whole->full.height, wish->width, wish->height, wish->left, wish->top);
    small_parts += (size_t)(p.plane.width < whole->plane.width) +
                   (size_t)(p.plane.height < whole->plane.height);
    picture_drop(&p, &pool);
}

static void test_parts(void)
{
    for (size_t k = 0; k < COUNTOF(KINDS); k++) {
        small_parts = 0;
        for (size_t s = 0; s < COUNTOF(SIZES); s++) {
            struct text jpeg = jpeg_scene(SIZES[s].width, SIZES[s].height, &KINDS[k], 85);
            struct picture whole;

            if (CHECK(reads(slice_of(&jpeg), NULL, &whole))) {
                CHECK(frame_equal(whole.full, SIZES[s]) && whole.shrink == 1);
                for (int i = 0; i < PARTS; i++) {
                    struct picture_wish wish = random_part(SIZES[s]);

                    check_part(slice_of(&jpeg), &whole, &wish, KINDS[k].name);
                }
            }
            picture_drop(&whole, &pool);
            text_drop(&jpeg);
        }
        CHECK((small_parts > 0) == !KINDS[k].crude);
    }
}

/* --- damage --- */

static bool is_read(struct slice bytes, const struct picture_wish *wish)
{
    struct picture p;
    bool ok = reads(bytes, wish, &p);

    picture_drop(&p, &pool);
    return ok;
}

static void make_wishes(struct picture_wish *wishes, size_t n, struct frame f)
{
    for (size_t i = 0; i < n; i++) {
        if (i % 2)
            wishes[i] = random_part(f);
        else
            wishes[i] = (struct picture_wish){ 0 };
        wishes[i].planar = i % 4 >= 2;
        wishes[i].shrink = i < 4 ? 0 : 1 << unit_int(0, 3);
    }
}

/* Planes of a part alone may come out of a file that is damaged below. */
static void check_verdict(struct slice bytes, struct frame f, bool cut, const char *name)
{
    struct picture_wish wishes[12];
    bool ok = is_read(bytes, NULL);

    make_wishes(wishes, COUNTOF(wishes), f);
    for (size_t i = 0; i < COUNTOF(wishes); i++) {
        const struct picture_wish *w = &wishes[i];
        bool lax = !ok && !cut && w->planar && w->width;

        if (!CHECK(lax || is_read(bytes, w) == ok))
            fprintf(stderr, "    %s is %s, but not with%s shrink %d, %d x %d at %d, %d\n", name,
                    ok ? "read" : "refused", w->planar ? " planes," : "", w->shrink, w->width,
                    w->height, w->left, w->top);
    }
}

/* In a buffer of its own, that a reader beyond the end is seen. */
static void check_copy(struct slice whole, size_t length, size_t flip, struct frame f, bool cut,
                       const char *name)
{
    char *bytes = malloc(length);

    memcpy(bytes, whole.at, length);
    if (flip)
        bytes[flip] = (char)(bytes[flip] ^ 1 << unit_int(0, 7));
    check_verdict((struct slice){ bytes, length }, f, cut, name);
    free(bytes);
}

static void check_tail(const struct text *jpeg, size_t kept, const char *tail, size_t length,
                       struct frame f, bool good, const char *name)
{
    struct text bytes = { 0 };

    text_add(&bytes, jpeg->at, kept);
    text_add(&bytes, tail, length);
    CHECK(is_read(slice_of(&bytes), NULL) == good);
    check_verdict(slice_of(&bytes), f, true, name);
    text_drop(&bytes);
}

static void test_damage(void)
{
    const struct frame f = { 150, 211 };

    for (size_t k = 0; k < COUNTOF(KINDS); k++) {
        struct text jpeg = jpeg_scene(f.width, f.height, &KINDS[k], 85);
        const char *name = KINDS[k].name;

        check_tail(&jpeg, jpeg.length, "", 0, f, true, name);
        check_tail(&jpeg, jpeg.length, "junk \xff\xd8\xff\xd9\xff", 10, f, true, name);
        check_tail(&jpeg, jpeg.length - 2, "\xff\xff\xff\xff\xd9", 5, f, true, name);
        check_tail(&jpeg, jpeg.length * 2 / 3, jpeg.at, jpeg.length, f, false, name);
        check_tail(&jpeg, jpeg.length - 2, "", 0, f, false, name);
        check_tail(&jpeg, jpeg.length - 1, "", 0, f, false, name);
        for (int i = 0; i < DAMAGES; i++) {
            size_t at = (size_t)unit_int(1, (int)jpeg.length - 1);

            check_copy(slice_of(&jpeg), at, 0, f, true, name);
            check_copy(slice_of(&jpeg), jpeg.length, at, f, false, name);
        }
        text_drop(&jpeg);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_parts),
        TEST(test_damage),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
