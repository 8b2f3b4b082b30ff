/* picture_vips: all but JPEG and the writing of PNG, inks, and drawings over previews, by libvips.
 *
 * libvips decodes, encodes and converts foreign colour spaces; it never touches pixels otherwise.
 * Rows are pulled strip by strip in the calling thread, without its thread pool. */
#include "codec.h"
#include "first_frame.h"
#include "samples.h"
#include "vips_door.h"

#include <errno.h>
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

/* Warnings of libraries below libvips, one a line, bounded. Damage that they can live with is told
 * by no return value. */
static struct {
    struct text header, pixels; /* while a header is read; while pixels are */
    bool in_pixels;
} warnings;
enum { MOST_WARNINGS = 1 << 14 };

static void keep_warning(const GLogField *fields, gsize n)
{
    struct text *kept = warnings.in_pixels ? &warnings.pixels : &warnings.header;

    for (gsize i = 0; i < n && kept->length < MOST_WARNINGS; i++)
        if (strcmp(fields[i].key, "MESSAGE") == 0) {
            text_adds(kept, fields[i].value);
            text_addc(kept, '\n');
        }
}

/* What GLib and libvips would print: we report by return values. Fatal ones are let through. */
static GLogWriterOutput on_log(GLogLevelFlags level, const GLogField *fields, gsize n,
                               gpointer none)
{
    if (level & (G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL))
        return lib.g_log_writer_default(level, fields, n, none);
    if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING))
        keep_warning(fields, n);
    return G_LOG_WRITER_HANDLED;
}

/* A line of a message, trimmed; false when nothing is left of it. */
static bool add_line(struct text *why, const char *message)
{
    size_t length;

    message += strspn(message, " \t\r\n");
    length = strcspn(message, "\r\n");
    while (length && (message[length - 1] == ' ' || message[length - 1] == '.'))
        length--;
    text_add_visible(why, message, length);
    return length > 0;
}

/* The first line of what libvips complained of, which is the cause; the rest is its echo. */
static bool complain(struct text *why)
{
    memory_check();
    if (!add_line(why, lib.vips_error_buffer()))
        text_adds(why, "libvips failed without a message");
    lib.vips_error_clear();
    return false;
}

/* Nothing was told yet of the file that is read next. */
static void forget_warnings(void)
{
    text_clear(&warnings.header);
    text_clear(&warnings.pixels);
    warnings.in_pixels = false;
    lib.vips_error_clear();
}

/* Is there a line in `said` that `known` has not? The header is read again before the pixels are:
 * what was told of it then concerns metadata, for its reading went well. */
static bool has_news(const char *said, const struct text *known, struct text *why)
{
    for (const char *at = said; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");

        if (!known->length || !memmem(known->at, known->length, at, length))
            return add_line(why, at);
    }
    return false;
}

/* All rows came, but were they read from sound data? */
static bool pulled_well(struct text *why)
{
    bool damaged;

    memory_check();
    damaged = has_news(lib.vips_error_buffer(), &warnings.header, why) ||
              has_news(text_string(&warnings.pixels), &warnings.header, why);
    lib.vips_error_clear();
    return !damaged;
}

static bool start(struct text *why)
{
    static bool started;

    errno = 0;
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
        [PICTURE_PNG] = lib.vips_pngload_buffer,
        [PICTURE_WEBP] = lib.vips_webpload_buffer,
        [PICTURE_TIFF] = lib.vips_tiffload_buffer,
        [PICTURE_GIF] = lib.vips_gifload_buffer,
    };
    VipsImage *image = NULL;

    if (loaders[format](at, bytes.length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
                        VIPS_FAIL_ON_TRUNCATED, NULL))
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

    if (format != VIPS_FORMAT_UCHAR && format != VIPS_FORMAT_USHORT &&
        format != VIPS_FORMAT_FLOAT) {
        text_addf(why,
                  "samples of type %s; unsigned integers of 8 and 16 bits and floats of 32 bits "
                  "can be read",
                  lib.vips_enum_nick(lib.vips_band_format_get_type(), (int)format));
        return false;
    }
    if (bands < 1 || bands > 4) {
        text_addf(why, "%d channels; at most 4 are supported", bands);
        return false;
    }
    return true;
}

/* The image ready to be pulled, or NULL and why not. */
static VipsImage *image_open(const struct first_frame *first, enum picture_format format,
                             bool *converted, struct text *why)
{
    VipsImage *image;

    if (!start(why))
        return NULL;
    forget_warnings();
    image = open_as(first->bytes, format);
    if (!image) {
        complain(why);
        return NULL;
    }
    memory_check();
    text_adds(&warnings.header, lib.vips_error_buffer());
    lib.vips_error_clear();
    if (to_rgb(&image, converted, why) && fits_a_plane(image, why)) {
        warnings.in_pixels = true;
        return image;
    }
    lib.g_object_unref(image);
    return NULL;
}

/* TIFF has it in a tag; libvips is not given the EXIF data of others. */
static int image_orientation(VipsImage *image, const struct first_frame *first)
{
    int orientation =
        first->orientation ? first->orientation : lib.vips_image_get_orientation(image);

    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

static struct frame image_frame(VipsImage *image)
{
    return (struct frame){ lib.vips_image_get_width(image), lib.vips_image_get_height(image) };
}

static enum pixel_type image_type(VipsImage *image)
{
    switch (lib.vips_image_get_format(image)) {
    case VIPS_FORMAT_UCHAR:
        return PIXEL_U8;
    case VIPS_FORMAT_USHORT:
        return PIXEL_U16;
    default:
        return PIXEL_F32;
    }
}

static void fill_header(VipsImage *image, const struct first_frame *first,
                        struct picture_header *header)
{
    header->frame = image_frame(image);
    header->bands = lib.vips_image_get_bands(image);
    header->type = image_type(image);
    header->orientation = image_orientation(image, first);
    header->several = first->several;
    header->lossless = first->lossless;
}

bool codec_vips_probe(struct slice bytes, enum picture_format format, struct picture_header *header,
                      struct text *why)
{
    bool converted = false;
    struct first_frame first;
    VipsImage *image;

    if (!first_frame_find(bytes, format, &first, why))
        return false;
    image = image_open(&first, format, &converted, why);
    if (image) {
        fill_header(image, &first, header);
        lib.g_object_unref(image);
    }
    first_frame_drop(&first);
    /* PNG: colour type 3 in its first chunk. libvips does not tell for TIFF. */
    header->palette =
        format == PICTURE_GIF || (format == PICTURE_PNG && bytes.length > 25 && bytes.at[25] == 3);
    return image;
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
    memory_check();
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

/* All pixels of an image whose size is allowed. */
static bool pull(VipsImage *image, struct pool *pool, struct picture *picture, struct text *why)
{
    picture->plane =
        pool_plane(pool, image_frame(image), lib.vips_image_get_bands(image), image_type(image));
    if (each_row(image, keep_row, &picture->plane, why) && pulled_well(why))
        return true;
    pool_return(pool, &picture->plane);
    return false;
}

static bool read_first(const struct first_frame *first, enum picture_format format,
                       struct pool *pool, size_t max_pixels, struct picture *picture,
                       int *orientation, struct text *why)
{
    bool converted = false, good;
    struct frame frame = first->frame;
    VipsImage *image;

    if (frame.width && !codec_size_allowed(frame.width, frame.height, max_pixels, why))
        return false;
    image = image_open(first, format, &converted, why);
    if (!image)
        return false;
    frame = image_frame(image);
    good = codec_size_allowed(frame.width, frame.height, max_pixels, why) &&
           pull(image, pool, picture, why);
    if (good) {
        *orientation = image_orientation(image, first);
        if (!converted)
            keep_profile(image, picture);
    }
    lib.g_object_unref(image);
    return good;
}

bool codec_vips_read(struct slice bytes, enum picture_format format, struct pool *pool,
                     size_t max_pixels, struct picture *picture, int *orientation, struct text *why)
{
    struct first_frame first;
    bool good;

    if (!first_frame_find(bytes, format, &first, why))
        return false;
    good = (format != PICTURE_TIFF || tiff_sums_hold(first.bytes, why)) &&
           read_first(&first, format, pool, max_pixels, picture, orientation, why);
    first_frame_drop(&first);
    return good;
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

/* Adobe's CMYK JPEGs, and so all, hold 255 - ink. */
static void invert(struct plane *inks)
{
    for (int y = 0; y < inks->height; y++) {
        uint8_t *row = plane_row(inks, y);

        for (int i = 0; i < inks->width * inks->bands; i++)
            row[i] = (uint8_t)(255 - row[i]);
    }
}

static VipsImage *image_of_inks(const struct plane *inks, const struct picture *picture)
{
    VipsImage *memory = lib.vips_image_new_from_memory(
        inks->px, plane_bytes(inks), (int)(inks->stride / 4), inks->height, 4, VIPS_FORMAT_UCHAR);
    VipsImage *part = NULL, *image = NULL;

    if (memory && !lib.vips_extract_area(memory, &part, 0, 0, inks->width, inks->height, NULL) &&
        !lib.vips_copy(part, &image, "interpretation", VIPS_INTERPRETATION_CMYK, NULL) &&
        picture->icc)
        lib.vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, picture->icc, picture->icc_length);
    if (part)
        lib.g_object_unref(part);
    if (memory)
        lib.g_object_unref(memory);
    return image;
}

bool codec_vips_from_inks(struct picture *picture, struct pool *pool, struct text *why)
{
    struct plane inks = picture->plane;
    VipsImage *image;
    bool converted = false, good;

    if (!start(why))
        return false;
    invert(&inks);
    forget_warnings();
    image = image_of_inks(&inks, picture);
    good = image ? to_rgb(&image, &converted, why) && fits_a_plane(image, why) &&
                       pull(image, pool, picture, why)
                 : complain(why);
    if (image)
        lib.g_object_unref(image);
    if (!good)
        picture->plane = inks;
    else
        pool_return(pool, &inks);
    free(picture->icc);
    picture->icc = NULL;
    picture->icc_length = 0;
    return good;
}

static int save_as(VipsImage *image, const struct picture_options *options, void **bytes,
                   size_t *length)
{
    if (options->format == PICTURE_WEBP)
        return lib.vips_webpsave_buffer(image, bytes, length, "Q", options->quality, "lossless",
                                        (gboolean)options->lossless, NULL);
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
    memory_check();
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
