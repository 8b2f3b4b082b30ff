/* jpeg_rows: reads and writes rows of RGB through the planes of luma and chroma that libjpeg has
 * between its blocks and its own color conversion. The functions of jpeg_ycbcr convert them faster,
 * with the same bytes. Memory belongs to libjpeg, for one image; errors leave by longjmp. */
#pragma once

#include "pixels/plane.h"

#include <stdio.h>

#include <jpeglib.h>

/* True if jpeg_rows_read can read the file: 4:4:4, 4:2:2 or 4:2:0, decoded at full size. Call it
 * after the header was read. */
bool jpeg_rows_can_read(const struct jpeg_decompress_struct *);

/* Reads the whole image into a plane of its size. Start decompression with raw_data_out; this reads
 * up to the last row. */
void jpeg_rows_read(struct jpeg_decompress_struct *, const struct plane *to);

/* A writer of rows of blocks: 16 rows of luma for 4:2:0, otherwise 8. */
struct jpeg_rows {
    struct jpeg_compress_struct *jpeg;
    JSAMPARRAY row[3];  /* rows passed to libjpeg */
    JSAMPARRAY full[2]; /* Cb and Cr of two rows before they are halved */
    size_t room;        /* full-resolution pixels in whole blocks */
    int lines;
};

/* Begins writing, only if jpeg_has_colour_loops(). Start compression with raw_data_in and three
 * components. Luma's sampling factors are 1 or 2; the vertical one is 2 only if the horizontal one
 * is. Chroma's are 1. */
void jpeg_rows_begin(struct jpeg_rows *, struct jpeg_compress_struct *);
/* Writes rows of RGB. Their number must be a multiple of 16, except for the last rows. */
void jpeg_rows_write(struct jpeg_rows *, const struct plane *);
