/* segmentation: outlines as COCO's JSON has them, to an object and back:
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

/* Set the object's segmentation, rings and rle from text that was scanned before. RLE counts must
 * have the given frame, unless its width is 0. */
bool segmentation_read(struct slice text, struct frame, struct arena *, struct object *,
                       struct segmentation_fault *);

/* How the text, scanned before, deviates from that: a set of enum deviation. `box` is the text of
 * the object's box, or empty. Numbers of RLE may be in quotes or have a decimal point; lists of
 * numbers in quotes are no concern of these (numbers.h). */
unsigned segmentation_deviations(struct slice text, struct slice box);
/* Append it with what is repaired of its deviations; every number that stays is as it stands. */
void segmentation_repair(struct slice text, struct slice box, struct text *out);

/* The object's outline as it is now, in the style of the source's text: what was compressed stays
 * compressed, other keys beside size and counts are kept, polygons are nested. */
void segmentation_print(const struct object *, struct slice source, struct text *);
