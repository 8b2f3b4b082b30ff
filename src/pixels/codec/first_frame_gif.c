/* first_frame_gif: finds a GIF's first image and its colors, and counts the pixels of its codes
 * (GIF89a, appendix F).
 *
 * Decoders fill an image with background if its codes end early. */
#include "pixels/codec/first_frame.h"

#include "base/bytes.h"

#include <string.h>

enum {
    SCREEN = 13,  /* "GIF89a" and the logical screen descriptor */
    PICTURE = 10, /* an image descriptor with its separator */
    EXTENSION = '!',
    SEPARATOR = ',',
    TRAILER = ';',
    LABEL_CONTROL = 0xf9, /* of the graphic control extension, which makes a color transparent */
    MAX_CODES = 1 << 12,
};

/* Returns the bytes of the color table that the flags announce. */
static size_t colours_size(char flags)
{
    return (uint8_t)flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

/* Returns the offset after a list of blocks at `at`. Each block has its length before it; an empty
 * block ends the list. 0: the list does not end in the file. */
static size_t blocks_end(struct slice file, size_t at)
{
    while (at < file.length && file.at[at])
        at += 1 + (size_t)(uint8_t)file.at[at];
    return at < file.length ? at + 1 : 0;
}

/* --- codes --- */

struct codes {
    struct slice file;
    size_t at, block_end; /* the next byte, and the end of its block */
    uint32_t bits;
    int held;
};

static bool next_byte(struct codes *c, uint32_t *byte)
{
    if (c->at == c->block_end) {
        size_t length = c->at < c->file.length ? (uint8_t)c->file.at[c->at] : 0;

        if (!length || c->file.length - c->at <= length)
            return false;
        c->at++;
        c->block_end = c->at + length;
    }
    *byte = (uint8_t)c->file.at[c->at++];
    return true;
}

static bool next_code(struct codes *c, int size, uint32_t *code)
{
    uint32_t byte;

    while (c->held < size) {
        if (!next_byte(c, &byte))
            return false;
        c->bits |= byte << c->held;
        c->held += 8;
    }
    *code = c->bits & ((1u << size) - 1);
    c->bits >>= size;
    c->held -= size;
    return true;
}

/* Returns the number of pixels that the codes at `at` encode, at most `max`. An invalid code ends
 * the count. */
static size_t count_pixels(struct slice file, size_t at, size_t max)
{
    struct codes c = { .file = file, .at = at + 1, .block_end = at + 1 };
    int min_size = (uint8_t)file.at[at], size = min_size + 1;
    uint32_t clear, next, code, last = MAX_CODES;
    uint32_t length[MAX_CODES]; /* pixels of each code */
    size_t pixels = 0;

    if (min_size < 1 || min_size > 11)
        return 0;
    clear = 1u << min_size;
    next = clear + 2;
    for (uint32_t i = 0; i < clear; i++)
        length[i] = 1;
    while (pixels < max && next_code(&c, size, &code) && code != clear + 1) {
        if (code == clear) {
            size = min_size + 1;
            next = clear + 2;
            last = MAX_CODES;
            continue;
        }
        if (code > next || (code == next && last == MAX_CODES) || code >= MAX_CODES)
            break;
        if (last != MAX_CODES && next < MAX_CODES) {
            length[next++] = length[last] + 1;
            if (next == 1u << size && size < 12)
                size++;
        }
        if (code >= next)
            break;
        pixels += length[code];
        last = code;
    }
    return pixels;
}

/* --- blocks --- */

/* Returns the offset of the next image descriptor, 0 if there is none. Skips extensions; sets
 * `control` to the last graphic control extension. */
static size_t find_picture(struct slice file, size_t at, struct slice *control)
{
    while (at && file.length - at > 2 && file.at[at] == EXTENSION) {
        size_t end = blocks_end(file, at + 2);

        if (end && (uint8_t)file.at[at + 1] == LABEL_CONTROL && end - at <= 16)
            *control = (struct slice){ file.at + at, end - at };
        at = end;
    }
    return at && at < file.length && file.length - at > PICTURE && file.at[at] == SEPARATOR ? at
                                                                                            : 0;
}

/* True if another image follows. */
static bool has_picture(struct slice file, size_t at)
{
    struct slice control;

    return at < file.length && find_picture(file, at, &control);
}

/* Makes a file with only the first image. False if the image is incomplete. */
static bool keep_picture(struct first_frame *f)
{
    struct slice file = f->bytes, control = { "", 0 };
    size_t colours, at, codes, end, pixels;
    uint32_t left, top, width, height;

    colours = file.length < SCREEN ? file.length : SCREEN + colours_size(file.at[10]);
    at = colours < file.length ? find_picture(file, colours, &control) : 0;
    codes = at ? at + PICTURE + colours_size(file.at[at + 9]) : 0;
    end = codes && codes < file.length ? blocks_end(file, codes + 1) : 0;
    if (!end)
        return false;
    left = bytes_little(file.at + at + 1, 2);
    top = bytes_little(file.at + at + 3, 2);
    width = bytes_little(file.at + at + 5, 2);
    height = bytes_little(file.at + at + 7, 2);
    /* Decoders do not accept screens that are much larger. */
    f->frame = (struct frame){ (int)(left + width), (int)(top + height) };
    f->sparse = left || top;
    pixels = (size_t)width * height;
    if (count_pixels(file, codes, pixels) < pixels)
        return false;
    f->several = has_picture(file, end);
    text_add(&f->own, file.at, colours);
    text_add(&f->own, control.at, control.length);
    text_add(&f->own, file.at + at, end - at);
    text_addc(&f->own, TRAILER);
    return true;
}

bool first_gif(struct first_frame *f, struct text *why)
{
    f->orientation = 1;
    if (!keep_picture(f))
        text_adds(why, "the GIF file ends before its picture");
    return f->own.length;
}
