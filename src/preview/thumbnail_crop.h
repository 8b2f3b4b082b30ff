/* thumbnail_crop: a part of an image with what is wrong in it drawn over it, as a small JPEG. */
#pragma once

#include "base/text.h"
#include "geom/polygon.h"

/* What is drawn; none of them: the whole image. Continuous coordinates of the upright image. */
struct crop {
    const char *folder, *name; /* of the image; the name is checked here */
    const struct box *box;     /* with corners in any order, or NULL */
    const struct ring *ring;
    const struct point *point;
};

enum { CROP_WIDTH = 320, CROP_HEIGHT = 240 }; /* at most */

/* Make the JPEG (appended). A process of its own decodes, so that a hostile image ends only that.
 * The caller must have started neither libvips nor a thread. False with the reason. */
bool crop_make(const struct crop *, struct text *jpeg, struct text *why);
