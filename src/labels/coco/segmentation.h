/* segmentation: converts outlines in COCO's JSON to an object and back:
 *
 *   [[x, y, ...], ...]                       polygons, joined
 *   {"size": [h, w], "counts": [n, ...]}     RLE
 *   {"size": [h, w], "counts": "..."}        compressed RLE
 *   [] or null                               none */
#pragma once

#include "base/text.h"
#include "sample/sample.h"

struct segmentation_fault {
    const char *code; /* coco-polygon, coco-rle */
    const char *what;
    struct slice at; /* inside of the text */
};

/* Sets the object's segmentation, rings and rle from text that was scanned before. RLE counts must
 * have the given frame, unless its width is 0. */
bool segmentation_read(struct slice text, struct frame, struct arena *, struct object *,
                       struct segmentation_fault *);

/* Returns how the text, scanned before, deviates from these forms: a set of enum deviation. `box`
 * is the text of the object's box, or empty. Numbers of RLE may be in quotes or have a decimal
 * point. Lists of numbers in quotes are handled elsewhere (numbers.h). */
unsigned segmentation_deviations(struct slice text, struct slice box);
/* Appends it with its deviations repaired; the text of unchanged numbers is preserved. */
void segmentation_repair(struct slice text, struct slice box, struct text *out);

/* Appends the object's current outline in the style of the source. Compressed RLE stays compressed,
 * other keys besides size and counts are kept, and polygons are nested. */
void segmentation_print(const struct object *, struct slice source, struct text *);
