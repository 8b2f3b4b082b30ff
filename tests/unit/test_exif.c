/* test_exif: orientations in EXIF data of both byte orders, and JPEG segments in any order. */
#include "unit.h"

#include "base/text.h"
#include "pixels/codec/exif.h"
#include "pixels/codec/jpeg_segments.h"

#include <stdlib.h>
#include <string.h>

static void put(struct text *out, bool big, int bytes, uint32_t value)
{
    for (int i = 0; i < bytes; i++)
        text_addc(out, (char)(value >> 8 * (big ? bytes - 1 - i : i)));
}

struct entry {
    uint32_t tag, type, count, value;
};

/* EXIF data of one directory; values of two bytes lie at the beginning of their four. */
static struct text exif_of(bool big, const struct entry *entry, size_t n)
{
    struct text out = { 0 };

    text_add(&out, big ? "MM\0*" : "II*\0", 4);
    put(&out, big, 4, 8);
    put(&out, big, 2, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        bool is_short = entry[i].type == 3;

        put(&out, big, 2, entry[i].tag);
        put(&out, big, 2, entry[i].type);
        put(&out, big, 4, entry[i].count);
        put(&out, big, is_short ? 2 : 4, entry[i].value);
        put(&out, big, is_short ? 2 : 0, 0);
    }
    put(&out, big, 4, 0);
    return out;
}

/* Reads from a copy of the exact size, so that a sanitizer detects reads beyond it. */
static int orientation_of(const char *at, size_t length)
{
    char *copy = malloc(length + !length);
    int orientation;

    memcpy(copy, at, length);
    orientation = exif_orientation((struct slice){ copy, length });
    free(copy);
    return orientation;
}

static void check_entry(struct entry e, int expected)
{
    const struct entry entries[] = { { 0x010f, 2, 4, 0x41424300 }, e, { 0x0112, 3, 1, 4 } };

    for (int big = 0; big < 2; big++) {
        struct text exif = exif_of(big, entries, 3), prefixed = { 0 };

        text_add(&prefixed, "Exif\0", 6);
        text_add(&prefixed, exif.at, exif.length);
        CHECK(orientation_of(exif.at, exif.length) == expected);
        CHECK(orientation_of(prefixed.at, prefixed.length) == expected);
        for (size_t cut = 0; cut < exif.length; cut++)
            CHECK(orientation_of(exif.at, cut) == (cut < 34 ? 1 : expected));
        text_drop(&exif);
        text_drop(&prefixed);
    }
}

static void test_entries(void)
{
    for (uint32_t value = 0; value < 12; value++) {
        int expected = value >= 1 && value <= 8 ? (int)value : 1;

        check_entry((struct entry){ 0x0112, 3, 1, value }, expected);
        check_entry((struct entry){ 0x0112, 4, 1, value }, expected);
    }
    check_entry((struct entry){ 0x0112, 3, 1, 0x0106 }, 1);
    check_entry((struct entry){ 0x0112, 4, 1, 0x10006 }, 1);
    check_entry((struct entry){ 0x0112, 3, 0, 6 }, 1);
    check_entry((struct entry){ 0x0112, 3, 3, 6 }, 1); /* the value is at an offset */
    check_entry((struct entry){ 0x0112, 1, 1, 6 }, 1);
    check_entry((struct entry){ 0x0112, 5, 1, 6 }, 1);
}

/* Directories that lie outside, or at the very end, or count more than there is. */
static void test_directories(void)
{
    const struct entry e = { 0x0112, 3, 1, 6 };
    struct text exif = exif_of(false, &e, 1);

    CHECK(orientation_of(exif.at, exif.length) == 6);
    exif.at[8] = exif.at[9] = '\xff'; /* so many entries */
    CHECK(orientation_of(exif.at, exif.length) == 6);
    exif.at[10] = '\x13';
    CHECK(orientation_of(exif.at, exif.length) == 1);
    for (uint32_t at = 0; at < 70000; at = at < 40 ? at + 1 : 2 * at) {
        for (int i = 0; i < 4; i++)
            exif.at[4 + i] = (char)(at >> 8 * i);
        CHECK(orientation_of(exif.at, exif.length) == 1);
    }
    memset(exif.at + 4, '\xff', 4);
    CHECK(orientation_of(exif.at, exif.length) == 1);
    text_drop(&exif);
}

static void add_segment(struct text *jpeg, int marker, const char *at, size_t length)
{
    text_addc(jpeg, '\xff');
    text_addc(jpeg, (char)marker);
    put(jpeg, true, 2, (uint32_t)length + 2);
    text_add(jpeg, at, length);
}

static void add_profile(struct text *jpeg, int number, int count, const char *data)
{
    struct text part = { 0 };

    text_add(&part, "ICC_PROFILE", 12);
    text_addc(&part, (char)number);
    text_addc(&part, (char)count);
    text_adds(&part, data);
    add_segment(jpeg, 0xe2, part.at, part.length);
    text_drop(&part);
}

static void check_profile(const struct text *jpeg, const char *expected)
{
    size_t length = 99;
    uint8_t *icc = jpeg_profile((struct slice){ jpeg->at, jpeg->length }, &length);

    CHECK((icc != NULL) == (expected != NULL));
    CHECK(length == (expected ? strlen(expected) : 0));
    CHECK(!icc || memcmp(icc, expected, length) == 0);
    free(icc);
}

/* XMP, an empty APP1 and one of something else before EXIF, the profile in two parts around it. */
static void test_segments(void)
{
    const struct entry e = { 0x0112, 3, 1, 8 }, later = { 0x0112, 3, 1, 3 };
    struct text exif = { 0 }, jpeg = { 0 }, data = exif_of(true, &e, 1);
    struct slice found;

    text_add(&exif, "Exif\0", 6);
    text_add(&exif, data.at, data.length);
    text_add(&jpeg, "\xff\xd8", 2);
    add_segment(&jpeg, 0xe0, "JFIF\0\1\1\0\0\1\0\1\0", 14);
    add_profile(&jpeg, 2, 2, "second");
    add_segment(&jpeg, 0xe1, "", 0);
    add_segment(&jpeg, 0xe1, "http://ns.adobe.com/xap/1.0/", 29);
    add_segment(&jpeg, 0xe1, "Exif\0", 6);
    text_add(&jpeg, "junk\xff\xff\xff\x01", 8); /* between segments; fill bytes; TEM */
    add_segment(&jpeg, 0xe1, exif.at, exif.length);
    text_drop(&data);
    data = exif_of(false, &later, 1);
    text_cut(&exif, 6);
    text_add(&exif, data.at, data.length);
    add_segment(&jpeg, 0xe1, exif.at, exif.length);
    check_profile(&jpeg, NULL); /* half of one */
    add_profile(&jpeg, 1, 2, "first");
    check_profile(&jpeg, "firstsecond");
    found = jpeg_exif((struct slice){ jpeg.at, jpeg.length });
    CHECK(exif_orientation(found) == 8);
    text_cut(&jpeg, jpeg.length - 1);
    check_profile(&jpeg, NULL);
    found = jpeg_exif((struct slice){ jpeg.at, 40 });
    CHECK(found.length == 0 && exif_orientation(found) == 1);
    text_drop(&jpeg);
    text_add(&jpeg, "\xff\xd8\xff\xda\0\2",
             6); /* segments after the start of the scan do not count */
    add_segment(&jpeg, 0xe1, exif.at, exif.length);
    CHECK(jpeg_exif((struct slice){ jpeg.at, jpeg.length }).length == 0);
    text_drop(&jpeg);
    add_profile(&jpeg, 1, 2, "first");
    add_profile(&jpeg, 1, 2, "again");
    check_profile(&jpeg, NULL);
    text_drop(&jpeg);
    text_drop(&exif);
    text_drop(&data);
}

static void test_noise(void)
{
    char bytes[200];

    for (int round = 0; round < 20000; round++) {
        size_t length = (size_t)unit_int(0, sizeof bytes);
        struct slice s = { bytes, length };
        size_t icc_length;

        for (size_t i = 0; i < length; i++)
            bytes[i] = (char)(unit_int(0, 3) ? "\xff\xe1\xe2\0\1\2\x12\xda"[unit_int(0, 7)]
                                             : unit_int(0, 255));
        CHECK(jpeg_exif(s).length <= length);
        free(jpeg_profile(s, &icc_length));
        if (length > 8)
            memcpy(bytes, unit_int(0, 1) ? "II*\0\x08\0\0\0" : "MM\0*\0\0\0\x08", 8);
        CHECK(orientation_of(bytes, length) >= 1 && orientation_of(bytes, length) <= 8);
    }
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_entries),
        TEST(test_directories),
        TEST(test_segments),
        TEST(test_noise),
    };

    return unit_main(tests, COUNTOF(tests));
}
