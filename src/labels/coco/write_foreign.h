/* write_foreign: COCO's JSON of a dataset that was read from another format. */
#pragma once

#include "labels/format.h"

/* What writes it; it reads nothing. Ids of images are the records', an object's is its image's
 * times COCO_PLAIN_IDS plus its place from 1, a category's its place from 1. */
enum { COCO_PLAIN_IDS = 100000 };
extern const struct format coco_plain_format;
