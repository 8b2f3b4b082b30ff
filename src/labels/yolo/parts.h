/* parts: the parts of a YOLO dataset: train, val, test and others in data.yaml. */
#pragma once

#include "labels/shared/parts.h"

/* True if the key holds a path of the source, which is not a path of the output. */
bool yolo_key_is_place(const struct dataset *, const char *key);

/* Sets the dataset's parts from data.yaml. If `yaml` states none, or is NULL, the parts are guessed
 * from names of folders. A key is a part if Ultralytics reads it as one, or if its value names
 * folders that exist. A relative folder is resolved as Ultralytics does: below `path`, else next to
 * data.yaml. Returns false with a fault: yolo-parts. */
bool yolo_parts_find(struct dataset *, const struct value *yaml, struct faults *);
