/* tar_write: writes a tar, member by member. */
#include "batch/io/tar_write.h"
#include "base/environment.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 512, NAME = 100 };

/* POSIX ustar header. Numbers are octal digits, followed by a NUL. */
struct header {
    char name[NAME], mode[8], owner[8], group[8], size[12], time[12], sum[8], type;
    char link[NAME], magic[8], owner_name[32], group_name[32], device[16], prefix[155], rest[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

static bool can_hold_name(const char *name)
{
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c >= 0x80)
            return false;
    return strlen(name) <= NAME;
}

/* Appends "LENGTH path=NAME\n", where LENGTH includes its own digits. */
static void print_record(const char *name, struct text *out)
{
    size_t rest = strlen(" path=\n") + strlen(name), length = rest + 1;
    char digits[24];

    while (rest + (size_t)snprintf(digits, sizeof digits, "%zu", length) != length)
        length++;
    text_addf(out, "%zu path=%s\n", length, name);
}

static uint64_t whole_blocks(uint64_t length)
{
    return (length + BLOCK - 1) / BLOCK * BLOCK;
}

uint64_t tar_room(const char *name, size_t length)
{
    uint64_t room = BLOCK + whole_blocks(length);
    struct text record = { 0 };

    if (can_hold_name(name))
        return room;
    print_record(name, &record);
    room += BLOCK + whole_blocks(record.length);
    text_drop(&record);
    return room;
}

static void write_header(FILE *file, const char *name, char type, uint64_t size, uint64_t time)
{
    struct header h = { .mode = "0000644",
                        .owner = "0000000",
                        .group = "0000000",
                        .magic = "ustar\0"
                                 "00" };
    const unsigned char *bytes = (const unsigned char *)&h;
    unsigned sum = 0;

    memcpy(h.name, name, strlen(name) < NAME ? strlen(name) : NAME);
    snprintf(h.size, sizeof h.size, "%011llo", (unsigned long long)size);
    snprintf(h.time, sizeof h.time, "%011llo", (unsigned long long)time);
    h.type = type;
    memset(h.sum, ' ', sizeof h.sum);
    for (size_t i = 0; i < sizeof h; i++)
        sum += bytes[i];
    snprintf(h.sum, sizeof h.sum, "%06o",
             sum); /* followed by a NUL and the blank that is already there */
    fwrite(&h, 1, sizeof h, file);
}

static void write_blocks(FILE *file, struct slice bytes)
{
    static const char zeros[BLOCK];

    fwrite(bytes.at, 1, bytes.length, file);
    fwrite(zeros, 1, (size_t)(whole_blocks(bytes.length) - bytes.length), file);
}

void tar_add(FILE *file, const char *name, struct slice bytes, uint64_t time)
{
    struct text record = { 0 };

    if (!can_hold_name(name)) {
        print_record(name, &record);
        write_header(file, "PaxHeaders/name", 'x', record.length, time);
        write_blocks(file, (struct slice){ record.at, record.length });
        text_drop(&record);
    }
    write_header(file, name, '0', bytes.length, time);
    write_blocks(file, bytes);
}

void tar_end(FILE *file)
{
    static const char zeros[2 * BLOCK];

    fwrite(zeros, 1, sizeof zeros, file);
}

void tar_cut(FILE *file)
{
    write_header(file, "CUT-SHORT", '0', BLOCK, 0);
}

/* Member times do not affect a result. For reproducible builds, a user may set one:
 * https://reproducible-builds.org/specs/source-date-epoch. The header has room for 11 octal digits.
 */
uint64_t tar_time(void)
{
    enum { DIGITS = 10 };
    const char *given = environment_get("SOURCE_DATE_EPOCH");
    size_t n = given ? strspn(given, "0123456789") : 0;

    return n && n <= DIGITS && !given[n] ? strtoull(given, NULL, 10) : 0;
}
