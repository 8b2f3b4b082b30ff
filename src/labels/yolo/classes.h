/* classes: the names of YOLO's classes, and of what its keypoints are, from data.yaml or a list. */
#pragma once

#include "labels/shared/class_list.h"

enum { YOLO_MOST_CLASSES = 100000, YOLO_MOST_KEYPOINTS = 1000 };

struct yolo_classes {
    struct category *at; /* class i; one without a name is none */
    struct slice *place; /* of each name */
    size_t n;
    size_t n_keypoints, dimensions; /* kpt_shape; 0: boxes or outlines */
    bool unnamed;                   /* a data.yaml counts the classes, and names none */
    bool pinned;                    /* the names are those of --classes, not of the yaml */
    const struct value *yaml;       /* the tree of a data.yaml; NULL: it was a list of names */
};

/* Read the dataset's index, a stretch of faults->text: YAML when its name ends so, else a line a
 * name. False with faults: yolo-names, yolo-keypoints, and yaml_read's. */
bool yolo_classes_read(struct faults *, const struct dataset *, struct yolo_classes *);
/* True if a file of this name is read as YAML. */
bool yolo_is_yaml(const char *name);
/* Take the classes of --classes. */
void yolo_classes_list(struct arena *, const struct class_list *, struct yolo_classes *);
/* For labels without names: n classes called by their numbers. */
void yolo_classes_number(struct arena *, size_t n, struct yolo_classes *);

/* Append data.yaml as it belongs beside what is written: the paths of OUT, and all else as it
 * stands in `own`, which may be NULL: then the names of the dataset's categories, and n keypoints
 * (0: none). */
void yolo_index_print(const struct dataset *, const struct yolo_classes *own, size_t n_keypoints,
                      struct text *out);
