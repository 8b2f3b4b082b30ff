/* file_end: finds the end and the channels in a file's structure, without a decoder. */
#include "batch/inspect/inspect.h"

#include <string.h>

static uint32_t big(const char *at, int bytes)
{
    uint32_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | (uint8_t)at[i];
    return value;
}

/* --- JPEG: markers, most of them with a length --- */

enum { JPEG_END = 0xd9, JPEG_SCAN = 0xda };

/* True for a marker that begins a frame, which contains the number of channels. */
static bool is_frame(unsigned marker)
{
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/* Returns the offset of the first scan's data, or 0. `channels` gets the number of channels if a
 * frame precedes the scan. */
static size_t find_scan(struct slice jpeg, int *channels)
{
    size_t at = 2;

    while (at + 4 <= jpeg.length && (uint8_t)jpeg.at[at] == 0xff) {
        unsigned marker = (uint8_t)jpeg.at[at + 1];
        size_t length;

        if (marker == 0xff) { /* fill byte */
            at++;
            continue;
        }
        length = big(jpeg.at + at + 2, 2);
        if (is_frame(marker) && at + 10 <= jpeg.length)
            *channels = (uint8_t)jpeg.at[at + 9];
        at += 2 + length;
        if (marker == JPEG_SCAN)
            return at < jpeg.length ? at : 0;
    }
    return 0;
}

/* True if no end marker follows the start of the scan, at any offset. */
static bool is_jpeg_truncated(struct slice jpeg)
{
    int channels;
    size_t scan = find_scan(jpeg, &channels), at = jpeg.length;

    if (!scan)
        return false;
    while (at > scan + 1) {
        const char *found = memrchr(jpeg.at + scan + 1, JPEG_END, at - scan - 1);

        if (!found)
            return true;
        if ((uint8_t)found[-1] == 0xff)
            return false;
        at = (size_t)(found - jpeg.at);
    }
    return true;
}

bool jpeg_has_inks(struct slice jpeg)
{
    int channels = 0;

    find_scan(jpeg, &channels);
    return channels == 4;
}

/* --- PNG and WebP --- */

/* PNG consists of chunks: length, name, data and checksum. The last chunk is IEND. */
static bool is_png_truncated(struct slice png)
{
    size_t at = 8;

    while (png.length - at >= 12) {
        size_t length = big(png.at + at, 4);

        if (memcmp(png.at + at + 4, "IEND", 4) == 0)
            return false;
        if (length > png.length - at - 12)
            return true;
        at += 12 + length;
    }
    return true;
}

static bool is_webp_truncated(struct slice webp)
{
    size_t length = 0;

    for (int i = 3; webp.length >= 8 && i >= 0; i--)
        length = length << 8 | (uint8_t)webp.at[4 + i];
    return length + 8 > webp.length;
}

bool file_is_truncated(struct slice bytes, enum picture_format format)
{
    return format == PICTURE_JPEG   ? is_jpeg_truncated(bytes)
           : format == PICTURE_PNG  ? is_png_truncated(bytes)
           : format == PICTURE_WEBP ? is_webp_truncated(bytes)
                                    : false;
}
