/* first_frame_png: keeps a PNG's header, palette, transparency, profile and pixels, and drops all
 * other chunks. */
#include "pixels/codec/exif.h"
#include "pixels/codec/first_frame.h"

#include <stdlib.h>
#include <string.h>

#include <libdeflate.h>

enum { SIGNATURE = 8, AROUND = 12, MAX_PROFILE = 4 << 20 }; /* AROUND: length, type, checksum */
enum { MAX_KEYWORD = 79 };

static uint32_t big(const char *at)
{
    const unsigned char *b = (const unsigned char *)at;

    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static bool has_type(struct slice chunk, const char *type)
{
    return memcmp(chunk.at + 4, type, 4) == 0;
}

static bool is_sound(struct slice chunk)
{
    return libdeflate_crc32(0, chunk.at + 4, chunk.length - 8) == big(chunk.at + chunk.length - 4);
}

/* The state of reading the chunks. */
struct png {
    struct first_frame *f;
    bool has_profile, has_exif;
};

/* True if the profile is larger than any real profile, compressed or not. Decoders differ in how
 * they handle it. */
static bool is_profile_bomb(struct slice chunk)
{
    struct slice data = { chunk.at + 8, chunk.length - AROUND };
    size_t name = strnlen(data.at, data.length < MAX_KEYWORD ? data.length : MAX_KEYWORD);
    size_t at = name + 2, length; /* after the end of the keyword and the method */
    struct libdeflate_decompressor *inflater;
    char *profile;
    bool bomb;

    if (chunk.length > MAX_PROFILE || at > data.length)
        return chunk.length > MAX_PROFILE;
    libdeflate_set_memory_allocator(memory_take, free);
    inflater = libdeflate_alloc_decompressor();
    profile = memory_take(MAX_PROFILE);
    bomb = libdeflate_zlib_decompress(inflater, data.at + at, data.length - at, profile,
                                      MAX_PROFILE, &length) == LIBDEFLATE_INSUFFICIENT_SPACE;
    free(profile);
    libdeflate_free_decompressor(inflater);
    return bomb;
}

/* True if the decoder needs the chunk. */
static bool is_wanted(struct png *p, struct slice chunk)
{
    if (has_type(chunk, "iCCP")) {
        bool first = !p->has_profile;

        p->has_profile = true;
        return first && !is_profile_bomb(chunk);
    }
    return has_type(chunk, "IHDR") || has_type(chunk, "PLTE") || has_type(chunk, "tRNS") ||
           has_type(chunk, "IDAT") || has_type(chunk, "IEND");
}

/* Notes what a dropped chunk says, once its checksum has shown that it is valid. */
static void note_chunk(struct png *p, struct slice chunk)
{
    struct slice data = { chunk.at + 8, chunk.length - AROUND };

    if (has_type(chunk, "acTL") && data.length >= 4)
        p->f->several = big(data.at) > 1;
    if (!has_type(chunk, "eXIf") || p->has_exif)
        return;
    p->has_exif = true;
    p->f->orientation = exif_orientation(data);
}

/* Copies chunks only from the first dropped chunk on. */
static bool walk(struct png *p, struct slice file, struct text *why)
{
    struct text *own = &p->f->own;
    size_t at = SIGNATURE;

    while (file.length - at >= AROUND) {
        struct slice chunk = { file.at + at, big(file.at + at) };
        bool wanted;

        if (chunk.length > file.length - at - AROUND)
            break;
        chunk.length += AROUND;
        wanted = is_wanted(p, chunk);
        if (!is_sound(chunk)) {
            text_adds(why, "a chunk of the PNG file is damaged");
            return false;
        }
        if (!wanted) {
            note_chunk(p, chunk);
            if (!own->length)
                text_add(own, file.at, at);
        } else if (own->length) {
            text_add(own, chunk.at, chunk.length);
        }
        if (has_type(chunk, "IEND"))
            return true;
        at += chunk.length;
    }
    text_adds(why, "the PNG file has no IEND chunk");
    return false;
}

bool first_png(struct first_frame *f, struct text *why)
{
    struct png png = { .f = f };
    struct slice file = f->bytes;
    uint32_t width, height;

    f->orientation = 1;
    if (file.length < SIGNATURE + AROUND + 13 ||
        !has_type((struct slice){ file.at + SIGNATURE, AROUND }, "IHDR")) {
        text_adds(why, "the PNG file has no header");
        return false;
    }
    width = big(file.at + SIGNATURE + 8);
    height = big(file.at + SIGNATURE + 12);
    if (!width || !height || width > INT32_MAX || height > INT32_MAX) {
        text_addf(why, "an image of %lu x %lu pixels", (unsigned long)width, (unsigned long)height);
        return false;
    }
    f->frame = (struct frame){ (int)width, (int)height };
    return walk(&png, file, why);
}
