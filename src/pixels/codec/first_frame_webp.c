/* first_frame_webp: keeps a WebP's first frame and profile, and drops EXIF, XMP and other frames
 * (RFC 9649). */
#include "pixels/codec/exif.h"
#include "pixels/codec/first_frame.h"

#include "base/bytes.h"

#include <string.h>

enum {
    HEADER = 12, /* "RIFF", length, "WEBP" */
    HEAD = 8,    /* of a chunk: name and length */
    EXTENDED = 10,
    FRAME = 16, /* of the data of ANMF, before its chunks */
    FLAG_XMP = 4,
    FLAG_EXIF = 8,
    MAX_PROFILE = 4 << 20,
};

struct webp {
    struct first_frame *f;
    bool has_pixels, has_frames, has_profile, has_exif;
};

static bool has_name(struct slice chunk, const char *name)
{
    return memcmp(chunk.at, name, 4) == 0;
}

/* Takes the next whole chunk, with its head and, if present, the byte that pads odd lengths. False
 * at the end, and if less than a chunk is left. */
static bool next_chunk(struct slice *left, struct slice *chunk)
{
    size_t length, whole;

    if (left->length < HEAD)
        return false;
    length = bytes_little(left->at + 4, 4);
    if (length > left->length - HEAD)
        return false;
    whole = HEAD + length + length % 2;
    whole = whole < left->length ? whole : left->length;
    *chunk = (struct slice){ left->at, HEAD + length };
    *left = (struct slice){ left->at + whole, left->length - whole };
    return true;
}

/* True if the chunk's name is printable. After damage, any bytes would pass for an unknown chunk
 * otherwise. */
static bool is_named(struct slice chunk)
{
    for (int i = 0; i < 4; i++)
        if (chunk.at[i] < ' ' || chunk.at[i] > '~')
            return false;
    return true;
}

static void keep(struct webp *w, struct slice chunk)
{
    text_add(&w->f->own, chunk.at, chunk.length);
    if (chunk.length % 2)
        text_addc(&w->f->own, '\0');
}

/* Reads the size of the canvas from the first chunk. */
static bool read_frame(struct webp *w, struct slice chunk)
{
    const char *data = chunk.at + HEAD;
    size_t length = chunk.length - HEAD;
    struct frame *frame = &w->f->frame;

    if (has_name(chunk, "VP8X") && length >= EXTENDED)
        *frame = (struct frame){ (int)bytes_little(data + 4, 3) + 1,
                                 (int)bytes_little(data + 7, 3) + 1 };
    else if (has_name(chunk, "VP8L") && length >= 5)
        *frame = (struct frame){ (int)(bytes_little(data + 1, 4) & 0x3fff) + 1,
                                 (int)(bytes_little(data + 1, 4) >> 14 & 0x3fff) + 1 };
    else if (has_name(chunk, "VP8 ") && length >= 10)
        *frame = (struct frame){ (int)bytes_little(data + 6, 2) & 0x3fff,
                                 (int)bytes_little(data + 8, 2) & 0x3fff };
    return frame->width > 0 && frame->height > 0;
}

/* True if the pixels of the frame are coded losslessly. */
static bool is_lossless(struct slice frame)
{
    struct slice left = { frame.at + HEAD + FRAME, frame.length - HEAD - FRAME }, chunk;

    while (next_chunk(&left, &chunk))
        if (has_name(chunk, "VP8L") || has_name(chunk, "VP8 "))
            return has_name(chunk, "VP8L");
    return false;
}

static void take(struct webp *w, struct slice chunk)
{
    if (has_name(chunk, "ANMF") && chunk.length >= HEAD + FRAME) {
        w->f->several |= w->has_frames;
        if (!w->has_frames && !w->has_pixels) {
            w->f->lossless = is_lossless(chunk);
            keep(w, chunk);
        }
        w->has_frames = true;
    } else if ((has_name(chunk, "VP8L") || has_name(chunk, "VP8 ")) && !w->has_frames &&
               !w->has_pixels) {
        w->f->lossless = has_name(chunk, "VP8L");
        w->has_pixels = true;
        keep(w, chunk);
    } else if (has_name(chunk, "ICCP") && !w->has_profile) {
        w->has_profile = true;
        if (chunk.length <= MAX_PROFILE)
            keep(w, chunk);
    } else if ((has_name(chunk, "ALPH") && !w->has_pixels) || has_name(chunk, "ANIM")) {
        keep(w, chunk);
    } else if (has_name(chunk, "EXIF") && !w->has_exif) {
        w->has_exif = true;
        w->f->orientation =
            exif_orientation((struct slice){ chunk.at + HEAD, chunk.length - HEAD });
    }
}

static bool fail(struct text *why, const char *fault)
{
    text_adds(why, fault);
    return false;
}

bool first_webp(struct first_frame *f, struct text *why)
{
    struct webp w = { .f = f };
    size_t length = (size_t)bytes_little(f->bytes.at + 4, 4) + HEAD;
    struct slice left = f->bytes, chunk;
    uint32_t written;

    f->orientation = 1;
    if (length < HEADER || length > left.length)
        return fail(why, "the WebP file is shorter than its header says");
    left = (struct slice){ left.at + HEADER, length - HEADER };
    if (!next_chunk(&left, &chunk) || !read_frame(&w, chunk))
        return fail(why, "the WebP file has no header");
    text_add(&f->own, f->bytes.at, HEADER);
    if (has_name(chunk, "VP8X")) {
        keep(&w, chunk);
        f->own.at[HEADER + HEAD] = (char)(f->own.at[HEADER + HEAD] & ~(FLAG_EXIF | FLAG_XMP));
        while (next_chunk(&left, &chunk) && is_named(chunk))
            take(&w, chunk);
        if (left.length >= HEAD || !is_named(chunk))
            return fail(why, "the WebP file's chunks are damaged");
    } else {
        take(&w, chunk);
    }
    if (!w.has_pixels && !w.has_frames)
        return fail(why, "the WebP file ends before its pixels");
    f->sparse = w.has_frames && !w.has_pixels;
    written = (uint32_t)f->own.length - HEAD;
    for (int i = 0; i < 4; i++)
        f->own.at[4 + i] = (char)(written >> 8 * i);
    return true;
}
