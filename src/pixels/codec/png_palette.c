/* png_palette: reads the indices of a PNG with a palette.
 *
 * Decoders return colors, and two indices may have the same one. So the decoder gets the same file
 * without the palette and with a header that says gray: then it returns the indices. */
#include "pixels/codec/codec.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 8 + 25, DEPTH = 24, COLOUR_TYPE = 25 }; /* their offsets in the file (PNG 11.2.2) */

/* Takes the next whole chunk; an incomplete chunk may be left at the end. */
static bool next_chunk(struct slice *left, struct slice *chunk)
{
    const unsigned char *at = (const unsigned char *)left->at;
    size_t length;

    if (left->length < 12)
        return false;
    length = 12 + ((size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3]);
    if (length > left->length)
        return false;
    *chunk = (struct slice){ left->at, length };
    left->at += length;
    left->length -= length;
    return true;
}

static bool is_chunk(struct slice chunk, const char *type)
{
    return memcmp(chunk.at + 4, type, 4) == 0;
}

static void keep_colours(struct slice chunk, struct palette *p)
{
    size_t length = chunk.length - 12;

    if (is_chunk(chunk, "PLTE")) {
        p->n = (int)(length < sizeof p->rgb ? length : sizeof p->rgb) / 3;
        memcpy(p->rgb, chunk.at + 8, 3 * (size_t)p->n);
    } else {
        p->n_alpha = (int)(length < sizeof p->alpha ? length : sizeof p->alpha);
        memcpy(p->alpha, chunk.at + 8, (size_t)p->n_alpha);
    }
}

/* Rewrites the file as a gray one. Its colors go to the palette. Chunks other than pixels and the
 * orientation are dropped. */
static void make_gray(struct slice png, struct text *gray, struct palette *p)
{
    struct slice left = { png.at + 8, png.length - 8 }, chunk;

    text_add(gray, png.at, 8);
    while (next_chunk(&left, &chunk)) {
        if (is_chunk(chunk, "PLTE") || is_chunk(chunk, "tRNS"))
            keep_colours(chunk, p);
        else if (is_chunk(chunk, "IHDR") || is_chunk(chunk, "IDAT") || is_chunk(chunk, "eXIf") ||
                 is_chunk(chunk, "IEND"))
            text_add(gray, chunk.at, chunk.length);
    }
    text_add(gray, left.at, left.length);
    if (gray->length < HEADER || !is_chunk((struct slice){ gray->at + 8, 25 }, "IHDR"))
        return;
    gray->at[COLOUR_TYPE] = 0;
    codec_png_seal(gray->at + 8);
}

/* False for depths that the decoder must refuse. */
static bool has_indices(struct slice png)
{
    return png.length > HEADER && png.at[COLOUR_TYPE] == 3 && png.at[DEPTH] && png.at[DEPTH] <= 8;
}

/* Undoes the decoder's scaling of 1, 2 and 4 bits to 8. */
static void gather(struct plane *p, int depth)
{
    int step = 255 / ((1 << depth) - 1);

    for (int y = 0; y < p->height; y++) {
        uint8_t *row = (uint8_t *)p->px + (size_t)y * p->stride;

        for (int x = 0; x < p->width; x++)
            row[x] = (uint8_t)(row[x] / step);
    }
}

bool picture_read_labels(struct slice bytes, struct pool *pool, size_t max_pixels,
                         const struct decode_hints *hints, struct picture *picture,
                         struct text *why)
{
    struct decode_hints wished = hints ? *hints : (struct decode_hints){ 0 };
    enum picture_format format;
    struct text gray = { 0 };
    struct palette *palette;
    bool good;

    wished.labels = true;
    if (!picture_sniff(bytes, &format) || format != PICTURE_PNG || !has_indices(bytes))
        return picture_read(bytes, pool, max_pixels, &wished, picture, why);
    palette = memory_take(sizeof *palette);
    memset(palette, 0, sizeof *palette);
    make_gray(bytes, &gray, palette);
    good =
        picture_read((struct slice){ gray.at, gray.length }, pool, max_pixels, hints, picture, why);
    if (good && !palette->n) {
        text_adds(why, "the PNG file has no palette");
        picture_drop(picture, pool);
        good = false;
    }
    if (good) {
        gather(&picture->plane, bytes.at[DEPTH]);
        picture->palette = palette;
    } else {
        free(palette);
    }
    text_drop(&gray);
    return good;
}
