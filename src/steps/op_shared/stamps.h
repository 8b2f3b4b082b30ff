/* stamps: pictures with alpha that `overlay` lays on images. They are given beside the pipeline,
 * which knows them by their names; all steps and all images share them.
 *
 * One table for the process: filled before the first image, constant then, and so the same in all
 * workers, which are forked later. */
#pragma once

#include "base/base.h"
#include "pixels/plane.h"

struct op;
struct text;

struct stamp {
    const char *name;
    uint64_t hash; /* of the name */
    /* PIXEL_F32, four channels: red, green and blue on the 0..255 scale, each times alpha, and
     * alpha, 0..1. */
    struct plane plane;
};

/* Adds a picture of 1 to 4 channels of 8 or 16 bits, and its file's bytes; copies are kept, or a
 * hash. */
void stamps_add(const char *name, const struct plane *, struct slice bytes);
/* NULL when there is none of that name. */
const struct stamp *stamp_find(const char *name);
/* The one that 64 random bits choose: each is as likely as the others, and one more or less of n
 * changes about 1/n of the draws. NULL when there is none. */
const struct stamp *stamp_draw(uint64_t draw);
/* The colours of one of its pixels on the 0..255 scale, those of gray images the luma (BT.601).
 * False where less than half of the pixel shows. */
bool stamp_colours(const struct stamp *, int x, int y, int colours, double level[3]);
/* Is one of its parameters the name of a stamp, `stamp`? */
bool op_takes_stamps(const struct op *);
/* A hash of names and files, as text: JSON. Nothing where there are none. */
void stamps_print(struct text *);
