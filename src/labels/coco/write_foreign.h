/* write_foreign: writes COCO's JSON for a dataset that was read from another format. */
#pragma once

#include "labels/format.h"

/* The writing format; it reads nothing. Ids of images are the records'. An object's id is its
 * image's times COCO_PLAIN_IDS plus its 1-based index. A category's id is its 1-based index. */
enum { COCO_PLAIN_IDS = 100000 };
extern const struct format coco_plain_format;
