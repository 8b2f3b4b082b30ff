/* png_files: PNG files of every kind, made up. */
#pragma once

#include "base/text.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

enum { PNG_GRAY = 0, PNG_RGB = 2, PNG_INDEXED = 3, PNG_GRAY_ALPHA = 4, PNG_RGB_ALPHA = 6 };

static const struct png_kind {
    int colour, depth, channels;
} png_kinds[] = {
    { PNG_GRAY, 1, 1 },        { PNG_GRAY, 2, 1 },      { PNG_GRAY, 4, 1 },
    { PNG_GRAY, 8, 1 },        { PNG_GRAY, 16, 1 },     { PNG_RGB, 8, 3 },
    { PNG_RGB, 16, 3 },        { PNG_INDEXED, 1, 1 },   { PNG_INDEXED, 2, 1 },
    { PNG_INDEXED, 4, 1 },     { PNG_INDEXED, 8, 1 },   { PNG_GRAY_ALPHA, 8, 2 },
    { PNG_GRAY_ALPHA, 16, 2 }, { PNG_RGB_ALPHA, 8, 4 }, { PNG_RGB_ALPHA, 16, 4 },
};

/* Parts of a file. */
struct png_parts {
    struct png_kind kind;
    int width, height, filter;   /* of each row, or -1: any */
    int interlaced;              /* as declared by the header; rows are stored as if it were 0 */
    int colours;                 /* of a palette; 0: none */
    struct slice clear, profile; /* tRNS, iCCP; `at` NULL: none */
    int pieces;                  /* of IDAT */
    size_t behind;               /* bytes in IDAT after the end of its stream: at most 8 */
};

static inline void png_put32(char *to, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        to[i] = (char)(v >> (24 - 8 * i));
}

static inline void png_chunk(struct text *out, const char *type, const void *data, size_t length)
{
    char number[4];
    uint32_t sum;

    png_put32(number, (uint32_t)length);
    text_add(out, number, 4);
    text_add(out, type, 4);
    if (length)
        text_add(out, data, length);
    sum = libdeflate_crc32(0, out->at + out->length - length - 4, length + 4);
    png_put32(number, sum);
    text_add(out, number, 4);
}

static inline size_t png_row_length(const struct png_parts *p)
{
    return ((size_t)p->width * (size_t)(p->kind.channels * p->kind.depth) + 7) / 8;
}

/* Makes the file of these rows; each row follows the number of its filter. */
static inline void png_file(const struct png_parts *p, const void *rows, struct text *out)
{
    size_t length = (png_row_length(p) + 1) * (size_t)p->height;
    size_t room = libdeflate_zlib_compress_bound(NULL, length);
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(1);
    char *stream = memory_take(room + 8), header[13] = { 0 }, palette[768];

    text_add(out, "\x89PNG\r\n\x1a\n", 8);
    png_put32(header, (uint32_t)p->width);
    png_put32(header + 4, (uint32_t)p->height);
    header[8] = (char)p->kind.depth;
    header[9] = (char)p->kind.colour;
    header[12] = (char)p->interlaced;
    png_chunk(out, "IHDR", header, sizeof header);
    if (p->profile.at)
        png_chunk(out, "iCCP", p->profile.at, p->profile.length);
    for (int i = 0; i < 3 * p->colours; i++)
        palette[i] = (char)(i * 37 + i / 3);
    if (p->colours)
        png_chunk(out, "PLTE", palette, 3 * (size_t)p->colours);
    if (p->clear.at)
        png_chunk(out, "tRNS", p->clear.at, p->clear.length);
    length = libdeflate_zlib_compress(c, rows, length, stream, room);
    memset(stream + length, 1, p->behind);
    length += p->behind;
    libdeflate_free_compressor(c);
    for (int i = 0; i < p->pieces; i++) {
        size_t from = length * (size_t)i / (size_t)p->pieces;

        png_chunk(out, "IDAT", stream + from, length * ((size_t)i + 1) / (size_t)p->pieces - from);
    }
    png_chunk(out, "IEND", NULL, 0);
    free(stream);
}
