/* jpeg_ycbcr: converts rows of red, green and blue to the luma and chroma of a JPEG and back. The
 * bytes are those of libjpeg (jccolor.c, jcsample.c, jdcolor.c and jdsample.c, with "fancy"
 * upsampling). Only for jpeg_read.c and jpeg_write.c, which leave it to libjpeg on other machines.
 *
 * Formulas, of ITU-T T.871, in integers of 2^-16:
 *   Y  = (19595 R + 38470 G + 7471 B + 32768) >> 16
 *   Cb = (-11059 R - 21709 G + 32768 B + (128 << 16) + 32767) >> 16
 *   Cr = (32768 R - 27439 G - 5329 B + (128 << 16) + 32767) >> 16
 * and with cb = Cb - 128, cr = Cr - 128, to [0, 255]
 *   R = Y + ((91881 cr + 32768) >> 16)
 *   G = Y + ((-22554 cb - 46802 cr + 32768) >> 16)
 *   B = Y + ((116130 cb + 32768) >> 16) */
#pragma once

#include "pixels/picture.h"

/* Rows of luma and chroma are read and written by so many bytes: they have room for a multiple of
 * them, and one more. Pixels of three bytes are not touched beyond the last one. */
enum { JPEG_COLOURS_STEP = 64 };

/* Has this machine got the loops (AVX-512 VBMI2)? Else the others may not be called. */
bool jpeg_colours_here(void);

/* n pixels as luma, Cb and Cr, all of full resolution; the last one is repeated up to `room`, which
 * is at least n. */
void jpeg_colours_apart(const uint8_t *rgb, size_t n, size_t room, uint8_t *const planes[3]);

/* A row of n mean values of two neighbours of one row (`below` is `above`), or of four of two.
 * Halves are rounded up in every second column. */
void jpeg_chroma_halve(const uint8_t *above, const uint8_t *below, size_t n, uint8_t *to);

/* A row of luma and what is blended to its chroma. `near` is the row of chroma that the row lies
 * in; `far` is the one on its other side (4:2:0) or the same (4:2:2, 4:4:4). */
struct jpeg_row {
    const uint8_t *luma;
    struct {
        const uint8_t *near, *far;
        int16_t *sums; /* room for 2 * JPEG_COLOURS_STEP words more than the row has samples */
    } chroma[2];
    size_t samples; /* of chroma */
    enum subsampling subsampling;
};
void jpeg_colours_together(const struct jpeg_row *, uint8_t *rgb, size_t n);
