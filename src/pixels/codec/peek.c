/* peek: reads the same header of a file as picture_probe, without its decoder. */
#include "pixels/codec/codec.h"

#include <string.h>

static uint32_t big(const char *at, int bytes)
{
    uint32_t value = 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | (uint8_t)at[i];
    return value;
}

static bool is_side(uint32_t side)
{
    return side >= 1 && side <= INT32_MAX;
}

/* --- PNG (11.2): chunks of a length, a name, data and a checksum --- */

enum { PNG_FIRST = 8, PNG_HEAD = 8, PNG_SUM = 4, PNG_HEADER = 13, MAX_CHUNKS = 64 };

/* False for chunks that add alpha, an orientation or more frames: such files are left to the
 * decoder. */
static bool has_plain_chunks(struct slice png)
{
    static const char *const KNOWN[] = { "PLTE", "gAMA", "cHRM", "sRGB", "iCCP", "pHYs", "tEXt",
                                         "zTXt", "iTXt", "tIME", "sBIT", "bKGD", "hIST" };
    size_t at = PNG_FIRST + PNG_HEAD + PNG_HEADER + PNG_SUM;

    for (int i = 0; i < MAX_CHUNKS && png.length - at >= PNG_HEAD + PNG_SUM; i++) {
        const char *name = png.at + at + 4;
        size_t length = big(png.at + at, 4);
        bool known = false;

        if (memcmp(name, "IDAT", 4) == 0)
            return true;
        for (size_t k = 0; k < COUNTOF(KNOWN); k++)
            known |= memcmp(name, KNOWN[k], 4) == 0;
        if (!known || length > png.length - at - PNG_HEAD - PNG_SUM)
            return false;
        at += PNG_HEAD + length + PNG_SUM;
    }
    return false;
}

static bool peek_png(struct slice png, struct picture_header *h)
{
    static const int CHANNELS[] = { 1, 0, 3, 3, 2, 0, 4 }; /* indexed by color type */
    const char *data = png.at + PNG_FIRST + PNG_HEAD;
    unsigned depth, colour;

    if (png.length < PNG_FIRST + PNG_HEAD + PNG_HEADER + PNG_SUM ||
        memcmp(png.at + PNG_FIRST, "\0\0\0\15IHDR", 8) != 0 || !has_plain_chunks(png))
        return false;
    depth = (uint8_t)data[8];
    colour = (uint8_t)data[9];
    if (!is_side(big(data, 4)) || !is_side(big(data + 4, 4)) || colour >= COUNTOF(CHANNELS) ||
        !CHANNELS[colour] || (depth != 8 && depth != 16))
        return false;
    h->frame = (struct frame){ (int)big(data, 4), (int)big(data + 4, 4) };
    h->channels = CHANNELS[colour];
    h->type = depth == 16 ? PIXEL_U16 : PIXEL_U8;
    h->palette = colour == 3;
    return true;
}

/* --- WebP (RFC 9649) without an extended header --- */

static uint32_t little(const char *at, int bytes)
{
    uint32_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | (uint8_t)at[bytes];
    return value;
}

static bool peek_webp(struct slice webp, struct picture_header *h)
{
    const char *data = webp.at + 20;

    if (webp.length < 30 || (size_t)little(webp.at + 4, 4) + 8 > webp.length)
        return false;
    h->type = PIXEL_U8;
    if (memcmp(webp.at + 12, "VP8L", 4) == 0 && data[0] == 0x2f) {
        uint32_t bits = little(data + 1, 4);

        h->frame = (struct frame){ (int)(bits & 0x3fff) + 1, (int)(bits >> 14 & 0x3fff) + 1 };
        h->channels = bits >> 28 & 1 ? 4 : 3;
        h->lossless = true;
        return true;
    }
    h->frame =
        (struct frame){ (int)little(data + 6, 2) & 0x3fff, (int)little(data + 8, 2) & 0x3fff };
    h->channels = 3;
    return memcmp(webp.at + 12, "VP8 ", 4) == 0 && memcmp(data + 3, "\x9d\x01\x2a", 3) == 0 &&
           h->frame.width && h->frame.height;
}

/* --- all --- */

bool picture_peek(struct slice bytes, struct picture_header *header, struct text *why)
{
    struct picture_header h = { .orientation = 1 };

    /* After damage, libjpeg searches for the next marker up to the end of the file. */
    if (picture_sniff(bytes, &h.format) && h.format == PICTURE_JPEG &&
        bytes.length > PICTURE_METADATA)
        bytes.length = PICTURE_METADATA;
    if (picture_sniff(bytes, &h.format) &&
        ((h.format == PICTURE_PNG && peek_png(bytes, &h)) ||
         (h.format == PICTURE_WEBP && peek_webp(bytes, &h)) ||
         (h.format == PICTURE_TIFF && codec_tiff_peek(bytes, &h)))) {
        *header = h;
        return true;
    }
    return picture_probe(bytes, header, why);
}

bool picture_peek_beginning(struct slice beginning, struct picture_header *header)
{
    struct picture_header h = { .orientation = 1 };
    struct text why = { 0 };
    bool good = false;

    if (picture_sniff(beginning, &h.format) && h.format == PICTURE_JPEG)
        good = picture_probe(beginning, &h, &why);
    else if (h.format == PICTURE_PNG)
        good = peek_png(beginning, &h);
    if (good)
        *header = h;
    text_drop(&why);
    return good;
}

bool picture_fits_file(struct slice file, struct text *why)
{
    struct picture_header h;

    if (!picture_peek(file, &h, why))
        return false;
    return h.several || codec_can_hold_pixels(h.format, file.length,
                                              (size_t)h.frame.width * (size_t)h.frame.height, why);
}
