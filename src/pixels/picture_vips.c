/* picture_vips: all but plain JPEG and the writing of PNG, and drawings over previews, by libvips.
 *
 * libvips decodes, encodes and converts foreign colour spaces; it never touches pixels otherwise.
 * Rows are pulled strip by strip in the calling thread, without its thread pool. */
#include "codec.h"
#include "samples.h"
#include "vips_door.h"

#include <stdlib.h>
#include <string.h>

#include <vips/vips.h>

#define POINTER(name) __typeof__(name) *name;
#define NAME(name) #name,

/* All calls go through these. GLib makes a macro of g_free, which a name in parentheses is not. */
static struct {
    VIPS_FUNCTIONS(POINTER)
} lib;

static bool load(struct text *why)
{
    static const char *const NAMES[] = { VIPS_FUNCTIONS(NAME) };
    static const struct door DOOR = { "libvips.so.42", "libvips42, 8.13 or newer", NAMES,
                                      COUNTOF(NAMES) };
    static bool loaded;

    _Static_assert(VIPS_LIBRARY_CURRENT - VIPS_LIBRARY_AGE == 42, "headers of libvips.so.42");
    _Static_assert(sizeof lib == COUNTOF(NAMES) * sizeof(void *), "pointers alone");
    loaded = loaded || door_open(&DOOR, &lib, why);
    return loaded;
}

/* What GLib and libvips would print: we report by return values. Fatal ones are let through. */
static GLogWriterOutput on_log(GLogLevelFlags level, const GLogField *fields, gsize n,
                               gpointer none)
{
    return level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL)
               ? lib.g_log_writer_default(level, fields, n, none)
               : G_LOG_WRITER_HANDLED;
}

/* The first line of what libvips complained of, which is the cause; the rest is its echo. */
static bool complain(struct text *why)
{
    const char *message = lib.vips_error_buffer();
    size_t length;

    message += strspn(message, " \t\r\n");
    length = strcspn(message, "\r\n");
    while (length && (message[length - 1] == ' ' || message[length - 1] == '.'))
        length--;
    if (length)
        text_add_visible(why, message, length);
    else
        text_adds(why, "libvips failed without a message");
    lib.vips_error_clear();
    return false;
}

static bool start(struct text *why)
{
    static bool started;

    if (started)
        return true;
    if (!load(why))
        return false;
    lib.g_log_set_writer_func(on_log, NULL, NULL);
    if (lib.vips_init("lockstep"))
        return complain(why);
    lib.vips_concurrency_set(1);
    lib.vips_cache_set_max(0);
    lib.vips_block_untrusted_set(TRUE);
    started = true;
    return true;
}

/* By the loader of exactly this format: libvips' own guess could reach any of its loaders. */
static VipsImage *open_as(struct slice bytes, enum picture_format format)
{
    void *at = (void *)(uintptr_t)bytes.at; /* the loaders only read it */
    const __typeof__(lib.vips_pngload_buffer) loaders[] = {
        [PICTURE_JPEG] = lib.vips_jpegload_buffer, [PICTURE_PNG] = lib.vips_pngload_buffer,
        [PICTURE_WEBP] = lib.vips_webpload_buffer, [PICTURE_TIFF] = lib.vips_tiffload_buffer,
        [PICTURE_GIF] = lib.vips_gifload_buffer,
    };
    VipsImage *image = NULL;

    if (loaders[format](at, bytes.length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                        format == PICTURE_JPEG ? VIPS_FAIL_ON_WARNING : VIPS_FAIL_ON_TRUNCATED,
                        NULL))
        return NULL;
    return image;
}

/* Inks and device-independent colours become 8-bit sRGB; *converted says so, because the file's
 * profile then no longer applies. */
static bool to_rgb(VipsImage **image, bool *converted, struct text *why)
{
    VipsImage *rgb;

    switch (lib.vips_image_get_interpretation(*image)) {
    case VIPS_INTERPRETATION_CMYK:
    case VIPS_INTERPRETATION_LAB:
    case VIPS_INTERPRETATION_LABQ:
    case VIPS_INTERPRETATION_LABS:
        break;
    default:
        return true;
    }
    if (lib.vips_colourspace(*image, &rgb, VIPS_INTERPRETATION_sRGB, NULL))
        return complain(why);
    lib.g_object_unref(*image);
    *image = rgb;
    *converted = true;
    return true;
}

static bool fits_a_plane(VipsImage *image, struct text *why)
{
    VipsBandFormat format = lib.vips_image_get_format(image);
    int bands = lib.vips_image_get_bands(image);

    if (format != VIPS_FORMAT_UCHAR && format != VIPS_FORMAT_USHORT) {
        text_addf(why, "samples of type %s; only 8 and 16 bit unsigned integers are supported",
                  lib.vips_enum_nick(lib.vips_band_format_get_type(), (int)format));
        return false;
    }
    if (bands < 1 || bands > 4) {
        text_addf(why, "%d channels; at most 4 are supported", bands);
        return false;
    }
    return true;
}

/* Does the chain of chunks reach the end chunk? Decoders stop at the last pixel and do not care. */
static bool png_has_end(struct slice png)
{
    const unsigned char *at = (const unsigned char *)png.at + 8;
    size_t left = png.length < 8 ? 0 : png.length - 8;

    while (left >= 12) {
        size_t chunk =
            12 + ((size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3]);

        if (!memcmp(at + 4, "IEND", 4))
            return true;
        if (chunk > left)
            return false;
        at += chunk;
        left -= chunk;
    }
    return false;
}

/* The image ready to be pulled, or NULL and why not. */
static VipsImage *image_open(struct slice bytes, enum picture_format format, bool *converted,
                             struct text *why)
{
    VipsImage *image;

    if (!start(why))
        return NULL;
    image = open_as(bytes, format);
    if (!image) {
        complain(why);
        return NULL;
    }
    if (to_rgb(&image, converted, why) && fits_a_plane(image, why))
        return image;
    lib.g_object_unref(image);
    return NULL;
}

static int image_orientation(VipsImage *image)
{
    int orientation = lib.vips_image_get_orientation(image);

    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

static struct frame image_frame(VipsImage *image)
{
    return (struct frame){ lib.vips_image_get_width(image), lib.vips_image_get_height(image) };
}

static enum pixel_type image_type(VipsImage *image)
{
    return lib.vips_image_get_format(image) == VIPS_FORMAT_UCHAR ? PIXEL_U8 : PIXEL_U16;
}

bool codec_vips_probe(struct slice bytes, enum picture_format format, struct picture_header *header,
                      struct text *why)
{
    bool converted = false;
    VipsImage *image = image_open(bytes, format, &converted, why);

    if (!image)
        return false;
    header->frame = image_frame(image);
    header->bands = lib.vips_image_get_bands(image);
    header->type = image_type(image);
    header->orientation = image_orientation(image);
    /* PNG: colour type 3 in its first chunk. libvips does not tell for TIFF. */
    header->palette =
        format == PICTURE_GIF || (format == PICTURE_PNG && bytes.length > 25 && bytes.at[25] == 3);
    lib.g_object_unref(image);
    return true;
}

/* Called with each row in turn. */
typedef void row_fn(void *context, int y, const unsigned char *row);

static bool each_row(VipsImage *image, row_fn *use, void *context, struct text *why)
{
    enum { STRIP = 64 };
    VipsRegion *region = lib.vips_region_new(image);
    struct frame frame = image_frame(image);
    bool ok = region != NULL;

    for (int top = 0; ok && top < frame.height; top += STRIP) {
        int height = frame.height - top < STRIP ? frame.height - top : STRIP;
        VipsRect strip = { 0, top, frame.width, height };

        ok = lib.vips_region_prepare(region, &strip) == 0;
        for (int y = top; ok && y < top + height; y++)
            use(context, y, region->data + (size_t)(y - region->valid.top) * (size_t)region->bpl);
    }
    if (region)
        lib.g_object_unref(region);
    return ok || complain(why);
}

static void keep_row(void *plane, int y, const unsigned char *row)
{
    const struct plane *p = plane;

    memcpy(plane_row(p, y), row, (size_t)p->width * (size_t)p->bands * pixel_type_size(p->type));
}

static void keep_profile(VipsImage *image, struct picture *picture)
{
    const void *icc;
    size_t length;

    if (!lib.vips_image_get_typeof(image, VIPS_META_ICC_NAME) ||
        lib.vips_image_get_blob(image, VIPS_META_ICC_NAME, &icc, &length) || !length)
        return;
    picture->icc = memory_take(length);
    memcpy(picture->icc, icc, length);
    picture->icc_length = length;
}

bool codec_vips_read(struct slice bytes, enum picture_format format, struct pool *pool,
                     size_t max_pixels, struct picture *picture, int *orientation, struct text *why)
{
    bool converted = false, ok;
    VipsImage *image = image_open(bytes, format, &converted, why);
    struct frame frame;

    if (!image)
        return false;
    frame = image_frame(image);
    ok = codec_size_allowed(frame.width, frame.height, max_pixels, why);
    if (ok && format == PICTURE_PNG && !png_has_end(bytes)) {
        text_adds(why, "the PNG file has no end");
        ok = false;
    }
    if (ok) {
        picture->plane =
            pool_plane(pool, frame, lib.vips_image_get_bands(image), image_type(image));
        ok = each_row(image, keep_row, &picture->plane, why);
        if (!ok)
            pool_return(pool, &picture->plane);
    }
    if (ok) {
        *orientation = image_orientation(image);
        if (!converted)
            keep_profile(image, picture);
    }
    lib.g_object_unref(image);
    return ok;
}

static VipsInterpretation interpretation_of(const struct plane *p)
{
    if (p->type == PIXEL_F32) /* numbers, not colours: libvips shall not touch them */
        return VIPS_INTERPRETATION_MULTIBAND;
    if (p->type == PIXEL_U16)
        return plane_colours(p) == 1 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
    return plane_colours(p) == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
}

/* An image over tight rows in memory, with the colour profile and no other metadata, so that there
 * is nothing to strip (stripping would take the profile, too). */
static VipsImage *image_of_plane(const struct plane *tight, const struct picture *picture)
{
    VipsImage *memory = lib.vips_image_new_from_memory(
        tight->px, plane_bytes(tight), tight->width, tight->height, tight->bands,
        tight->type == PIXEL_U8    ? VIPS_FORMAT_UCHAR
        : tight->type == PIXEL_U16 ? VIPS_FORMAT_USHORT
                                   : VIPS_FORMAT_FLOAT);
    VipsImage *image = NULL;

    if (!memory)
        return NULL;
    if (lib.vips_copy(memory, &image, "interpretation", interpretation_of(tight), NULL))
        image = NULL;
    lib.g_object_unref(memory);
    if (image && tight->type != PIXEL_F32 && codec_profile_fits(picture))
        lib.vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, picture->icc, picture->icc_length);
    return image;
}

static int save_as(VipsImage *image, const struct picture_options *options, void **bytes,
                   size_t *length)
{
    if (options->format == PICTURE_WEBP)
        return lib.vips_webpsave_buffer(image, bytes, length, "Q", options->quality, NULL);
    return lib.vips_tiffsave_buffer(
        image, bytes, length, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, "predictor",
        image->BandFmt == VIPS_FORMAT_FLOAT ? VIPS_FOREIGN_TIFF_PREDICTOR_FLOAT
                                            : VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL,
        NULL);
}

bool codec_vips_write(const struct picture *picture, const struct picture_options *options,
                      struct text *out, struct text *why)
{
    struct plane tight = picture->plane;
    void *bytes = NULL;
    size_t length = 0;
    VipsImage *image;
    bool ok;

    if (!start(why))
        return false;
    if (options->format == PICTURE_WEBP)
        tight.type = PIXEL_U8;
    tight.stride = (size_t)tight.width * (size_t)tight.bands * pixel_type_size(tight.type);
    if (tight.type != picture->plane.type || tight.stride != picture->plane.stride) {
        tight.px = memory_take(plane_bytes(&tight));
        plane_convert(&picture->plane, &tight);
    }
    image = image_of_plane(&tight, picture);
    ok = image && save_as(image, options, &bytes, &length) == 0;
    if (ok)
        text_add(out, bytes, length);
    else
        complain(why);
    (lib.g_free)(bytes);
    if (image)
        lib.g_object_unref(image);
    if (tight.px != picture->plane.px)
        free(tight.px);
    return ok;
}

/* libvips hands out straight, not premultiplied, alpha. */
static void blend_row(void *plane, int y, const unsigned char *rgba)
{
    const struct plane *p = plane;
    unsigned char *to = plane_row(p, y);

    for (int x = 0; x < p->width; x++, rgba += 4, to += 3) {
        int alpha = rgba[3];

        for (int b = 0; b < 3; b++)
            to[b] = (unsigned char)((alpha * rgba[b] + (255 - alpha) * to[b] + 127) / 255);
    }
}

bool picture_overlay(struct plane *rgb, const char *svg, size_t length, struct text *why)
{
    VipsImage *image = NULL;
    bool ok;

    if (!start(why))
        return false;
    /* Only our own text comes here, so this one loader is trusted. */
    lib.vips_operation_block_set("VipsForeignLoadSvg", FALSE);
    if (lib.vips_svgload_buffer((void *)(uintptr_t)svg, length, &image, "unlimited", TRUE, NULL))
        return complain(why);
    ok = lib.vips_image_get_bands(image) == 4 && image_type(image) == PIXEL_U8 &&
         frame_equal(image_frame(image), (struct frame){ rgb->width, rgb->height });
    if (ok)
        ok = each_row(image, blend_row, rgb, why);
    else
        text_addf(why, "the drawing has %d x %d pixels, not %d x %d",
                  lib.vips_image_get_width(image), lib.vips_image_get_height(image), rgb->width,
                  rgb->height);
    lib.g_object_unref(image);
    return ok;
}

void codec_vips_version(struct text *out)
{
    struct text why = { 0 };

    text_addf(out, "libvips %s\n", load(&why) ? lib.vips_version_string() : "missing");
    text_drop(&why);
}
