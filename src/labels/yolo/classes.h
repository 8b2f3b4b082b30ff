/* classes: the names of YOLO's classes, and the layout of its keypoints, from data.yaml or a list.
 */
#pragma once

#include "labels/shared/class_list.h"

enum { YOLO_MAX_CLASSES = 100000, YOLO_MAX_KEYPOINTS = 1000 };

struct yolo_classes {
    struct category *at; /* class i; a class without a name does not exist */
    struct slice *place; /* of each name */
    size_t n;
    size_t n_keypoints, dimensions; /* kpt_shape; 0: boxes or outlines */
    bool unnamed;                   /* a data.yaml gives the number of classes, but no names */
    bool pinned;                    /* the names are from --classes, not from the yaml */
    const struct value *yaml;       /* the tree of a data.yaml; NULL: it was a list of names */
};

/* Reads the dataset's index, a part of faults->text: YAML if its name ends so, else one name per
 * line. False with faults: yolo-names, yolo-keypoints, and those of yaml_read. */
bool yolo_classes_read(struct faults *, const struct dataset *, struct yolo_classes *);
/* True if a file of this name is read as YAML. */
bool yolo_is_yaml(const char *name);
/* Uses the classes of --classes. */
void yolo_classes_list(struct arena *, const struct class_list *, struct yolo_classes *);
/* For labels without names: makes n classes named by their numbers. */
void yolo_classes_number(struct arena *, size_t n, struct yolo_classes *);

/* Appends data.yaml for the output: the paths of OUT, and everything else copied from `own`. If
 * `own` is NULL, writes the names of the dataset's categories, and n keypoints (0: none). */
void yolo_index_print(const struct dataset *, const struct yolo_classes *own, size_t n_keypoints,
                      struct text *out);
