/* annotation_hashes: the annotations that stand in an output folder, as hashes of their elements,
 * by the image that they are of. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"

/* All zero: nothing was written. */
struct written_labels {
    struct written_element *images, *objects; /* sorted by image and hash */
    size_t n_images, n_objects;
    bool dense; /* ids of objects do not count */
};

/* Reads `text`, an annotation file that a run wrote: an object with lists, or one list of objects.
 * Of two files, as results and the list of their images, each adds what it has.
 * False with faults when it is none. */
bool written_labels_read(struct written_labels *, struct slice text, bool dense, struct arena *,
                         struct faults *);

/* Elements of one image, collected to be compared. */
struct element_hashes {
    uint64_t *at;
    size_t n, room;
};
void element_hashes_add(struct element_hashes *, struct slice element, bool dense);
void element_hashes_drop(struct element_hashes *);

/* Are the image's element and its objects exactly these? What is collected is sorted. */
bool written_labels_has_image(const struct written_labels *, int64_t image,
                              struct element_hashes *);
bool written_labels_has_objects(const struct written_labels *, int64_t image,
                                struct element_hashes *);
