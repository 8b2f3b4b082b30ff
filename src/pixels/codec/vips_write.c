/* vips_write: writes WebP and TIFF, and draws lines and names over previews, by libvips. */
#include "pixels/codec/codec.h"
#include "pixels/samples.h"
#include "pixels/codec/vips_api.h"

#include <stdlib.h>

static VipsInterpretation interpretation_of(const struct plane *p)
{
    if (p->type == PIXEL_F32) /* numbers, not colors: libvips must not convert them */
        return VIPS_INTERPRETATION_MULTIBAND;
    if (p->type == PIXEL_U16)
        return plane_colours(p) == 1 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16;
    return plane_colours(p) == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
}

/* Returns an image over contiguous rows in memory, with the color profile. It has no other
 * metadata, so nothing must be stripped: stripping would remove the profile too. */
static VipsImage *image_of_plane(const struct plane *tight, const struct picture *picture)
{
    VipsImage *memory = lib.vips_image_new_from_memory(
        tight->px, plane_bytes(tight), tight->width, tight->height, tight->channels,
        tight->type == PIXEL_U8    ? VIPS_FORMAT_UCHAR
        : tight->type == PIXEL_U16 ? VIPS_FORMAT_USHORT
                                   : VIPS_FORMAT_FLOAT);
    VipsImage *image = NULL;

    if (!memory)
        return NULL;
    /* Without a density, libvips' default is used, which means none. */
    if (lib.vips_copy(memory, &image, "interpretation", interpretation_of(tight), "xres",
                      picture->density ? picture->density / 1000. : 1., "yres",
                      picture->density ? picture->density / 1000. : 1., NULL))
        image = NULL;
    lib.g_object_unref(memory);
    if (image && tight->type != PIXEL_F32 && codec_has_matching_profile(picture))
        lib.vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, picture->icc, picture->icc_length);
    return image;
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

    if (!vips_begin(why))
        return false;
    tight.stride = (size_t)tight.width * (size_t)tight.channels * pixel_type_size(tight.type);
    if (tight.stride != picture->plane.stride) {
        tight.px = memory_take(plane_bytes(&tight));
        plane_copy(&picture->plane, &tight);
    }
    image = image_of_plane(&tight, picture);
    ok = image && save_as(image, options, &bytes, &length) == 0;
    memory_check();
    if (ok)
        text_add(out, bytes, length);
    else
        vips_fail(why);
    (lib.g_free)(bytes);
    if (image)
        lib.g_object_unref(image);
    if (tight.px != picture->plane.px)
        free(tight.px);
    return ok;
}

/* libvips returns straight alpha, not premultiplied. */
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

/* Returns a new image of the SVG, with straight alpha; NULL with the reason. */
static VipsImage *render_svg(const char *svg, size_t length, struct frame frame, struct text *why)
{
    VipsImage *image = NULL;

    if (!vips_begin(why))
        return NULL;
    /* Only SVG written by lockstep gets here, so this one loader is trusted. */
    lib.vips_operation_block_set("VipsForeignLoadSvg", FALSE);
    if (lib.vips_svgload_buffer((void *)(uintptr_t)svg, length, &image, "unlimited", TRUE, NULL)) {
        vips_fail(why);
        return NULL;
    }
    if (lib.vips_image_get_bands(image) == 4 && vips_type(image) == PIXEL_U8 &&
        frame_equal(vips_frame(image), frame))
        return image;
    text_addf(why, "the drawing has %d x %d pixels, not %d x %d", lib.vips_image_get_width(image),
              lib.vips_image_get_height(image), frame.width, frame.height);
    lib.g_object_unref(image);
    return NULL;
}

bool picture_overlay(struct plane *rgb, const char *svg, size_t length, struct text *why)
{
    VipsImage *image = render_svg(svg, length, (struct frame){ rgb->width, rgb->height }, why);
    bool good = image && vips_each_row(image, blend_row, rgb, why);

    if (image)
        lib.g_object_unref(image);
    return good;
}

/* The ink of two periods, one in each half of an image, in the region above the baseline and at
 * it. */
struct stops {
    int width, low;
    bool above, below[2];
};

static void find_ink(void *context, int y, const unsigned char *rgba)
{
    struct stops *s = context;

    for (int x = 0; x < s->width; x++) {
        if (!rgba[4 * x + 3])
            continue;
        if (y < s->low)
            s->above = true;
        else
            s->below[x >= s->width / 2] = true;
    }
}

bool picture_can_write_text(const char *family, struct text *why)
{
    struct stops stops = { .width = 64, .low = 18 };
    struct text svg = { 0 };
    VipsImage *image;
    bool good;

    /* Without a font, the renderer draws an empty box as high as a letter, or nothing. */
    text_addf(&svg,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"64\" height=\"32\" "
              "font-family=\"%s\" font-size=\"24\"><text x=\"8\" y=\"24\">.</text>"
              "<text x=\"40\" y=\"24\" font-weight=\"bold\">.</text></svg>\n",
              family);
    image = render_svg(svg.at, svg.length, (struct frame){ 64, 32 }, why);
    good = image && vips_each_row(image, find_ink, &stops, why);
    if (good && (stops.above || !stops.below[0] || !stops.below[1])) {
        text_addf(why, "no font of %s can be read [font-unread]", family);
        good = false;
    }
    if (image)
        lib.g_object_unref(image);
    text_drop(&svg);
    return good;
}

bool codec_vips_load(struct text *why)
{
    return vips_load(why);
}

void codec_vips_version(struct text *out)
{
    /* Cached: finding it searches folders, and several files of a run contain it. */
    static struct text version;

    if (!version.length)
        vips_identify(&version);
    text_addf(out, "libvips %s\n", text_string(&version));
}
