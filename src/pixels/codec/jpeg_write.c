/* jpeg_write: encodes JPEGs with libjpeg-turbo, from one plane or from luma and chroma. */
#include "pixels/codec/codec.h"
#include "pixels/codec/density.h"
#include "pixels/codec/jpeg_ycbcr.h"
#include "pixels/codec/jpeg_rows.h"
#include "pixels/codec/jpeg_errors.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_errors errors;
    struct text_destination destination;
    const struct picture *picture;
    const struct picture_options *options;
    struct text *out;
    bool converts;         /* lockstep converts the colors, before libjpeg gets them */
    struct jpeg_rows rows; /* used if `converts` */
};

static bool is_planar(const struct picture *p)
{
    return p->chroma[0].px != NULL;
}

static void set_up(struct writer *w)
{
    struct jpeg_compress_struct *jpeg = &w->jpeg;
    const struct picture *p = w->picture;
    enum subsampling s = w->options->subsampling;
    bool planar = is_planar(p) || w->converts;

    jpeg_create_compress(jpeg);
    text_destination_begin(&w->destination, w->out, jpeg);
    jpeg->image_width = (JDIMENSION)p->plane.width;
    jpeg->image_height = (JDIMENSION)p->plane.height;
    jpeg->input_components = planar ? 3 : p->plane.channels;
    jpeg->in_color_space = planar ? JCS_YCbCr : p->plane.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, w->options->quality, TRUE);
    codec_jpeg_density(jpeg, p->density);
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->raw_data_in = planar;
    if (is_planar(p)) {
        jpeg->comp_info[0].h_samp_factor = p->chroma_x == 1 ? 1 : 2;
        jpeg->comp_info[0].v_samp_factor = p->chroma_y == 1 ? 1 : 2;
    } else if (p->plane.channels == 3) {
        jpeg->comp_info[0].h_samp_factor = s == SUBSAMPLING_444 ? 1 : 2;
        jpeg->comp_info[0].v_samp_factor = s == SUBSAMPLING_420 ? 2 : 1;
    }
}

/* libjpeg reads whole blocks of 8 x 8. To fill them, the last column is repeated within the plane,
 * the last row by pointers to it. */
static void block_rows(const struct plane *p, JSAMPROW *rows, int first, int n)
{
    int padding = -p->width & (DCTSIZE - 1);

    for (int i = 0; i < n; i++) {
        int y = first + i;

        if (y >= p->height) {
            rows[i] = plane_row(p, p->height - 1);
            continue;
        }
        rows[i] = plane_row(p, y);
        memset(rows[i] + p->width, rows[i][p->width - 1], (size_t)padding);
    }
}

static void write_planes(struct writer *w)
{
    const struct picture *p = w->picture;
    JSAMPROW rows[3][2 * DCTSIZE];
    JSAMPARRAY at[3] = { rows[0], rows[1], rows[2] };
    int lines = w->jpeg.comp_info[0].v_samp_factor * DCTSIZE;

    for (int y = 0, i = 0; y < p->plane.height; y += lines, i++) {
        block_rows(&p->plane, rows[0], y, lines);
        block_rows(&p->chroma[0], rows[1], i * DCTSIZE, DCTSIZE);
        block_rows(&p->chroma[1], rows[2], i * DCTSIZE, DCTSIZE);
        jpeg_write_raw_data(&w->jpeg, at, (JDIMENSION)lines);
    }
}

static void write_strip(struct writer *w, const struct plane *strip)
{
    if (w->converts) {
        jpeg_rows_write(&w->rows, strip);
        return;
    }
    for (int y = 0; y < strip->height; y++) {
        JSAMPROW row = plane_row(strip, y);

        jpeg_write_scanlines(&w->jpeg, &row, 1);
    }
}

static void write_rows(struct writer *w)
{
    const struct plane *p = &w->picture->plane;
    const struct picture_rows *rows = w->picture->rows;

    if (w->converts)
        jpeg_rows_begin(&w->rows, &w->jpeg);
    for (int y = 0; y < p->height; y += PICTURE_ROWS) {
        int n = p->height - y < PICTURE_ROWS ? p->height - y : PICTURE_ROWS;
        struct plane strip =
            rows ? rows->make(rows->context, y, n) : plane_part(p, 0, y, p->width, n);

        write_strip(w, &strip);
    }
}

static void write_pixels(void *context)
{
    struct writer *w = context;

    set_up(w);
    jpeg_start_compress(&w->jpeg, TRUE);
    if (codec_has_matching_profile(w->picture))
        jpeg_write_icc_profile(&w->jpeg, w->picture->icc, (unsigned)w->picture->icc_length);
    if (is_planar(w->picture))
        write_planes(w);
    else
        write_rows(w);
    jpeg_finish_compress(&w->jpeg);
}

static bool is_share(double v)
{
    return v == 1 || v == 0.5;
}

static bool holds_blocks(const struct plane *p, int width, int height)
{
    return p->px && p->type == PIXEL_U8 && p->channels == 1 && p->width == width &&
           p->height == height && p->stride >= ((size_t)width + DCTSIZE - 1) / DCTSIZE * DCTSIZE;
}

static bool can_write(const struct picture *p, struct text *why)
{
    int w = p->plane.width, h = p->plane.height;

    if (p->plane.channels == 2 || p->plane.channels == 4) {
        text_adds(why, "JPEG has no alpha channel");
        return false;
    }
    if (!is_planar(p))
        return true;
    if (!is_share(p->chroma_x) || !is_share(p->chroma_y)) {
        text_addf(why, "chroma of %g x %g times the luma's pixels cannot be written", p->chroma_x,
                  p->chroma_y);
        return false;
    }
    for (int i = 0; i < 2; i++)
        if (!holds_blocks(&p->plane, w, h) ||
            !holds_blocks(&p->chroma[i], p->chroma_x == 1 ? w : (w + 1) / 2,
                          p->chroma_y == 1 ? h : (h + 1) / 2)) {
            text_adds(why, "luma and chroma planes do not belong together");
            return false;
        }
    return true;
}

bool codec_jpeg_write(const struct picture *picture, const struct picture_options *options,
                      struct text *out, struct text *why)
{
    struct writer w;
    size_t before = out->length;
    bool ok;

    if (!can_write(picture, why))
        return false;
    memset(&w, 0, sizeof w);
    w.picture = picture;
    w.options = options;
    w.out = out;
    w.converts = !is_planar(picture) && picture->plane.channels == 3 && jpeg_has_colour_loops();
    w.jpeg.err = jpeg_errors_begin(&w.errors);
    ok = jpeg_errors_attempt(&w.errors, write_pixels, &w);
    jpeg_destroy_compress(&w.jpeg);
    if (!ok) {
        text_adds(why, w.errors.message);
        text_cut(out, before);
    }
    return ok;
}
