/* jpeg_ycbcr: converts rows of red, green and blue to the luma and chroma of a JPEG and back. The
 * bytes are those of libjpeg (jccolor.c, jcsample.c, jdcolor.c and jdsample.c, with "fancy"
 * upsampling). Only for jpeg_read.c and jpeg_write.c, which leave the conversion to libjpeg on
 * other machines.
 *
 * Formulas of ITU-T T.871, in integers of 2^-16:
 *   Y  = (19595 R + 38470 G + 7471 B + 32768) >> 16
 *   Cb = (-11059 R - 21709 G + 32768 B + (128 << 16) + 32767) >> 16
 *   Cr = (32768 R - 27439 G - 5329 B + (128 << 16) + 32767) >> 16
 *
 * With cb = Cb - 128 and cr = Cr - 128, clamped to [0, 255]:
 *   R = Y + ((91881 cr + 32768) >> 16)
 *   G = Y + ((-22554 cb - 46802 cr + 32768) >> 16)
 *   B = Y + ((116130 cb + 32768) >> 16) */
#pragma once

#include "pixels/picture.h"

/* Luma and chroma are read and written in steps of this many bytes. Their rows need room for a
 * multiple of it plus one more step. RGB pixels after the last one are not accessed. */
enum { JPEG_COLOURS_STEP = 64 };

/* True if this machine has the loops (AVX-512 VBMI2). Otherwise the functions below must not be
 * called. */
bool jpeg_has_colour_loops(void);

/* Converts n pixels to luma, Cb and Cr, all at full resolution. The last pixel is repeated up to
 * `room` >= n. */
void jpeg_ycbcr_from_rgb(const uint8_t *rgb, size_t n, size_t room, uint8_t *const planes[3]);

/* Writes n means of two neighbors of one row (`below` is `above`), or of four pixels of two rows.
 * Halves are rounded up in every second column. */
void jpeg_chroma_halve(const uint8_t *above, const uint8_t *below, size_t n, uint8_t *to);

/* A row of luma and the chroma that is interpolated for it. `near` is the row of chroma that covers
 * the luma row. `far` is the next one on the luma row's side (4:2:0), or the same as `near` (4:2:2,
 * 4:4:4). */
struct jpeg_row {
    const uint8_t *luma;
    struct {
        const uint8_t *near, *far;
        int16_t *sums; /* room for samples + 2 * JPEG_COLOURS_STEP words */
    } chroma[2];
    size_t samples; /* of each chroma row */
    enum subsampling subsampling;
};
void jpeg_ycbcr_to_rgb(const struct jpeg_row *, uint8_t *rgb, size_t n);
