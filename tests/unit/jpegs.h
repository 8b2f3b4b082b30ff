/* jpegs: JPEGs of every kind, made by libjpeg itself, for the tests of the codec. */
#pragma once

#include "unit.h"

#include "pixels/picture.h"

#include <string.h>

#include <jpeglib.h>

/* How a JPEG is coded. All zero is gray in one scan. */
struct kind {
    const char *name;
    int h, v;         /* luma's sampling factors; 0: gray */
    int chroma_h;     /* chroma's; 0: 1 */
    int cr_h;         /* Cr's alone; 0: as Cb's */
    int restart;      /* MCU between markers */
    bool progressive; /* libjpeg's usual script */
    bool crude;       /* with progressive: DC alone, which a reader fills up by guessing */
    bool apart;       /* a scan for each component */
    bool rgb;         /* coded as RGB */
    bool ycc;         /* the pixels given are YCbCr */
};

static const struct kind KINDS[] = {
    { .name = "gray" },
    { .name = "gray of 2x2", .h = -2 },
    { .name = "4:4:4", .h = 1, .v = 1 },
    { .name = "4:2:2", .h = 2, .v = 1 },
    { .name = "4:4:0", .h = 1, .v = 2 },
    { .name = "4:2:0", .h = 2, .v = 2 },
    { .name = "4:1:1", .h = 4, .v = 1 },
    { .name = "4:1:0", .h = 4, .v = 2 },
    { .name = "luma halved", .h = 1, .v = 1, .chroma_h = 2 },
    { .name = "4:2:0 restart", .h = 2, .v = 2, .restart = 5 },
    { .name = "4:4:4 progressive", .h = 1, .v = 1, .progressive = true },
    { .name = "4:2:2 progressive", .h = 2, .v = 1, .progressive = true },
    { .name = "4:4:0 progressive", .h = 1, .v = 2, .progressive = true },
    { .name = "4:2:0 progressive", .h = 2, .v = 2, .progressive = true },
    { .name = "gray progressive", .progressive = true },
    { .name = "crude", .h = 2, .v = 2, .progressive = true, .crude = true },
    { .name = "4:2:0 apart", .h = 2, .v = 2, .apart = true },
    { .name = "RGB", .h = 1, .v = 1, .rgb = true },
};

static struct pool pool;
static const size_t PLENTY = 1 << 26;

static inline struct slice slice_of(const struct text *t)
{
    return (struct slice){ t->at, t->length };
}

static inline uint8_t *at(const struct plane *p, int x, int y)
{
    return (uint8_t *)p->px + (size_t)y * p->stride + (size_t)(x * p->channels);
}

/* Interleaved pixels with large and small features, and some noise. */
static inline struct plane scene(int w, int h, int channels)
{
    struct plane p = pool_plane(&pool, (struct frame){ w, h }, channels, PIXEL_U8);

    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            for (int b = 0; b < channels; b++) {
                double v = 128 + 60 * sin(0.05 * x + b) + 40 * cos(0.09 * y - 0.03 * x * b) +
                           20 * ((x / 5 + y / 7) % 2) + unit_int(-9, 9);

                at(&p, x, y)[b] = (uint8_t)fmin(255, fmax(0, v));
            }
    return p;
}

static inline void jpeg_sampling(struct jpeg_compress_struct *jpeg, const struct kind *kind)
{
    if (kind->h < 0)
        jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = -kind->h;
    if (kind->h <= 0)
        return;
    jpeg->comp_info[0].h_samp_factor = kind->h;
    jpeg->comp_info[0].v_samp_factor = kind->v;
    for (int c = 1; c < 3 && kind->chroma_h; c++)
        jpeg->comp_info[c].h_samp_factor = kind->chroma_h;
    if (kind->cr_h)
        jpeg->comp_info[2].h_samp_factor = kind->cr_h;
}

static inline void jpeg_scans(struct jpeg_compress_struct *jpeg, const struct kind *kind)
{
    static const jpeg_scan_info CRUDE[] = { { 3, { 0, 1, 2 }, 0, 0, 0, 0 } };
    static const jpeg_scan_info APART[] = { { 1, { 0 }, 0, 63, 0, 0 },
                                            { 1, { 1 }, 0, 63, 0, 0 },
                                            { 1, { 2 }, 0, 63, 0, 0 } };

    if (kind->crude || kind->apart) {
        jpeg->scan_info = kind->crude ? CRUDE : APART;
        jpeg->num_scans = kind->crude ? 1 : 3;
    } else if (kind->progressive) {
        jpeg_simple_progression(jpeg);
    }
}

static inline struct text jpeg_of(const struct plane *p, const struct kind *kind, int quality)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr error;
    unsigned char *bytes = NULL;
    unsigned long length = 0;
    struct text out = { 0 };

    jpeg.err = jpeg_std_error(&error);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &bytes, &length);
    jpeg.image_width = (JDIMENSION)p->width;
    jpeg.image_height = (JDIMENSION)p->height;
    jpeg.input_components = p->channels;
    jpeg.in_color_space = p->channels == 1 ? JCS_GRAYSCALE : kind->ycc ? JCS_YCbCr : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    if (kind->rgb)
        jpeg_set_colorspace(&jpeg, JCS_RGB);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg_sampling(&jpeg, kind);
    jpeg_scans(&jpeg, kind);
    jpeg.restart_interval = (unsigned)kind->restart;
    jpeg_start_compress(&jpeg, TRUE);
    for (int y = 0; y < p->height; y++) {
        JSAMPROW row = at(p, 0, y);

        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    text_add(&out, (char *)bytes, length);
    free(bytes);
    return out;
}

static inline struct text jpeg_scene(int w, int h, const struct kind *kind, int quality)
{
    struct plane p = scene(w, h, kind->h > 0 ? 3 : 1);
    struct text out = jpeg_of(&p, kind, quality);

    pool_return(&pool, &p);
    return out;
}

/* True if the bytes can be read; otherwise the picture is empty. */
static inline bool can_read(struct slice bytes, const struct decode_hints *hints, struct picture *p)
{
    struct text why = { 0 };
    bool ok = picture_read(bytes, &pool, PLENTY, hints, p, &why);

    CHECK(ok == (why.length == 0));
    CHECK(ok == (p->plane.px != NULL));
    CHECK(ok || (!p->chroma[0].px && !p->chroma[1].px && !p->icc));
    text_drop(&why);
    return ok;
}
