/* parts: the parts of a YOLO dataset: train, val, test and others in data.yaml. */
#pragma once

#include "labels/shared/parts.h"

struct value;

/* True if a member of data.yaml holds a path of the source, which is not a path of the output. */
bool yolo_key_is_place(const struct dataset *, const struct value *yaml, const struct value *);

/* A part as data.yaml states it. */
struct yolo_part {
    const char *name;
    const char *const *places; /* absolute paths of its folders, and of images that lists name */
    size_t n;
    const char *missing; /* the first folder or list that does not exist; NULL: all do */
};

/* Reads a whole file into the arena. Returns false with the reason. */
typedef bool yolo_read_fn(const char *path, struct arena *, struct slice *, struct text *why);

/* Finds the parts that a data.yaml states. Relative folders are resolved as in yolo_parts_find, and
 * folders of other machines by what they end with. Returns false with a fault: yolo-parts. */
bool yolo_places_find(const char *index, const struct value *yaml, yolo_read_fn *, struct arena *,
                      struct yolo_part **parts, size_t *n, struct faults *);

/* Sets the dataset's parts from data.yaml. If `yaml` states none, or is NULL, the parts are guessed
 * from names of folders. A key is a part if Ultralytics reads it as one, or if its value names
 * folders that exist. A relative folder is resolved as Ultralytics does: below `path`, else next to
 * data.yaml. Returns false with a fault: yolo-parts. */
bool yolo_parts_find(struct dataset *, const struct value *yaml, struct faults *);
