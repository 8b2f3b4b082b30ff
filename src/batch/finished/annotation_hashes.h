/* annotation_hashes: the annotations of an output folder, as hashes of their elements, grouped by
 * image. */
#pragma once

#include "base/arena.h"
#include "base/fault.h"

/* All zero: no annotations. */
struct written_labels {
    struct written_element *images, *objects; /* sorted by image and hash */
    size_t n_images, n_objects;
    bool dense; /* ids of objects are left out of the hashes */
};

/* Adds the elements of `text`, an annotation file that a run wrote: an object with lists, or one
 * list of objects. Results and the list of their images are two files, which are read one after the
 * other. Returns false with faults if the text is no such file. */
bool written_labels_read(struct written_labels *, struct slice text, bool dense, struct arena *,
                         struct faults *);

/* Hashes of the elements of one image, collected for comparison. */
struct element_hashes {
    uint64_t *at;
    size_t n, room;
};
void element_hashes_add(struct element_hashes *, struct slice element, bool dense);
void element_hashes_drop(struct element_hashes *);

/* True if the file has exactly these elements for the image: its image element, or its objects.
 * Sorts the hashes. */
bool written_labels_has_image(const struct written_labels *, int64_t image,
                              struct element_hashes *);
bool written_labels_has_objects(const struct written_labels *, int64_t image,
                                struct element_hashes *);
