/* jpeg_rows: reads and writes rows of RGB through a JPEG's planes. */
#include "pixels/codec/jpeg_rows.h"
#include "pixels/codec/jpeg_ycbcr.h"
#include "pixels/samples.h"

#include <string.h>

/* Allocates n rows of at least `samples` samples, with the room that the loops of jpeg_ycbcr
 * need. */
static JSAMPARRAY rows_of(j_common_ptr jpeg, size_t samples, int n)
{
    size_t room = (samples / JPEG_COLOURS_STEP + 2) * JPEG_COLOURS_STEP;

    return jpeg->mem->alloc_sarray(jpeg, JPOOL_IMAGE, (JDIMENSION)room, (JDIMENSION)n);
}

/* --- reading --- */

bool jpeg_rows_can_read(const struct jpeg_decompress_struct *jpeg)
{
    const jpeg_component_info *c = jpeg->comp_info;
    int across = jpeg->max_h_samp_factor, down = jpeg->max_v_samp_factor;

    return jpeg_has_colour_loops() && jpeg->jpeg_color_space == JCS_YCbCr &&
           jpeg->num_components == 3 && jpeg->scale_num == jpeg->scale_denom && across <= 2 &&
           down <= across && c[0].h_samp_factor == across && c[0].v_samp_factor == down &&
           c[1].h_samp_factor == 1 && c[1].v_samp_factor == 1 && c[2].h_samp_factor == 1 &&
           c[2].v_samp_factor == 1 &&
           /* libjpeg does not interpolate narrower rows of chroma ("too little data"). */
           (across == 1 || jpeg->image_width > 4);
}

/* State of reading, with two rows of blocks: the last rows of one need chroma from the start of the
 * next. */
struct rows_reader {
    struct jpeg_decompress_struct *jpeg;
    JSAMPARRAY row[2][3];
    struct jpeg_row line; /* only the pointers to its rows change */
    int down;             /* rows of luma per row of chroma */
};

static void rows_reader_begin(struct rows_reader *r)
{
    const struct jpeg_decompress_struct *jpeg = r->jpeg;
    j_common_ptr common = (j_common_ptr)r->jpeg;

    r->down = jpeg->max_v_samp_factor;
    r->line.subsampling = r->down == 2                   ? SUBSAMPLING_420
                          : jpeg->max_h_samp_factor == 2 ? SUBSAMPLING_422
                                                         : SUBSAMPLING_444;
    r->line.samples = jpeg->comp_info[1].downsampled_width;
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++) {
            const jpeg_component_info *info = &jpeg->comp_info[c];

            r->row[i][c] = rows_of(common, (size_t)info->width_in_blocks * DCTSIZE,
                                   info->v_samp_factor * DCTSIZE);
        }
    for (int c = 0; c < 2 && r->line.subsampling != SUBSAMPLING_444; c++)
        r->line.chroma[c].sums =
            (int16_t *)(void *)*rows_of(common, 2 * (r->line.samples + 2 * JPEG_COLOURS_STEP), 1);
}

/* Returns row y of a component, from the two rows of blocks in memory. */
static const uint8_t *row_at(const struct rows_reader *r, int component, int y)
{
    int rows = r->jpeg->comp_info[component].v_samp_factor * DCTSIZE;

    return r->row[y / rows % 2][component][y % rows];
}

/* Returns the row of chroma that is interpolated with the row of y; outside the image, its first or
 * last one. */
static int far_row(const struct rows_reader *r, int y)
{
    int last = (int)r->jpeg->comp_info[1].downsampled_height - 1, near = y / r->down, far;

    if (r->down == 1)
        return near;
    far = y % 2 ? near + 1 : near - 1;
    return far < 0 ? 0 : far > last ? last : far;
}

static void read_row(struct rows_reader *r, int y, const struct plane *to)
{
    r->line.luma = row_at(r, 0, y);
    for (int c = 0; c < 2; c++) {
        r->line.chroma[c].near = row_at(r, 1 + c, y / r->down);
        r->line.chroma[c].far = row_at(r, 1 + c, far_row(r, y));
    }
    jpeg_ycbcr_to_rgb(&r->line, plane_row(to, y), (size_t)to->width);
}

void jpeg_rows_read(struct jpeg_decompress_struct *jpeg, const struct plane *to)
{
    struct rows_reader r = { .jpeg = jpeg };
    int lines = jpeg->max_v_samp_factor * DCTSIZE, y = 0;

    rows_reader_begin(&r);
    for (int i = 0; y < to->height; i++) {
        /* The last row of the blocks waits for the chroma below it, unless there is none. */
        int there = (i + 1) * lines, ready = there < to->height ? there - r.down + 1 : to->height;

        jpeg_read_raw_data(jpeg, r.row[i % 2], (JDIMENSION)lines);
        for (; y < ready; y++)
            read_row(&r, y, to);
    }
}

/* --- writing --- */

void jpeg_rows_begin(struct jpeg_rows *rows, struct jpeg_compress_struct *jpeg)
{
    j_common_ptr common = (j_common_ptr)jpeg;
    const jpeg_component_info *c = jpeg->comp_info;

    rows->jpeg = jpeg;
    rows->lines = c[0].v_samp_factor * DCTSIZE;
    rows->room = (size_t)c[1].width_in_blocks * DCTSIZE * (size_t)c[0].h_samp_factor;
    rows->row[0] = rows_of(common, rows->room, rows->lines);
    for (int i = 0; i < 2; i++) {
        rows->row[1 + i] = rows_of(common, rows->room / (size_t)c[0].h_samp_factor, DCTSIZE);
        rows->full[i] = rows_of(common, rows->room, 2);
    }
}

/* Writes a row of luma and, if all of its luma rows are there, the row of chroma that covers it. */
static void write_row(struct jpeg_rows *rows, const uint8_t *rgb, int width, int i, bool last)
{
    int down = rows->lines / DCTSIZE;
    bool halved = rows->jpeg->comp_info[0].h_samp_factor == 2;
    uint8_t *planes[3] = { rows->row[0][i] };

    for (int c = 0; c < 2; c++)
        planes[1 + c] = halved ? rows->full[c][i % down] : rows->row[1 + c][i];
    jpeg_ycbcr_from_rgb(rgb, (size_t)width, rows->room, planes);
    for (int c = 0; c < 2 && halved && (last || i % down == down - 1); c++)
        jpeg_chroma_halve(rows->full[c][0], rows->full[c][i % down], rows->room / 2,
                          rows->row[1 + c][i / down]);
}

/* Repeats the last row of each component below the image. */
static void repeat_rows(struct jpeg_rows *rows, int n)
{
    for (int c = 0; c < 3; c++) {
        int down = c ? rows->lines / DCTSIZE : 1;

        for (int i = (n - 1) / down + 1; i < rows->lines / down; i++)
            memcpy(rows->row[c][i], rows->row[c][i - 1],
                   (size_t)rows->jpeg->comp_info[c].width_in_blocks * DCTSIZE);
    }
}

void jpeg_rows_write(struct jpeg_rows *rows, const struct plane *rgb)
{
    for (int y = 0; y < rgb->height; y += rows->lines) {
        int n = rgb->height - y < rows->lines ? rgb->height - y : rows->lines;

        for (int i = 0; i < n; i++)
            write_row(rows, plane_row(rgb, y + i), rgb->width, i, i == n - 1);
        repeat_rows(rows, n);
        jpeg_write_raw_data(rows->jpeg, rows->row, (JDIMENSION)rows->lines);
    }
}
