/* ycc_linear: linear functions of colours, one after another, on the planes of luma and chroma: a
 * table for luma, a matrix for chroma. Colours are cut off at the ends of their range in luma
 * alone. */
#pragma once

#include "pixels/picture.h"

/* JFIF's conversion of RGB (ITU-R BT.601, full range); Cb and Cr without their offset of 128. */
extern const double ycc_of_rgb[3][3];

/* A colour matrix over Y, Cb, Cr. */
struct ycc_matrix {
    double m[3][4];
};
struct ycc_matrix ycc_matrix_of(const struct colour_matrix *rgb);

struct tone {
    uint8_t luma[256];
    enum { LUMA_STAYS, LUMA_LINE, LUMA_TABLE } how;
    struct level_line line;
    float luma_of[2]; /* what Cb and Cr, as they come in, add to luma afterwards */
    float chroma[2][2];
};

/* No function yet. */
struct tone tone_begin(void);
/* One more, behind those that it has. */
void tone_add(struct tone *, const struct colour_matrix *);
/* Of all functions: finds the line that tone_run takes instead of the table where it can. */
void tone_end(struct tone *);
/* Does chroma change luma, by half a level or more? */
bool tone_adds_chroma(const struct tone *);
/* So much that it shows where chroma is coarser than luma: a pixel of it is added to several, where
 * ops see it blended with those beside. */
bool tone_adds_much_chroma(const struct tone *);

/* On planes of one size; a tone that is ended. */
void tone_run(const struct tone *, struct plane *luma, struct plane *cb, struct plane *cr);
/* The same for one that is not; chroma may be missing (no pixels), then luma alone. */
void tone_look_up(const struct tone *, struct plane ycc[3]);
