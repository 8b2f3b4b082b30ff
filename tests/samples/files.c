/* files: pictures as JPEG (by libjpeg-turbo), PNG, WebP and TIFF (by libvips). */
#include "dataset.h"

#include <vips/vips.h>

#include <jpeglib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void die(const char *path, const char *why)
{
    fprintf(stderr, "make_samples: %s: %s\n", path, why);
    exit(1);
}

/* The picture as samples of 0..max; channels 1 (luma), 3 or 4. */
static uint16_t *samples(const struct canvas *c, int channels, double max)
{
    size_t n = (size_t)c->w * (size_t)c->h;
    uint16_t *out = malloc(n * (size_t)channels * sizeof *out);

    if (!out)
        abort();
    for (size_t i = 0; i < n; i++) {
        const struct rgb *p = &c->px[i];
        double v[4] = { p->r, p->g, p->b, c->alpha[i] };

        if (channels == 1)
            v[0] = 0.299 * p->r + 0.587 * p->g + 0.114 * p->b;
        for (int k = 0; k < channels; k++)
            out[i * (size_t)channels + (size_t)k] = (uint16_t)lround(max * fmin(1, fmax(0, v[k])));
    }
    return out;
}

static uint8_t *bytes(const struct canvas *c, int channels)
{
    size_t n = (size_t)c->w * (size_t)c->h * (size_t)channels;
    uint16_t *wide = samples(c, channels, 255);
    uint8_t *out = malloc(n);

    if (!out)
        abort();
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)wide[i];
    free(wide);
    return out;
}

/* EXIF that has only the orientation: big-endian TIFF, one entry. */
static void write_orientation(j_compress_ptr jpeg, unsigned char orientation)
{
    const unsigned char exif[] = {
        'E',  'x',  'i', 'f', 0, 0, 'M', 'M', 0, 42,          0, 0, 0, 8, 0, 1,
        0x01, 0x12, 0,   3,   0, 0, 0,   1,   0, orientation, 0, 0, 0, 0, 0, 0,
    };

    jpeg_write_marker(jpeg, JPEG_APP0 + 1, exif, sizeof exif);
}

static void write_jpeg(const char *path, const uint8_t *px, int w, int h, int channels, int quality,
                       unsigned char orientation)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr error;
    FILE *f = fopen(path, "wb");

    if (!f)
        die(path, "cannot be written");
    jpeg.err = jpeg_std_error(&error);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, f);
    jpeg.image_width = (JDIMENSION)w;
    jpeg.image_height = (JDIMENSION)h;
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg.optimize_coding = TRUE;
    jpeg_start_compress(&jpeg, TRUE);
    if (orientation)
        write_orientation(&jpeg, orientation);
    while (jpeg.next_scanline < jpeg.image_height) {
        /* libjpeg's rows are not const, but it only reads them. */
        JSAMPROW row =
            (JSAMPROW)(uintptr_t)(px + (size_t)jpeg.next_scanline * (size_t)w * (size_t)channels);

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    if (fclose(f))
        die(path, "cannot be written");
}

/* On its side, so that orientation 6 (turn a quarter right to display) sets it upright. */
static void write_rotated(const char *path, const uint8_t *px, int w, int h, int quality)
{
    uint8_t *side = malloc((size_t)w * (size_t)h * 3);

    if (!side)
        abort();
    for (int y = 0; y < w; y++)
        for (int x = 0; x < h; x++)
            for (int k = 0; k < 3; k++)
                side[(y * h + x) * 3 + k] = px[(x * w + w - 1 - y) * 3 + k];
    write_jpeg(path, side, h, w, 3, quality, 6);
    free(side);
}

static int save(VipsImage *image, const char *path, enum file file, int quality)
{
    if (file == WEBP)
        return vips_webpsave(image, path, "Q", quality, "strip", TRUE, NULL);
    if (file == TIFF)
        return vips_tiffsave(image, path, "compression", VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE,
                             "predictor", VIPS_FOREIGN_TIFF_PREDICTOR_HORIZONTAL, "strip", TRUE,
                             NULL);
    return vips_pngsave(image, path, "compression", 9, "filter", VIPS_FOREIGN_PNG_FILTER_ALL,
                        "strip", TRUE, NULL);
}

static void write_vips(const char *path, enum file file, int quality, const void *px, int w, int h,
                       int channels, bool wide)
{
    size_t size = (size_t)w * (size_t)h * (size_t)channels * (wide ? 2 : 1);
    VipsInterpretation space = channels == 1
                                   ? (wide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W)
                               : wide ? VIPS_INTERPRETATION_RGB16
                                      : VIPS_INTERPRETATION_sRGB;
    VipsImage *raw = vips_image_new_from_memory_copy(px, size, w, h, channels,
                                                     wide ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR);
    VipsImage *image = NULL;

    if (!raw || vips_copy(raw, &image, "interpretation", space, NULL) ||
        save(image, path, file, quality))
        die(path, vips_error_buffer());
    g_object_unref(image);
    g_object_unref(raw);
}

void file_write(const char *path, enum file file, int quality, const struct canvas *c)
{
    bool wide = file == PNG_16 || file == PNG_GRAY_16;
    int channels = file == JPEG_GRAY || file == PNG_GRAY || file == PNG_GRAY_16 ? 1
                   : file == PNG_ALPHA                                          ? 4
                                                                                : 3;
    void *px = wide ? (void *)samples(c, channels, 65535) : (void *)bytes(c, channels);

    if (file == JPEG || file == JPEG_GRAY)
        write_jpeg(path, px, c->w, c->h, channels, quality, 0);
    else if (file == JPEG_ROTATED)
        write_rotated(path, px, c->w, c->h, quality);
    else
        write_vips(path, file, quality, px, c->w, c->h, channels, wide);
    free(px);
}

void file_write_mask(const char *path, const struct scene *s)
{
    write_vips(path, PNG_GRAY, 0, s->label, s->c.w, s->c.h, 1, false);
}
