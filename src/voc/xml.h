/* xml: a Pascal VOC file of one image, by expat; the only use of it.
 *
 * What is found stays where it stands in the text, so that a file can be written again with other
 * numbers and everything else as it was. A document type is refused, and with it all entities. */
#pragma once

#include "../format.h"

/* A box's four numbers where they stand, as xmin, ymin, xmax, ymax: 1-based pixels, the last ones
 * inside. */
struct voc_box {
    struct slice at[4];
    double number[4];
    unsigned found, wrong; /* bits: of those that are there, and of those with a fault */
};

struct voc_part {
    struct slice whole;
    struct voc_box box;
};

/* A child of an object that has text alone, but for its name. */
struct voc_extra {
    const char *name, *value;
};

struct voc_object {
    struct slice whole;   /* with its tags */
    struct slice name_at; /* the name as the file has it */
    const char *name;     /* of its class; or NULL */
    struct voc_box box;
    struct voc_part *parts;
    size_t n_parts;
    struct voc_extra *extras;
    size_t n_extras;
};

struct voc_file {
    struct slice filename, width, height; /* their texts; `at` is NULL where there is none */
    int frame[2];                         /* of the size; 0: it does not say */
    bool complete; /* it was read to its end: nothing but numbers of boxes may be wrong */
    struct voc_object *objects;
    size_t n_objects;
};

/* Read a stretch of faults->text into the arena. False with faults: each voc-bndbox, or one of
 * voc-syntax, voc-doctype, voc-depth, voc-encoding, voc-root, voc-library. */
bool voc_read(struct faults *, struct slice text, struct arena *, struct voc_file *);
