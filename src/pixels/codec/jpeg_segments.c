/* jpeg_segments: finds a JPEG's APP1 and APP2 segments without libjpeg. */
#include "pixels/codec/jpeg_segments.h"

#include "base/text.h"

#include <string.h>

enum {
    MARKER_TEM = 0x01,
    MARKER_RST0 = 0xd0,
    MARKER_SOI = 0xd8, /* this and RST0..RST7 before it have no length */
    MARKER_EOI = 0xd9,
    MARKER_SOS = 0xda,
    MARKER_APP1 = 0xe1,
    MARKER_APP2 = 0xe2,
};

/* Finds the next segment of this marker before the first scan; `left` becomes the rest after it.
 * Bytes between segments are skipped, as by libjpeg. */
static bool next_segment(struct slice *left, int marker, struct slice *segment)
{
    const unsigned char *at = (const unsigned char *)left->at, *end = at + left->length;

    while ((at = memchr(at, 0xff, (size_t)(end - at)))) {
        int found;
        size_t length;

        while (at < end && *at == 0xff)
            at++;
        if (at == end)
            return false;
        found = *at++;
        if (found == 0 || found == MARKER_TEM || (found >= MARKER_RST0 && found <= MARKER_SOI))
            continue;
        if (found == MARKER_SOS || found == MARKER_EOI || end - at < 2)
            return false;
        length = (size_t)at[0] << 8 | at[1];
        if (length < 2 || length > (size_t)(end - at))
            return false;
        *segment = (struct slice){ (const char *)at + 2, length - 2 };
        at += length;
        if (found == marker) {
            *left = (struct slice){ (const char *)at, (size_t)(end - at) };
            return true;
        }
    }
    return false;
}

struct slice jpeg_exif(struct slice jpeg)
{
    struct slice segment;

    while (next_segment(&jpeg, MARKER_APP1, &segment))
        if (segment.length > 6 && memcmp(segment.at, "Exif\0", 6) == 0)
            return segment;
    return (struct slice){ "", 0 };
}

enum { PROFILE_HEAD = 14, MAX_PARTS = 255 }; /* PROFILE_HEAD: a name of 12 bytes, number, count */

/* Finds the parts of a profile, in order. False if a part is missing or present twice. */
static bool find_parts(struct slice jpeg, struct slice *parts, size_t *n)
{
    struct slice segment;
    size_t found = 0;

    *n = 0;
    while (next_segment(&jpeg, MARKER_APP2, &segment)) {
        size_t number, count;

        if (segment.length < PROFILE_HEAD || memcmp(segment.at, "ICC_PROFILE", 12) != 0)
            continue;
        number = (uint8_t)segment.at[12];
        count = (uint8_t)segment.at[13];
        *n = *n ? *n : count;
        if (count != *n || number < 1 || number > *n || parts[number - 1].at)
            return false;
        parts[number - 1] =
            (struct slice){ segment.at + PROFILE_HEAD, segment.length - PROFILE_HEAD };
        found++;
    }
    return *n && found == *n;
}

uint8_t *jpeg_profile(struct slice jpeg, size_t *length)
{
    struct slice parts[MAX_PARTS] = { { 0 } };
    size_t n, at = 0;
    uint8_t *profile;

    *length = 0;
    if (!find_parts(jpeg, parts, &n))
        return NULL;
    for (size_t i = 0; i < n; i++)
        *length += parts[i].length;
    profile = *length ? memory_take(*length) : NULL;
    for (size_t i = 0; profile && i < n; at += parts[i++].length)
        memcpy(profile + at, parts[i].at, parts[i].length);
    return profile;
}
