/* test_jpeg: parts of JPEGs equal the whole's pixels, and damage is found whatever is wished. */
#include "jpegs.h"

/* For each kind and size: the number of parts that are read, and of damages. */
enum { PARTS = 40, DAMAGES = 10 };

static const struct frame SIZES[] = {
    { 1, 1 },   { 1, 40 },  { 40, 1 },  { 7, 5 },     { 8, 8 },     { 15, 17 },
    { 16, 16 }, { 17, 33 }, { 31, 31 }, { 101, 97 },  { 64, 48 },   { 127, 131 },
    { 33, 7 },  { 7, 67 },  { 97, 16 }, { 200, 150 }, { 211, 307 },
};

static struct decode_hints random_part(struct frame f)
{
    struct decode_hints hints = { 0 };

    hints.width = unit_int(1, unit_int(0, 1) ? f.width : (f.width + 3) / 4);
    hints.height = unit_int(1, unit_int(0, 1) ? f.height : (f.height + 3) / 4);
    hints.left = unit_int(0, f.width - hints.width);
    hints.top = unit_int(0, f.height - hints.height);
    return hints;
}

/* True if the requested pixels are there, and equal to those of the whole picture. */
static bool has_window(const struct picture *p, const struct decode_hints *hints,
                       const struct picture *whole)
{
    int x = hints->left - p->left, y = hints->top - p->top, channels = whole->plane.channels;
    bool good = x >= 0 && y >= 0 && x + hints->width <= p->plane.width &&
                y + hints->height <= p->plane.height && p->plane.channels == channels;

    for (int i = 0; i < hints->height && good; i++)
        good = !memcmp(at(&p->plane, x, y + i), at(&whole->plane, hints->left, hints->top + i),
                       (size_t)(hints->width * channels));
    return good;
}

static size_t small_parts; /* parts for which less than the whole was read */

static void check_part(struct slice bytes, const struct picture *whole,
                       const struct decode_hints *hints, const char *name)
{
    struct picture p;
    bool good = CHECK(can_read(bytes, hints, &p));

    good = good && CHECK(has_window(&p, hints, whole)) &&
           CHECK(p.shrink == 1 && p.chroma_x == 1 && !p.chroma[0].px) &&
           CHECK(frame_equal(p.full, whole->full));
    if (!good)
        fprintf(stderr, "    %s, %d x %d: %d x %d at %d, %d\n", name, whole->full.width,
                whole->full.height, hints->width, hints->height, hints->left, hints->top);
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

            if (CHECK(can_read(slice_of(&jpeg), NULL, &whole))) {
                CHECK(frame_equal(whole.full, SIZES[s]) && whole.shrink == 1);
                for (int i = 0; i < PARTS; i++) {
                    struct decode_hints hints = random_part(SIZES[s]);

                    check_part(slice_of(&jpeg), &whole, &hints, KINDS[k].name);
                }
            }
            picture_drop(&whole, &pool);
            text_drop(&jpeg);
        }
        CHECK((small_parts > 0) == !KINDS[k].crude);
    }
}

/* --- damage --- */

static bool is_read(struct slice bytes, const struct decode_hints *hints)
{
    struct picture p;
    bool ok = can_read(bytes, hints, &p);

    picture_drop(&p, &pool);
    return ok;
}

static void make_hints(struct decode_hints *hints, size_t n, struct frame f)
{
    for (size_t i = 0; i < n; i++) {
        if (i % 2)
            hints[i] = random_part(f);
        else
            hints[i] = (struct decode_hints){ 0 };
        hints[i].planar = i % 4 >= 2;
        hints[i].shrink = i < 4 ? 0 : 1 << unit_int(0, 3);
    }
}

/* Planes of a part alone may come out of a file that is damaged below. */
static void check_verdict(struct slice bytes, struct frame f, bool cut, const char *name)
{
    struct decode_hints hints[12];
    bool ok = is_read(bytes, NULL);

    make_hints(hints, COUNTOF(hints), f);
    for (size_t i = 0; i < COUNTOF(hints); i++) {
        const struct decode_hints *w = &hints[i];
        bool lax = !ok && !cut && w->planar && w->width;

        if (!CHECK(lax || is_read(bytes, w) == ok))
            fprintf(stderr, "    %s is %s, but not with%s shrink %d, %d x %d at %d, %d\n", name,
                    ok ? "read" : "refused", w->planar ? " planes," : "", w->shrink, w->width,
                    w->height, w->left, w->top);
    }
}

/* Allocates the exact length, so that a read beyond the end is detected. */
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

static bool same_header(const struct picture_header *a, const struct picture_header *b)
{
    return a->format == b->format && a->frame.width == b->frame.width &&
           a->frame.height == b->frame.height && a->channels == b->channels && a->type == b->type &&
           a->orientation == b->orientation && a->palette == b->palette &&
           a->several == b->several && a->subsampling == b->subsampling &&
           a->block.width == b->block.width && a->block.height == b->block.height;
}

/* However few bytes of a file are read, the values found are right; the bytes after the header are
 * not needed. */
static void test_beginnings(void)
{
    /* Orientation 6, after SOI; and 200 bytes of a comment. */
    static const char EXIF[] = "\xff\xe1\0\x22"
                               "Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0"
                               "\xff\xfe\0\xca";

    for (size_t k = 0; k < COUNTOF(KINDS); k++) {
        struct text jpeg = jpeg_scene(40, 24, &KINDS[k], 85), file = { 0 }, why = { 0 };
        struct picture_header whole = { 0 }, begun = { 0 };
        size_t min_length = 0;

        text_add(&file, jpeg.at, 2);
        text_add(&file, EXIF, sizeof EXIF - 1);
        for (int i = 0; i < 200; i++)
            text_addc(&file, (char)0xff);
        text_add(&file, jpeg.at + 2, jpeg.length - 2);
        CHECK(picture_peek(slice_of(&file), &whole, &why) && whole.orientation == 6);
        for (size_t n = 1; n <= file.length; n++) {
            if (!picture_peek_beginning((struct slice){ file.at, n }, &begun))
                continue;
            min_length = min_length ? min_length : n;
            CHECK(same_header(&begun, &whole));
        }
        CHECK(min_length > 240 && min_length < file.length);
        text_drop(&jpeg);
        text_drop(&file);
        text_drop(&why);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_parts),
        TEST(test_damage),
        TEST(test_beginnings),
    };
    int status = unit_main(tests, COUNTOF(tests));

    pool_drop(&pool);
    return status;
}
