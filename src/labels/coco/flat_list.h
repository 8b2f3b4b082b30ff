/* flat_list: a segmentation that is one list of numbers. It may be a polygon without the list
 * around it, or the counts of uncompressed RLE without the object around them. The size of the
 * image, the box and the area of the annotation tell which. */
#pragma once

#include "base/text.h"
#include "sample/sample.h"

enum flat_list {
    FLAT_LIST_POLYGON, /* the box allows it, or there is no box; or it is left to the reader */
    FLAT_LIST_RLE,     /* the counts sum to height x width, and have the box and the area */
    FLAT_LIST_NEITHER, /* a polygon elsewhere than the box, and no RLE */
};

/* Classifies a list; the texts of box and area may be empty, and the width of the frame is 0 if the
 * size of the image is unknown. */
enum flat_list flat_list_judge(struct slice list, struct slice box, struct slice area,
                               struct frame);

/* Appends the counts as RLE of an image of this size. */
void flat_list_print_rle(struct slice list, struct frame, struct text *);
