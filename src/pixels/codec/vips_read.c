/* vips_read: reads all formats but JPEG, and CMYK, by libvips.
 *
 * libvips decodes, encodes and converts foreign color spaces; it never touches pixels otherwise.
 * Rows are pulled strip by strip in the calling thread, without its thread pool. */
#include "pixels/codec/codec.h"
#include "pixels/codec/first_frame.h"
#include "pixels/samples.h"
#include "pixels/codec/vips_api.h"

#include <stdlib.h>
#include <string.h>

/* Opens the file with the loader of exactly this format: libvips' own detection could choose any of
 * its loaders. */
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

    /* Without "memory", large images that are not read by rows go to a temporary file. */
    if (loaders[format](at, bytes.length, &image, "access", VIPS_ACCESS_SEQUENTIAL, "memory", TRUE,
                        "fail_on", VIPS_FAIL_ON_TRUNCATED, NULL))
        return NULL;
    return image;
}

/* How the colors of an image were converted. */
struct colours {
    bool naive;     /* input: CMYK is left to codec_naive_from_inks */
    bool inks;      /* it has CMYK */
    bool converted; /* converted to 8-bit sRGB, so that the file's profile no longer applies */
};

/* Converts CMYK and device-independent colors to 8-bit sRGB. */
static bool to_rgb(VipsImage **image, struct colours *c, struct text *why)
{
    VipsImage *rgb;

    switch (lib.vips_image_get_interpretation(*image)) {
    case VIPS_INTERPRETATION_CMYK:
        c->inks = true;
        if (c->naive)
            return true;
        break;
    case VIPS_INTERPRETATION_LAB:
    case VIPS_INTERPRETATION_LABQ:
    case VIPS_INTERPRETATION_LABS:
        break;
    default:
        return true;
    }
    if (lib.vips_colourspace(*image, &rgb, VIPS_INTERPRETATION_sRGB, NULL))
        return vips_fail(why);
    lib.g_object_unref(*image);
    *image = rgb;
    c->converted = true;
    return true;
}

static bool fits_a_plane(VipsImage *image, struct text *why)
{
    VipsBandFormat format = lib.vips_image_get_format(image);
    int channels = lib.vips_image_get_bands(image);

    if (format != VIPS_FORMAT_UCHAR && format != VIPS_FORMAT_USHORT &&
        format != VIPS_FORMAT_FLOAT) {
        text_addf(why,
                  "samples of type %s; unsigned integers of 8 and 16 bits and floats of 32 bits "
                  "can be read",
                  lib.vips_enum_nick(lib.vips_band_format_get_type(), (int)format));
        return false;
    }
    if (channels < 1 || channels > 4) {
        text_addf(why, "%d channels; at most 4 are supported", channels);
        return false;
    }
    return true;
}

/* Returns the image ready to be pulled, or NULL with the reason. */
static VipsImage *image_open(const struct first_frame *first, enum picture_format format,
                             struct colours *colours, struct text *why)
{
    VipsImage *image;

    if (!vips_begin(why))
        return NULL;
    vips_forget_warnings();
    image = open_as(first->bytes, format);
    if (!image) {
        vips_fail(why);
        return NULL;
    }
    vips_header_read();
    if (to_rgb(&image, colours, why) && fits_a_plane(image, why)) {
        vips_pixels_follow();
        return image;
    }
    lib.g_object_unref(image);
    return NULL;
}

/* Returns the orientation. TIFF has it in a tag; for other formats libvips does not get the EXIF
 * data. */
static int image_orientation(VipsImage *image, const struct first_frame *first)
{
    int orientation =
        first->orientation ? first->orientation : lib.vips_image_get_orientation(image);

    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

static void fill_header(VipsImage *image, const struct first_frame *first,
                        struct picture_header *header)
{
    header->frame = vips_frame(image);
    header->channels = lib.vips_image_get_bands(image);
    header->type = vips_type(image);
    header->orientation = image_orientation(image, first);
    header->several = first->several;
    header->lossless = first->lossless;
    header->georeferenced = first->georeferenced;
    header->assumes_alpha = first->assumes_alpha;
}

bool codec_vips_probe(struct slice bytes, enum picture_format format, struct picture_header *header,
                      struct text *why)
{
    struct colours colours = { 0 };
    struct first_frame first;
    VipsImage *image;

    if (!first_frame_find(bytes, format, &first, why))
        return false;
    image = image_open(&first, format, &colours, why);
    if (image) {
        fill_header(image, &first, header);
        header->inks = colours.inks;
        lib.g_object_unref(image);
    }
    first_frame_drop(&first);
    /* PNG: color type 3 in its first chunk. libvips does not tell for TIFF. */
    header->palette =
        format == PICTURE_GIF || (format == PICTURE_PNG && bytes.length > 25 && bytes.at[25] == 3);
    return image;
}

static void keep_row(void *plane, int y, const unsigned char *row)
{
    const struct plane *p = plane;

    memcpy(plane_row(p, y), row, (size_t)p->width * (size_t)p->channels * pixel_type_size(p->type));
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

/* Reads all pixels of an image whose size is allowed. */
static bool pull(VipsImage *image, struct pool *pool, struct picture *picture, struct text *why)
{
    picture->plane =
        pool_plane(pool, vips_frame(image), lib.vips_image_get_bands(image), vips_type(image));
    if (vips_each_row(image, keep_row, &picture->plane, why) && vips_pixels_are_valid(why))
        return true;
    pool_return(pool, &picture->plane);
    return false;
}

static bool read_first(const struct first_frame *first, enum picture_format format,
                       struct pool *pool, size_t max_pixels, bool naive_inks,
                       struct picture *picture, int *orientation, struct text *why)
{
    struct colours colours = { .naive = naive_inks };
    bool good;
    struct frame frame = first->frame;
    VipsImage *image;

    if (frame.width && !codec_check_size(frame.width, frame.height, max_pixels, why))
        return false;
    image = image_open(first, format, &colours, why);
    if (!image)
        return false;
    frame = vips_frame(image);
    good = codec_check_size(frame.width, frame.height, max_pixels, why) &&
           pull(image, pool, picture, why);
    if (good) {
        *orientation = image_orientation(image, first);
        if (colours.inks && naive_inks)
            codec_naive_from_inks(picture, pool, false);
        else if (!colours.converted)
            keep_profile(image, picture);
    }
    lib.g_object_unref(image);
    return good;
}

bool codec_vips_read(struct slice bytes, enum picture_format format, struct pool *pool,
                     size_t max_pixels, bool naive_inks, struct picture *picture, int *orientation,
                     struct text *why)
{
    struct first_frame first;
    bool good;

    if (!first_frame_find(bytes, format, &first, why))
        return false;
    good = (format != PICTURE_TIFF || tiff_has_valid_sums(first.bytes, why)) &&
           read_first(&first, format, pool, max_pixels, naive_inks, picture, orientation, why);
    first_frame_drop(&first);
    return good;
}

/* Adobe's CMYK JPEGs, and therefore all, hold 255 - ink. */
static void invert(struct plane *inks)
{
    for (int y = 0; y < inks->height; y++) {
        uint8_t *row = plane_row(inks, y);

        for (int i = 0; i < inks->width * inks->channels; i++)
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
    struct colours colours = { 0 };
    bool good;

    if (!vips_begin(why))
        return false;
    invert(&inks);
    vips_forget_warnings();
    image = image_of_inks(&inks, picture);
    good = image ? to_rgb(&image, &colours, why) && fits_a_plane(image, why) &&
                       pull(image, pool, picture, why)
                 : vips_fail(why);
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
