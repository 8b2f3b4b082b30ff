/* ycc_linear: linear color functions, one after another, on planes of luma and chroma: a table for
 * luma, a matrix for chroma. Only luma is clamped to its range. */
#pragma once

#include "pixels/picture.h"

/* JFIF's conversion of RGB (ITU-R BT.601, full range); Cb and Cr without their offset of 128. */
extern const double ycc_of_rgb[3][3];

/* A color matrix over Y, Cb, Cr. */
struct ycc_matrix {
    double m[3][4];
};
struct ycc_matrix ycc_matrix_of(const struct colour_matrix *rgb);

struct tone {
    uint8_t luma[256];
    enum { LUMA_STAYS, LUMA_LINE, LUMA_TABLE } how;
    struct level_line line;
    float luma_of[2]; /* amounts of the original Cb and Cr to add to luma in the end */
    float chroma[2][2];
};

/* Returns a tone without functions. */
struct tone tone_begin(void);
/* Adds a function after the others. */
void tone_add(struct tone *, const struct colour_matrix *);
/* Finishes a tone after its last function: finds a line that tone_run can use instead of the table.
 */
void tone_end(struct tone *);
/* True if chroma changes luma by half a level or more. */
bool tone_adds_chroma(const struct tone *);
/* True if chroma changes luma so much that it shows where chroma is coarser than luma. One pixel of
 * chroma is then added to several pixels of luma, while ops see it blended with its neighbors. */
bool tone_adds_much_chroma(const struct tone *);

/* Runs a finished tone on planes of one size. */
void tone_run(const struct tone *, struct plane *luma, struct plane *cb, struct plane *cr);
/* Runs a tone that is not finished. Without chroma (no pixels), only luma changes. */
void tone_look_up(const struct tone *, struct plane ycc[3]);
