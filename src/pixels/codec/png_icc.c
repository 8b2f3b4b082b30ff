/* png_icc: reads the color profile of a PNG file.
 *
 * libpng drops profiles that are wrong in some ways, and warns about others. Here only profiles
 * without any fault are accepted (ICC.1:2010, 7.2 and 7.3). */
#include "pixels/codec/codec.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

enum { MAX_KEYWORD = 79, MAX_BYTES = 4 << 20, ICC_HEADER = 128, TAG = 12, INTENTS = 4 };
enum { MIN_CHUNK = 92 /* the minimum of libpng */ };

static uint32_t big(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static bool is_one_of(const uint8_t *at, const char *words)
{
    for (; *words; words += 4)
        if (memcmp(at, words, 4) == 0)
            return true;
    return false;
}

static bool has_good_tags(const uint8_t *icc, size_t length)
{
    size_t n = big(icc + ICC_HEADER);

    if (!n || n > (length - ICC_HEADER - 4) / TAG)
        return false;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *tag = icc + ICC_HEADER + 4 + TAG * i;
        size_t start = big(tag + 4), size = big(tag + 8);

        if (start % 4 || start > length || size > length - start)
            return false;
    }
    return true;
}

static bool is_good(const uint8_t *icc, size_t length, bool gray)
{
    static const uint8_t D50[] = { 0, 0, 0xf6, 0xd6, 0, 1, 0, 0, 0, 0, 0xd3, 0x2d };

    return length >= ICC_HEADER + 4 && length % 4 == 0 && big(icc) == length &&
           is_one_of(icc + 12, "scnrmntrprtrspac") && is_one_of(icc + 16, gray ? "GRAY" : "RGB ") &&
           is_one_of(icc + 20, "XYZ Lab ") && is_one_of(icc + 36, "acsp") &&
           big(icc + 64) < INTENTS && memcmp(icc + 68, D50, sizeof D50) == 0 &&
           has_good_tags(icc, length);
}

/* Inflates the whole stream; fails if anything follows it. */
static size_t inflate(struct slice stream, uint8_t *to)
{
    struct libdeflate_decompressor *inflater;
    size_t read = 0, length = 0;
    bool good;

    libdeflate_set_memory_allocator(memory_take, free);
    inflater = libdeflate_alloc_decompressor();
    good = libdeflate_zlib_decompress_ex(inflater, stream.at, stream.length, to, MAX_BYTES, &read,
                                         &length) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(inflater);
    return good && read == stream.length ? length : 0;
}

bool codec_png_profile(struct slice chunk, bool gray, struct picture *picture)
{
    size_t name = strnlen(chunk.at, chunk.length), length;
    uint8_t *icc;
    bool good;

    /* The chunk has a name, its terminator, and the number of the only compression method. */
    if (!name || name > MAX_KEYWORD || chunk.length < MIN_CHUNK || chunk.at[name + 1])
        return false;
    icc = memory_take(MAX_BYTES);
    length = inflate((struct slice){ chunk.at + name + 2, chunk.length - name - 2 }, icc);
    good = length && is_good(icc, length, gray);
    if (good) {
        picture->icc = memory_take(length);
        picture->icc_length = length;
        memcpy(picture->icc, icc, length);
    }
    free(icc);
    return good;
}
