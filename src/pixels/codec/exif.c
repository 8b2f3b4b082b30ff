/* exif: the orientation in EXIF data, from its first directory only.
 *
 * EXIF is TIFF: directories that point to directories, of any size and possibly in circles. A small
 * file can keep a library that reads all of them busy. The orientation is in the first directory.
 */
#include "pixels/codec/exif.h"

#include <string.h>

enum {
    MAX_BYTES = 1 << 16,
    HEADER = 8, /* "II*\0" or "MM\0*", and the offset of the first directory */
    ENTRY = 12, /* tag, type, count, value */
    TAG_ORIENTATION = 0x0112,
    TYPE_SHORT = 3,
    TYPE_LONG = 4,
};

struct reader {
    const unsigned char *at;
    size_t length;
    bool big_endian;
};

static uint32_t get(const struct reader *r, size_t offset, int bytes)
{
    uint32_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | r->at[offset + (size_t)(r->big_endian ? i : bytes - 1 - i)];
    return value;
}

static bool begin(struct reader *r, struct slice exif)
{
    if (exif.length >= 6 && memcmp(exif.at, "Exif\0", 6) == 0)
        exif = (struct slice){ exif.at + 6, exif.length - 6 };
    r->at = (const unsigned char *)exif.at;
    r->length = exif.length < MAX_BYTES ? exif.length : MAX_BYTES;
    if (r->length < HEADER)
        return false;
    r->big_endian = memcmp(r->at, "MM\0*", 4) == 0;
    return r->big_endian || memcmp(r->at, "II*\0", 4) == 0;
}

/* Returns a value of an entry that holds it: one or two SHORTs or one LONG. */
static int value_of(const struct reader *r, size_t entry)
{
    uint32_t type = get(r, entry + 2, 2), count = get(r, entry + 4, 4), value = 0;

    if (type == TYPE_SHORT && (count == 1 || count == 2))
        value = get(r, entry + 8, 2);
    else if (type == TYPE_LONG && count == 1)
        value = get(r, entry + 8, 4);
    return value >= 1 && value <= 8 ? (int)value : 1;
}

int exif_orientation(struct slice exif)
{
    struct reader r;
    size_t directory, n;

    if (!begin(&r, exif))
        return 1;
    directory = get(&r, 4, 4);
    if (directory > r.length - 2)
        return 1;
    n = get(&r, directory, 2);
    for (size_t i = 0; i < n; i++) {
        size_t entry = directory + 2 + i * ENTRY;

        if (entry + ENTRY > r.length)
            break;
        if (get(&r, entry, 2) == TAG_ORIENTATION)
            return value_of(&r, entry);
    }
    return 1;
}

struct turn exif_turn(int orientation)
{
    int o = orientation;

    return (struct turn){ .swap = o >= 5,
                          .columns_back = o == 2 || o == 3 || o == 7 || o == 8,
                          .rows_back = o == 3 || o == 4 || o == 6 || o == 7 };
}
