/* jpeg_read: decodes JPEGs with libjpeg-turbo. */
#include "pixels/codec/codec.h"
#include "pixels/codec/exif.h"
#include "pixels/codec/jpeg_rows.h"
#include "pixels/codec/jpeg_segments.h"
#include "pixels/codec/jpeg_errors.h"
#include "pixels/codec/jpeg_block.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

/* Since version 7, libjpeg has one size per side; here they are always equal. */
#if JPEG_LIB_VERSION >= 70
#define DCT_scaled_size DCT_h_scaled_size
#endif

enum { ROWS_AT_ONCE = 16 };

/* A part is decoded separately only if it has less than this share of the pixels. */
static const double WORTH_IT = 0.85;

struct reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_errors errors;
    struct slice bytes;
    struct pool *pool;
    const struct decode_hints *hints;
    struct picture picture;
};

static void read_header(void *context)
{
    struct reader *r = context;

    jpeg_create_decompress(&r->jpeg);
    jpeg_mem_src(&r->jpeg, (const unsigned char *)r->bytes.at, (unsigned long)r->bytes.length);
    jpeg_read_header(&r->jpeg, TRUE);
}

static bool reader_begin(struct reader *r, struct slice bytes, struct text *why)
{
    memset(r, 0, sizeof *r);
    r->bytes = bytes;
    r->jpeg.err = jpeg_errors_begin(&r->errors);
    if (jpeg_errors_attempt(&r->errors, read_header, r))
        return true;
    text_adds(why, r->errors.message);
    jpeg_destroy_decompress(&r->jpeg);
    return false;
}

static bool has_inks(const struct reader *r)
{
    return r->jpeg.jpeg_color_space == JCS_CMYK || r->jpeg.jpeg_color_space == JCS_YCCK;
}

/* Returns the color space to decode to. */
static J_COLOR_SPACE reader_colours(const struct reader *r)
{
    if (has_inks(r))
        return JCS_CMYK;
    return r->jpeg.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
}

static int channels_of(J_COLOR_SPACE colours)
{
    return colours == JCS_GRAYSCALE ? 1 : colours == JCS_CMYK ? 4 : 3;
}

static int reader_orientation(const struct reader *r)
{
    return exif_orientation(jpeg_exif(r->bytes));
}

/* Returns the subsampling to write. Subsamplings that lockstep cannot write (4:4:0, 4:1:1) get more
 * samples. */
static enum subsampling reader_subsampling(const struct reader *r)
{
    const jpeg_component_info *c = r->jpeg.comp_info;

    if (r->jpeg.num_components != 3)
        return SUBSAMPLING_420;
    if (c[0].h_samp_factor < 2 * c[1].h_samp_factor || c[0].h_samp_factor < 2 * c[2].h_samp_factor)
        return SUBSAMPLING_444;
    return c[0].v_samp_factor < 2 * c[1].v_samp_factor ||
                   c[0].v_samp_factor < 2 * c[2].v_samp_factor
               ? SUBSAMPLING_422
               : SUBSAMPLING_420;
}

bool codec_jpeg_probe(struct slice bytes, struct picture_header *header, struct text *why)
{
    struct reader r;

    if (!reader_begin(&r, bytes, why))
        return false;
    header->frame = (struct frame){ (int)r.jpeg.image_width, (int)r.jpeg.image_height };
    header->channels = reader_colours(&r) == JCS_GRAYSCALE ? 1 : 3;
    header->type = PIXEL_U8;
    header->orientation = reader_orientation(&r);
    header->palette = false;
    header->inks = has_inks(&r);
    header->subsampling = reader_subsampling(&r);
    header->block = jpeg_block(&r.jpeg);
    jpeg_destroy_decompress(&r.jpeg);
    return true;
}

/* --- planes, as the file stores them --- */

static bool has_planes(const struct jpeg_decompress_struct *jpeg)
{
    const jpeg_component_info *c = jpeg->comp_info;

    if (jpeg->jpeg_color_space == JCS_GRAYSCALE)
        return true;
    return jpeg->jpeg_color_space == JCS_YCbCr && jpeg->num_components == 3 &&
           c[0].h_samp_factor == jpeg->max_h_samp_factor &&
           c[0].v_samp_factor == jpeg->max_v_samp_factor &&
           c[1].h_samp_factor == c[2].h_samp_factor && c[1].v_samp_factor == c[2].v_samp_factor &&
           c[0].h_samp_factor % c[1].h_samp_factor == 0 &&
           c[0].v_samp_factor % c[1].v_samp_factor == 0;
}

/* Returns the number of rows to decode: the wanted ones plus one chroma row, as chroma is
 * interpolated. */
static JDIMENSION rows_wanted(const struct reader *r)
{
    const struct decode_hints *hints = r->hints;
    long bottom = (long)hints->top + hints->height;
    int shrink = r->picture.shrink;

    if (hints->width <= 0 || bottom >= r->picture.full.height)
        return r->jpeg.output_height;
    bottom = bottom > 0 ? (bottom + shrink - 1) / shrink : 0;
    return (JDIMENSION)(bottom + r->jpeg.max_v_samp_factor);
}

/* True if the bytes that are not decoded yet look like the rest of the scan and the end of the
 * image. */
static bool has_valid_end(j_decompress_ptr jpeg)
{
    const JOCTET *at = jpeg->src->next_input_byte, *end = at + jpeg->src->bytes_in_buffer;

    if (jpeg_has_multiple_scans(jpeg) || jpeg->unread_marker == JPEG_EOI)
        return true; /* read before the first row came out, or up to the last one */
    while ((at = memchr(at, 0xff, (size_t)(end - at)))) {
        while (at < end && *at == 0xff)
            at++;
        if (at == end || *at == JPEG_EOI)
            return at < end;
        if (*at != 0 && (*at < JPEG_RST0 || *at > JPEG_RST0 + 7))
            return false;
    }
    return false;
}

/* Returns a plane with room for whole blocks, which libjpeg writes. */
static struct plane *planes_take(struct reader *r, int component)
{
    const jpeg_component_info *luma = r->jpeg.comp_info, *c = &luma[component];
    struct plane *p = component ? &r->picture.chroma[component - 1] : &r->picture.plane;
    int rows = (int)r->jpeg.total_iMCU_rows * c->v_samp_factor * c->DCT_scaled_size;

    *p = pool_plane(r->pool, (struct frame){ (int)c->downsampled_width, rows }, 1, PIXEL_U8);
    if (component) {
        r->picture.chroma_x = (double)(c->h_samp_factor * c->DCT_scaled_size) /
                              (luma->h_samp_factor * luma->DCT_scaled_size);
        r->picture.chroma_y = (double)(c->v_samp_factor * c->DCT_scaled_size) /
                              (luma->v_samp_factor * luma->DCT_scaled_size);
    }
    return p;
}

static void planes_row(struct reader *r, struct plane *const *planes, int index)
{
    JSAMPROW rows[3][MAX_SAMP_FACTOR * DCTSIZE];
    JSAMPARRAY at[3] = { rows[0], rows[1], rows[2] };
    int lines = r->jpeg.max_v_samp_factor * DCTSIZE / r->picture.shrink;

    for (int i = 0; i < r->jpeg.num_components; i++) {
        const jpeg_component_info *c = &r->jpeg.comp_info[i];
        int n = c->v_samp_factor * c->DCT_scaled_size;

        for (int k = 0; k < n; k++)
            rows[i][k] = plane_row(planes[i], index * n + k);
    }
    jpeg_read_raw_data(&r->jpeg, at, (JDIMENSION)lines);
}

static void read_planes(struct reader *r)
{
    j_decompress_ptr jpeg = &r->jpeg;
    struct plane *planes[3];
    JDIMENSION wanted = rows_wanted(r);
    int index = 0;

    for (int i = 0; i < jpeg->num_components; i++)
        planes[i] = planes_take(r, i);
    while (jpeg->output_scanline < wanted && jpeg->output_scanline < jpeg->output_height) {
        planes_row(r, planes, index++);
        if (jpeg->output_scanline >= wanted && wanted < jpeg->output_height && !has_valid_end(jpeg))
            wanted = jpeg->output_height; /* libjpeg shall decide */
    }
    for (int i = 0; i < jpeg->num_components; i++) {
        const jpeg_component_info *c = &jpeg->comp_info[i];
        int rows = index * c->v_samp_factor * c->DCT_scaled_size;

        planes[i]->height = rows < (int)c->downsampled_height ? rows : (int)c->downsampled_height;
    }
    if (jpeg->output_scanline >= jpeg->output_height)
        jpeg_finish_decompress(jpeg);
}

/* --- interleaved rows --- */

/* In whole pixels; right and bottom are after the last one. */
struct part {
    int left, top, right, bottom;
};

/* Returns the part to decode. A pixel's chroma comes from two samples per row, and each end of a
 * part lacks one of them. libjpeg skips rows and reads them with their neighbors. */
static struct part part_of(const struct reader *r)
{
    const struct jpeg_decompress_struct *jpeg = &r->jpeg;
    const struct decode_hints *hints = r->hints;
    int width = (int)jpeg->output_width, height = (int)jpeg->output_height;
    int more = jpeg->max_h_samp_factor > 1 ? jpeg->max_h_samp_factor : 0;
    long right = (long)hints->left + hints->width + more, bottom = (long)hints->top + hints->height;
    struct part whole = { 0, 0, width, height }, part;

    part.left = hints->left > more ? hints->left - more : 0;
    part.top = hints->top > 0 ? hints->top : 0;
    part.right = right < width ? (int)right : width;
    part.bottom = bottom < height ? (int)bottom : height;
    if (hints->width <= 0 || r->picture.shrink > 1 || part.left >= part.right ||
        part.top >= part.bottom || jpeg_has_gaps(jpeg))
        return whole;
    return (double)(part.right - part.left) * (part.bottom - part.top) <
                   WORTH_IT * (double)width * height
               ? part
               : whole;
}

/* Decodes the rows below as far as needed to find damage. */
static void read_on(struct reader *r, JSAMPROW spare)
{
    j_decompress_ptr jpeg = &r->jpeg;

    if (jpeg_has_multiple_scans(jpeg))
        return; /* everything was read before the first row came out */
    if (jpeg->output_scanline < jpeg->output_height)
        jpeg_skip_scanlines(jpeg, jpeg->output_height - 1 - jpeg->output_scanline);
    while (jpeg->output_scanline < jpeg->output_height)
        jpeg_read_scanlines(jpeg, &spare, 1);
    jpeg_finish_decompress(jpeg);
}

static void read_rows(struct reader *r)
{
    j_decompress_ptr jpeg = &r->jpeg;
    struct part part = part_of(r);
    JDIMENSION left = (JDIMENSION)part.left, width = (JDIMENSION)(part.right - part.left);
    int height = part.bottom - part.top;
    bool ends_early = part.bottom < (int)jpeg->output_height; /* then there is a row to spare */
    struct plane *p = &r->picture.plane;
    JSAMPROW rows[ROWS_AT_ONCE];

    jpeg_crop_scanline(jpeg, &left, &width);
    *p = pool_plane(r->pool, (struct frame){ (int)width, height + ends_early },
                    channels_of(jpeg->out_color_space), PIXEL_U8);
    p->height = height;
    r->picture.left = (int)left;
    r->picture.top = part.top;
    jpeg_skip_scanlines(jpeg, (JDIMENSION)part.top);
    while ((int)jpeg->output_scanline < part.bottom) {
        int first = (int)jpeg->output_scanline, n = part.bottom - first;

        n = n < ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
        for (int i = 0; i < n; i++)
            rows[i] = plane_row(p, first - part.top + i);
        jpeg_read_scanlines(jpeg, rows, (JDIMENSION)n);
    }
    read_on(r, plane_row(p, p->height));
}

/* True if the image is read as a whole, even if gaps are found later, and lockstep converts its
 * colors. */
static bool reads_whole(struct reader *r)
{
    j_decompress_ptr jpeg = &r->jpeg;
    struct part part;

    if (!jpeg_rows_can_read(jpeg))
        return false;
    jpeg_calc_output_dimensions(jpeg);
    part = part_of(r);
    return part.right - part.left == (int)jpeg->output_width &&
           part.bottom - part.top == (int)jpeg->output_height;
}

static void read_whole(struct reader *r)
{
    r->picture.plane = pool_plane(r->pool, r->picture.full, 3, PIXEL_U8);
    jpeg_rows_read(&r->jpeg, &r->picture.plane);
    if (!jpeg_has_multiple_scans(&r->jpeg))
        jpeg_finish_decompress(&r->jpeg);
}

static void read_pixels(void *context)
{
    struct reader *r = context;
    j_decompress_ptr jpeg = &r->jpeg;
    int shrink = r->hints->shrink;
    bool planar, whole;

    r->picture.shrink = shrink == 2 || shrink == 4 || shrink == 8 ? shrink : 1;
    r->picture.chroma_x = r->picture.chroma_y = 1;
    jpeg_limit_scans(jpeg);
    jpeg->scale_num = 1;
    jpeg->scale_denom = (unsigned)r->picture.shrink;
    jpeg->out_color_space = reader_colours(r);
    jpeg->dct_method = JDCT_ISLOW;
    jpeg->do_fancy_upsampling = TRUE;
    planar = r->hints->planar && has_planes(jpeg);
    whole = !planar && reads_whole(r);
    jpeg->raw_data_out = planar || whole;
    jpeg_start_decompress(jpeg);
    r->picture.icc = jpeg_profile(r->bytes, &r->picture.icc_length);
    if (planar)
        read_planes(r);
    else if (whole)
        read_whole(r);
    else
        read_rows(r);
}

bool codec_jpeg_read(struct slice bytes, struct pool *pool, size_t max_pixels,
                     const struct decode_hints *hints, struct picture *picture, int *orientation,
                     bool *inks, struct text *why)
{
    static const struct decode_hints ALL = { .planar = false };
    struct reader r;
    struct frame frame;
    bool ok;

    if (!reader_begin(&r, bytes, why))
        return false;
    frame = (struct frame){ (int)r.jpeg.image_width, (int)r.jpeg.image_height };
    *inks = has_inks(&r);
    if (!codec_check_size(frame.width, frame.height, max_pixels, why)) {
        jpeg_destroy_decompress(&r.jpeg);
        return false;
    }
    *orientation = hints && hints->stored ? 1 : reader_orientation(&r);
    r.pool = pool;
    r.hints = hints && *orientation == 1 && !*inks ? hints : &ALL;
    r.picture.format = picture->format;
    r.picture.full = frame;
    ok = jpeg_errors_attempt(&r.errors, read_pixels, &r);
    jpeg_destroy_decompress(&r.jpeg);
    if (ok) {
        *picture = r.picture;
        return true;
    }
    text_adds(why, r.errors.message);
    picture_drop(&r.picture, pool);
    return false;
}

void codec_jpeg_version(struct text *out)
{
    int v = LIBJPEG_TURBO_VERSION_NUMBER;

    text_addf(out, "libjpeg-turbo %d.%d.%d\n", v / 1000000, v / 1000 % 1000, v % 1000);
}
