/* xml: a Pascal VOC file of one image.
 *
 * The results are positions in the text, so that a file can be written again with other numbers and
 * everything else unchanged. A document type is refused, and so are all entities. */
#pragma once

#include "labels/format.h"

/* A box's four numbers and their positions, as xmin, ymin, xmax, ymax. Counted from 1 they are
 * pixels, and the last ones are inclusive: xmin 1 and xmax 3 are the box from 0 to 3. Counted from
 * 0 they are coordinates: xmin 0 and xmax 3 are the same box. */
struct voc_box {
    struct slice at[4];
    double number[4];
    unsigned found, wrong; /* bits for the numbers that exist, and for those with a fault */
};

struct voc_part {
    struct slice whole;
    struct voc_box box;
};

/* An element within a child of an object. */
struct voc_inner {
    const char *name, *value; /* its text; "..." if it has elements */
    struct slice whole, text; /* with and without its tags */
    size_t depth;             /* 1: an element of the child itself */
};

/* A child of an object other than name, bndbox or part. */
struct voc_extra {
    const char *name, *value; /* as in struct voc_inner */
    struct slice whole;
    struct voc_inner *inside; /* in the order of their ends */
    size_t n_inside;
};

struct voc_object {
    struct slice whole;   /* with its tags */
    struct slice name_at; /* the name in the file */
    const char *name;     /* of its class; or NULL */
    struct voc_box box;
    struct voc_part *parts;
    size_t n_parts;
    struct voc_extra *extras;
    size_t n_extras;
};

struct voc_file {
    const char *database;                 /* the text of source/database; "" where there is none */
    struct slice filename, width, height; /* their texts; `at` is NULL where there is none */
    int frame[2];                         /* of the size; 0: unknown */
    bool complete; /* it was read to its end: only numbers of boxes may be wrong */
    struct voc_object *objects;
    size_t n_objects;
};

/* Returns the difference between a point's number and its coordinate: half a pixel if pixels count
 * from 1, as the center of pixel 1 is 0.5. */
static inline double voc_point_shift(int base)
{
    return base ? 0.5 : 0;
}

/* Reads a part of faults->text into the arena. False with faults: each voc-bndbox, or one of
 * voc-syntax, voc-doctype, voc-depth, voc-encoding, voc-root, voc-library. */
bool voc_read(struct faults *, struct slice text, struct arena *, struct voc_file *);
