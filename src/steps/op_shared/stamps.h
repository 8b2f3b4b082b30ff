/* stamps: pictures with alpha that `overlay` composites onto images. They are given next to the
 * pipeline, which refers to them by name; all steps and all images share them.
 *
 * There is one table per process. It is filled before the first image and does not change later.
 * Workers are forked afterwards and inherit it. */
#pragma once

#include "base/base.h"
#include "pixels/plane.h"

struct op;
struct text;

struct stamp {
    const char *name;
    uint64_t hash; /* of the name */
    /* PIXEL_F32, four channels: red, green and blue on the 0..255 scale, premultiplied by alpha,
     * and alpha, 0..1. */
    struct plane plane;
};

/* Adds a copy of a picture of 1 to 4 channels of 8 or 16 bits, and the hash of its file's bytes. */
void stamps_add(const char *name, const struct plane *, struct slice bytes);
/* Returns the stamp of that name, or NULL. */
const struct stamp *stamp_find(const char *name);
/* Chooses a stamp by 64 random bits, all with equal probability. Adding or removing one of n stamps
 * changes about 1/n of the choices. Returns NULL if there are none. */
const struct stamp *stamp_draw(uint64_t draw);
/* Reads the colors of a pixel on the 0..255 scale; for gray images the luma (BT.601). Returns false
 * if less than half of the pixel is opaque. */
bool stamp_colours(const struct stamp *, int x, int y, int colours, double level[3]);
/* True if the op has a parameter `stamp` that names a stamp. */
bool op_takes_stamps(const struct op *);
/* Prints a hash of names and files as JSON; nothing if there are no stamps. */
void stamps_print(struct text *);
