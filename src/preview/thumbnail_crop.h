/* thumbnail_crop: a part of an image with a finding's shape drawn over it, as a small JPEG. */
#pragma once

#include "base/text.h"
#include "geom/polygon.h"

/* The shape to draw, in continuous coordinates of the upright image; without a shape, the whole
 * image. */
struct crop {
    const char *folder, *name; /* of the image; crop_make checks the name */
    const struct box *box;     /* with corners in any order, or NULL */
    const struct ring *ring;
    const struct point *point;
    struct frame frame; /* the size that the image must have; 0 x 0: any */
    int quality;        /* of the JPEG; 0: the usual one */
};

enum { CROP_WIDTH = 320, CROP_HEIGHT = 240 }; /* maximum size */

/* Appends the JPEG. A separate process decodes, so that a hostile image ends only that process. The
 * caller must not have started libvips or a thread. Returns false with the reason. */
bool crop_make(const struct crop *, struct text *jpeg, struct text *why);
