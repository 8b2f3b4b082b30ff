/* codec: chooses the codec that reads or writes a picture, and turns pictures upright. */
#include "pixels/codec/codec.h"
#include "pixels/codec/density.h"
#include "pixels/codec/exif.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    enum picture_format format;
    size_t at, length;
    const char *magic;
} MAGIC[] = {
    { PICTURE_JPEG, 0, 3, "\xff\xd8\xff" },
    { PICTURE_PNG, 0, 8, "\x89PNG\r\n\x1a\n" },
    { PICTURE_WEBP, 8, 4, "WEBP" },
    { PICTURE_TIFF, 0, 4, "II*\0" },
    { PICTURE_TIFF, 0, 4, "MM\0*" },
    { PICTURE_TIFF, 0, 4, "II+\0" },
    { PICTURE_TIFF, 0, 4, "MM\0+" },
    { PICTURE_GIF, 0, 6, "GIF87a" },
    { PICTURE_GIF, 0, 6, "GIF89a" },
    { PICTURE_BMP, 0, 2, "BM" },
    { PICTURE_PNM, 0, 1, "P" },
};

/* Text may begin with the same few bytes as these formats, so the bytes after them must be
 * plausible too. */
static bool has_plausible_start(enum picture_format format, struct slice bytes)
{
    static const char BLANKS[] = " \t\n\r\v\f#";

    switch (format) {
    case PICTURE_WEBP:
        return memcmp(bytes.at, "RIFF", 4) == 0;
    case PICTURE_BMP: /* the length of the second header: 12 to 124 */
        return bytes.length >= 16 && bytes.at[14] >= 12 && !bytes.at[15];
    case PICTURE_PNM:
        return bytes.length >= 3 && bytes.at[1] >= '1' && bytes.at[1] <= '6' && bytes.at[2] &&
               strchr(BLANKS, bytes.at[2]);
    default:
        return true;
    }
}

bool picture_sniff(struct slice bytes, enum picture_format *format)
{
    for (size_t i = 0; i < COUNTOF(MAGIC); i++) {
        size_t end = MAGIC[i].at + MAGIC[i].length;

        if (bytes.length < end || memcmp(bytes.at + MAGIC[i].at, MAGIC[i].magic, MAGIC[i].length))
            continue;
        if (!has_plausible_start(MAGIC[i].format, bytes))
            continue;
        *format = MAGIC[i].format;
        return true;
    }
    return false;
}

const char *picture_format_name(enum picture_format format)
{
    static const char *const NAMES[] = { "same", "jpeg", "png", "webp",
                                         "tiff", "gif",  "bmp", "netpbm" };

    return NAMES[format];
}

const char *picture_format_suffix(enum picture_format format)
{
    static const char *const SUFFIXES[] = { "",     ".jpg", ".png", ".webp",
                                            ".tif", ".png", ".png", ".png" };

    return SUFFIXES[format];
}

int picture_format_max_side(enum picture_format format)
{
    /* The limits of libjpeg and libwebp; PNG and TIFF have 31 bits. */
    return format == PICTURE_JPEG ? 65500 : format == PICTURE_WEBP ? 16383 : INT32_MAX;
}

bool codec_check_size(int width, int height, size_t max_pixels, struct text *why)
{
    if (width < 1 || height < 1) {
        text_addf(why, "an image of %d x %d pixels", width, height);
        return false;
    }
    if ((size_t)width * (size_t)height <= max_pixels)
        return true;
    text_addf(why, "%d x %d pixels are more than %zu (--max-pixels) [image-large]", width, height,
              max_pixels);
    return false;
}

bool codec_has_matching_profile(const struct picture *p)
{
    bool gray = plane_colours(&p->plane) == 1 && !p->chroma[0].px;

    /* ICC.1: the color space of the data is at byte 16 of the 128-byte header. */
    return p->icc && p->icc_length > 128 && !memcmp(p->icc + 16, gray ? "GRAY" : "RGB ", 4);
}

static bool find_format(struct slice bytes, enum picture_format *format, struct text *why)
{
    if (bytes.length == 0)
        text_adds(why, "the file is empty");
    else if (!picture_sniff(bytes, format))
        text_adds(why, "not a JPEG, PNG, WebP, TIFF, GIF, BMP or netpbm image");
    else
        return true;
    return false;
}

bool codec_can_hold_pixels(enum picture_format format, uint64_t length, size_t pixels,
                           struct text *why)
{
    /* Maximal bytes per pixel. A pixel has at most four samples of 8, 16 or 32 bits; no encoder
     * makes them much longer. */
    static const uint64_t MAX_BYTES
        [] = { [PICTURE_JPEG] = 4, [PICTURE_PNG] = 9, [PICTURE_WEBP] = 5, [PICTURE_TIFF] = 17,
               [PICTURE_GIF] = 2,  [PICTURE_BMP] = 5, [PICTURE_PNM] = 19 /* numbers as text */ };

    if (length <= MAX_BYTES[format] * pixels + PICTURE_METADATA)
        return true;
    text_addf(why, "its %llu bytes are more than an image of %zu pixels can have",
              (unsigned long long)length, pixels);
    return false;
}

bool picture_may_be(struct slice head, uint64_t length, size_t max_pixels, struct text *why)
{
    enum picture_format format;

    return find_format(head, &format, why) &&
           codec_can_hold_pixels(format, length, max_pixels, why);
}

static bool probe_as(enum picture_format format, struct slice bytes, struct picture_header *h,
                     struct text *why)
{
    switch (format) {
    case PICTURE_JPEG:
        return codec_jpeg_probe(bytes, h, why);
    case PICTURE_PNG:
        return codec_png_probe(bytes, h, why);
    case PICTURE_BMP:
        return codec_bmp_probe(bytes, h, why);
    case PICTURE_PNM:
        return codec_pnm_probe(bytes, h, why);
    default:
        return codec_vips_probe(bytes, format, h, why);
    }
}

bool picture_probe(struct slice bytes, struct picture_header *header, struct text *why)
{
    struct picture_header h = { .orientation = 1 };

    if (!find_format(bytes, &h.format, why))
        return false;
    if (!probe_as(h.format, bytes, &h, why))
        return false;
    if (exif_turn(h.orientation).swap)
        h.frame = (struct frame){ h.frame.height, h.frame.width };
    *header = h;
    return true;
}

struct picture_header picture_header_stored(const struct picture_header *header)
{
    struct picture_header h = *header;

    if (exif_turn(h.orientation).swap)
        h.frame = (struct frame){ h.frame.height, h.frame.width };
    h.orientation = 1;
    return h;
}

static void make_upright(struct plane *raw, struct pool *pool, int orientation)
{
    struct turn turn = exif_turn(orientation);
    struct frame upright = { turn.swap ? raw->height : raw->width,
                             turn.swap ? raw->width : raw->height };
    int32_t *col = memory_take((size_t)raw->width * sizeof *col);
    int32_t *row = memory_take((size_t)raw->height * sizeof *row);
    struct plane out = pool_plane(pool, upright, raw->channels, raw->type);

    for (int i = 0; i < raw->width; i++)
        col[i] = turn.columns_back ? raw->width - 1 - i : i;
    for (int i = 0; i < raw->height; i++)
        row[i] = turn.rows_back ? raw->height - 1 - i : i;
    plane_remap(raw, &out, col, row, turn.swap, &(struct fill){ .channel = { 0 } });
    free(col);
    free(row);
    pool_return(pool, raw);
    *raw = out;
}

/* Marks the plane as the whole picture. */
static void read_whole(struct picture *p)
{
    p->chroma_x = p->chroma_y = 1;
    p->shrink = 1;
    p->full = (struct frame){ p->plane.width, p->plane.height };
}

bool picture_read(struct slice bytes, struct pool *pool, size_t max_pixels,
                  const struct decode_hints *hints, struct picture *picture, struct text *why)
{
    struct picture p = { .plane = { 0 } };
    bool inks = false, ok;
    int orientation = 1;

    *picture = p;
    if (!find_format(bytes, &p.format, why))
        return false;
    if (p.format == PICTURE_JPEG)
        ok = codec_jpeg_read(bytes, pool, max_pixels, hints, &p, &orientation, &inks, why);
    else if (p.format == PICTURE_PNG)
        ok = codec_png_read(bytes, pool, max_pixels, !hints || !hints->no_library, &p, &orientation,
                            why);
    else if (p.format == PICTURE_BMP)
        ok = codec_bmp_read(bytes, pool, max_pixels, &p, why);
    else if (p.format == PICTURE_PNM)
        ok = codec_pnm_read(bytes, hints && hints->labels, pool, max_pixels, &p, why);
    else
        ok = codec_vips_read(bytes, p.format, pool, max_pixels, hints && hints->naive_inks, &p,
                             &orientation, why);
    if (ok && inks && hints && hints->naive_inks) {
        codec_naive_from_inks(&p, pool, true);
    } else if (ok && inks && !codec_vips_from_inks(&p, pool, why)) {
        picture_drop(&p, pool);
        ok = false;
    }
    if (!ok)
        return false;
    if (hints && hints->stored)
        orientation = 1;
    if (orientation > 1)
        make_upright(&p.plane, pool, orientation);
    if (!p.shrink || orientation > 1)
        read_whole(&p);
    p.density = codec_density(bytes, p.format);
    *picture = p;
    return true;
}

void picture_drop(struct picture *p, struct pool *pool)
{
    pool_return(pool, &p->plane);
    pool_return(pool, &p->chroma[0]);
    pool_return(pool, &p->chroma[1]);
    free(p->icc);
    free(p->palette);
    *p = (struct picture){ .plane = { 0 } };
}

bool picture_library(enum picture_format format, struct text *why)
{
    return (format != PICTURE_WEBP && format != PICTURE_TIFF) || codec_vips_load(why);
}

bool picture_write(const struct picture *p, const struct picture_options *options, struct text *out,
                   struct text *why)
{
    if (p->plane.type == PIXEL_F32 && options->format != PICTURE_TIFF) {
        text_addf(why, "floats cannot be written as %s, only as tiff",
                  picture_format_name(options->format));
        return false;
    }
    /* Pixels that use only a part of the 16-bit range would come out black in 8 bits. */
    if (p->plane.type == PIXEL_U16 &&
        (options->format == PICTURE_JPEG || options->format == PICTURE_WEBP)) {
        text_addf(why,
                  "16-bit samples cannot be written as %s, which holds 8 bits: end the pipeline "
                  "with {\"type\": \"to_dtype\", \"dtype\": \"uint8\", \"scale\": true}, after "
                  "\"rescale_intensity\" if not all of 0..65535 is used; or write png or tiff",
                  picture_format_name(options->format));
        return false;
    }
    if ((p->chroma[0].px || p->rows) && options->format != PICTURE_JPEG) {
        text_addf(why, "%s cannot be written as %s",
                  p->rows ? "rows made on demand" : "luma and chroma planes",
                  picture_format_name(options->format));
        return false;
    }
    switch (options->format) {
    case PICTURE_JPEG:
        return codec_jpeg_write(p, options, out, why);
    case PICTURE_PNG:
        return codec_png_write(p, options, out, why);
    case PICTURE_WEBP:
    case PICTURE_TIFF:
        return codec_vips_write(p, options, out, why);
    default:
        text_addf(why, "%s cannot be written", picture_format_name(options->format));
        return false;
    }
}

void picture_versions(struct text *out)
{
    codec_jpeg_version(out);
    codec_png_version(out);
    codec_vips_version(out);
}
