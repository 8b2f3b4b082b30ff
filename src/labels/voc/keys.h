/* keys: elements of objects that Pascal VOC does not define. The pipeline says which ones are
 * dropped, and which ones move with the object (annotations.drop_keys, move_keys). */
#pragma once

#include "labels/voc/xml.h"

/* The elements that no pipeline drops or moves by name; ended by NULL. */
extern const char *const voc_own_keys[];

/* Returns the element with this name in a child of an object, or NULL. The name is its tag, or the
 * text of its own element `name`, as in CVAT. */
const struct voc_inner *voc_inner_named(const struct voc_extra *, const char *name);

/* Returns the text of such an element, or of its own element `value`. */
const char *voc_inner_value(const struct voc_extra *, const struct voc_inner *);

/* True if this child of an object is dropped as a whole. */
bool voc_is_dropped(const struct voc_extra *, const struct rules *);

/* Returns how this child of an object is moved, or NULL if it is not moved. */
const struct named_key *voc_moved_key(const struct voc_extra *, const struct rules *);

/* The numbers of a child that is moved, and their positions. */
struct voc_points {
    const struct voc_inner **at; /* x and y in turn; in the arena */
    double *number;
    size_t n;
};
/* False with faults: voc-points, or voc-bndbox. */
bool voc_read_points(struct faults *, const struct voc_extra *, struct arena *,
                     struct voc_points *);
bool voc_read_box(struct faults *, const struct voc_extra *, struct voc_box *);
