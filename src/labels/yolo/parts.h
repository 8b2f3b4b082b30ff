/* parts: the parts of a YOLO dataset: what data.yaml says of train, val, test and others. */
#pragma once

#include "labels/shared/parts.h"

/* True if the key holds a place of the source, which is no place of the output. */
bool yolo_key_is_place(const struct dataset *, const char *key);

/* Set the dataset's parts to what data.yaml states. If it states none, or is NULL, names of folders
 * suggest them. A key is a part if Ultralytics reads it as one, or if its value names folders that
 * exist. A relative folder is looked for as Ultralytics does: below `path`, else beside the
 * data.yaml. Returns false with a fault: yolo-parts. */
bool yolo_parts_find(struct dataset *, const struct value *yaml, struct faults *);
