/* archive_zip_check: compares the directory of a ZIP archive with the headers of its files.
 *
 * Some readers take names and sizes from the directory at the end, and others from the header
 * before each file. An archive in which these differ has two meanings. Format: PKWARE
 * APPNOTE 6.3.10, sections 4.3 and 4.5.3. */
#include "batch/io/archive_zip_check.h"

#include "base/files.h"
#include "json/document.h"

#include <stdlib.h>
#include <string.h>

enum {
    LOCAL_SIZE = 30,
    CENTRAL_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    MAX_COMMENT = 65535,
    SIZES_FOLLOW = 8 /* a bit of the flags */
};
static const uint64_t MAX_DIRECTORY = (uint64_t)1 << 30;

static uint64_t number_at(const char *at, int bytes)
{
    uint64_t n = 0;

    for (int i = bytes; i--;)
        n = n << 8 | (unsigned char)at[i];
    return n;
}

/* Contents of a header of either kind for a file. */
struct entry {
    uint64_t flags, method, crc, packed, size, at;
    struct slice name;
};

/* Range of a file in the archive: the start of its header and the end of its data. */
struct extent {
    uint64_t start, end;
    bool described; /* sizes may follow its data */
};

struct zip {
    int fd;
    uint64_t directory, size,
        count; /* offset and size of the directory, and number of its entries */
    struct pile extents;
    struct text *why;
};

static bool refuse(struct zip *z, const char *reason)
{
    text_adds(z->why, reason);
    return false;
}

static bool refuse_file(struct zip *z, struct slice name, const char *reason)
{
    text_add_visible(z->why, name.at, name.length);
    text_addf(z->why, ": %s", reason);
    return false;
}

/* --- the end --- */

/* Large archives store these numbers in a record before the end record. */
static bool read_end64(struct zip *z, uint64_t end, uint64_t *directory_end)
{
    char locator[LOCATOR64_SIZE], record[END64_SIZE];
    uint64_t at;

    if (end < LOCATOR64_SIZE + END64_SIZE ||
        !file_read_all(z->fd, locator, sizeof locator, end - LOCATOR64_SIZE) ||
        memcmp(locator, "PK\6\7", 4) != 0)
        return true;
    at = number_at(locator + 8, 8);
    if (at > end - LOCATOR64_SIZE - END64_SIZE ||
        !file_read_all(z->fd, record, sizeof record, at) || memcmp(record, "PK\6\6", 4) != 0)
        return refuse(z, "its end states an offset that has no directory record");
    z->count = number_at(record + 32, 8);
    z->size = number_at(record + 40, 8);
    z->directory = number_at(record + 48, 8);
    *directory_end = at;
    return true;
}

static bool read_end(struct zip *z, uint64_t length)
{
    uint64_t room = length < END_SIZE + MAX_COMMENT ? length : END_SIZE + MAX_COMMENT;
    uint64_t end = length, directory_end;
    char *tail = memory_take((size_t)room);
    bool good = file_read_all(z->fd, tail, (size_t)room, length - room);

    for (uint64_t i = room - END_SIZE + 1; good && end == length && i--;)
        if (memcmp(tail + i, "PK\5\6", 4) == 0 &&
            number_at(tail + i + 20, 2) == room - i - END_SIZE) {
            end = length - room + i;
            z->count = number_at(tail + i + 10, 2);
            z->size = number_at(tail + i + 12, 4);
            z->directory = number_at(tail + i + 16, 4);
        }
    free(tail);
    directory_end = end;
    if (end == length)
        return refuse(z, "its last bytes are not the end of a ZIP archive: it is truncated, or "
                         "something follows it");
    if (!read_end64(z, end, &directory_end))
        return false;
    if (z->size > directory_end || z->directory != directory_end - z->size ||
        z->size > MAX_DIRECTORY)
        return refuse(z, "its directory is not at the offset that its end states; was data put "
                         "before it, or were archives joined with cat?");
    return true;
}

/* --- its entries --- */

/* Reads numbers that do not fit into the header from an extra field, in this order. */
static bool read_large(struct slice extra, uint64_t *const *numbers, size_t n)
{
    const uint64_t absent = UINT32_MAX;
    size_t at = 0, length = 0;

    while (extra.length - at >= 4) {
        length = (size_t)number_at(extra.at + at + 2, 2);
        if (length > extra.length - at - 4)
            return false;
        at += 4;
        if (number_at(extra.at + at - 4, 2) == 1)
            break;
        at += length;
        length = 0;
    }
    for (size_t i = 0; i < n; i++) {
        if (*numbers[i] != absent)
            continue;
        if (length < 8)
            return false;
        *numbers[i] = number_at(extra.at + at, 8);
        at += 8;
        length -= 8;
    }
    return true;
}

/* Reads the directory entry at the start of the bytes. Returns its length; 0: not an entry. */
static size_t read_central(struct slice bytes, struct entry *e)
{
    const char *at = bytes.at;
    uint64_t *large[] = { &e->size, &e->packed, &e->at };
    size_t name, extra, length;

    if (bytes.length < CENTRAL_SIZE || memcmp(at, "PK\1\2", 4) != 0)
        return 0;
    name = (size_t)number_at(at + 28, 2);
    extra = (size_t)number_at(at + 30, 2);
    length = CENTRAL_SIZE + name + extra + (size_t)number_at(at + 32, 2);
    *e = (struct entry){ number_at(at + 8, 2),       number_at(at + 10, 2), number_at(at + 16, 4),
                         number_at(at + 20, 4),      number_at(at + 24, 4), number_at(at + 42, 4),
                         { at + CENTRAL_SIZE, name } };
    return length <= bytes.length &&
                   read_large((struct slice){ at + CENTRAL_SIZE + name, extra }, large, 3)
               ? length
               : 0;
}

/* Reads the header before the file. Returns false if there is none, or if a number is missing. */
static bool read_local(struct zip *z, uint64_t at, struct text *room, struct entry *e,
                       uint64_t *data)
{
    char head[LOCAL_SIZE];
    uint64_t *large[] = { &e->size, &e->packed };
    size_t name, extra;
    char *rest;

    if (at > z->directory || z->directory - at < LOCAL_SIZE ||
        !file_read_all(z->fd, head, sizeof head, at) || memcmp(head, "PK\3\4", 4) != 0)
        return false;
    name = (size_t)number_at(head + 26, 2);
    extra = (size_t)number_at(head + 28, 2);
    *data = at + LOCAL_SIZE + name + extra;
    text_clear(room);
    rest = text_room(room, name + extra);
    if (*data > z->directory || !file_read_all(z->fd, rest, name + extra, at + LOCAL_SIZE))
        return false;
    *e = (struct entry){ number_at(head + 6, 2),  number_at(head + 8, 2),  number_at(head + 14, 4),
                         number_at(head + 18, 4), number_at(head + 22, 4), at,
                         { rest, name } };
    return read_large((struct slice){ rest + name, extra }, large, 2);
}

/* Returns the name of the first difference; NULL if there is none. */
static const char *find_difference(const struct entry *a, const struct entry *local)
{
    bool unknown = local->flags & SIZES_FOLLOW && !local->crc && !local->packed && !local->size;

    if (a->name.length != local->name.length ||
        memcmp(a->name.at, local->name.at, a->name.length) != 0)
        return "name";
    if (a->method != local->method)
        return "method of compression";
    if (a->flags != local->flags)
        return "flags";
    if (unknown)
        return NULL;
    return a->crc != local->crc                                   ? "checksum"
           : a->packed != local->packed || a->size != local->size ? "size"
                                                                  : NULL;
}

static bool check_entry(struct zip *z, const struct entry *e, struct text *room)
{
    struct entry local;
    struct extent *extent;
    const char *difference;
    uint64_t data;

    if (!read_local(z, e->at, room, &local, &data))
        return refuse_file(z, e->name,
                           "the archive's directory states an offset that does not have this file");
    difference = find_difference(e, &local);
    if (difference) {
        text_add_visible(z->why, e->name.at, e->name.length);
        text_addf(z->why, ": the archive's directory has another %s than the file's own header",
                  difference);
        return false;
    }
    if (e->packed > z->directory - data)
        return refuse_file(z, e->name, "it reaches beyond the archive's files");
    extent = pile_add(&z->extents, sizeof *extent);
    *extent = (struct extent){ e->at, data + e->packed, e->flags & SIZES_FOLLOW };
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

/* Checks that files follow each other without gaps up to the directory. So no file can be missing
 * from the directory. */
static bool check_gaps(struct zip *z)
{
    struct extent *all = (struct extent *)z->extents.at;
    enum { MIN_SIZES = 12, MAX_SIZES = 24 };
    uint64_t end = 0;
    bool described = false;

    if (z->extents.n)
        qsort(all, z->extents.n, sizeof *all, by_start);
    for (size_t i = 0; i <= z->extents.n; i++) {
        uint64_t start = i < z->extents.n ? all[i].start : z->directory, gap = start - end;

        if (start < end || gap > (described ? MAX_SIZES : 0) || (described && gap < MIN_SIZES))
            return refuse(
                z, start < end
                       ? "two of its files share bytes"
                       : "it has bytes between its files that belong to no file of its directory");
        if (i < z->extents.n) {
            end = all[i].end;
            described = all[i].described;
        }
    }
    return true;
}

static bool check_entries(struct zip *z, const char *directory)
{
    struct text room = { 0 };
    struct entry e;
    uint64_t at = 0, n = 0;
    bool good = true;

    for (; good && at < z->size; n++) {
        size_t length = read_central((struct slice){ directory + at, (size_t)(z->size - at) }, &e);

        good = length ? check_entry(z, &e, &room) : refuse(z, "its directory is damaged");
        at += length;
    }
    text_drop(&room);
    return good && (n == z->count ||
                    refuse(z, "its directory has another number of files than its end states"));
}

bool zip_is_consistent(int fd, uint64_t length, struct text *why)
{
    struct zip z = { .fd = fd, .why = why };
    char *directory = NULL;
    bool good = length >= END_SIZE || refuse(&z, "it is too short for a ZIP archive");

    good = good && read_end(&z, length);
    if (good) {
        directory = memory_take((size_t)z.size + 1);
        good =
            file_read_all(fd, directory, (size_t)z.size, z.directory) || refuse(&z, errno_text());
    }
    good = good && check_entries(&z, directory) && check_gaps(&z);
    free(directory);
    free(z.extents.at);
    return good;
}
