/* jpeg_rows: rows of RGB read from and written to a JPEG through the planes of luma and chroma that
 * libjpeg has between its blocks and its own conversion of colours, which jpeg_colours does faster
 * and with the same bytes. Memory is libjpeg's, for one image; errors leave by longjmp. */
#pragma once

#include "pixels/plane.h"

#include <stdio.h>

#include <jpeglib.h>

/* Are the colours of the file such that jpeg_rows_read can do it: 4:4:4, 4:2:2 or 4:2:0, decoded at
 * full size? When the header has been read. */
bool jpeg_rows_can_read(const struct jpeg_decompress_struct *);

/* The whole image into a plane of its size; started with raw_data_out, read up to its last row. */
void jpeg_rows_read(struct jpeg_decompress_struct *, const struct plane *to);

/* Rows of blocks as they are made: 16 rows of luma for 4:2:0, else 8. */
struct jpeg_rows {
    struct jpeg_compress_struct *jpeg;
    JSAMPARRAY row[3];  /* what is written */
    JSAMPARRAY full[2]; /* chroma of two rows before it is halved, Cb and Cr */
    size_t room;        /* pixels of full resolution in whole blocks */
    int lines;
};

/* On machines that have the loops (jpeg_colours_here); started with raw_data_in, with three
 * components: luma's sampling factors are 1 or 2, 2 down the rows only with 2 along them;
 * chroma's 1. */
void jpeg_rows_begin(struct jpeg_rows *, struct jpeg_compress_struct *);
/* Any number of rows of RGB, but a multiple of 16 unless they are the last ones. */
void jpeg_rows_write(struct jpeg_rows *, const struct plane *);
