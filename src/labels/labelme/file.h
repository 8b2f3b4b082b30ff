/* file: a LabelMe file of one image, read as shapes and as the objects that they form. */
#pragma once

#include "labels/format.h"

enum labelme_kind {
    LABELME_POLYGON, /* and rotated rectangles */
    LABELME_RECTANGLE,
    LABELME_CIRCLE,
    LABELME_OTHER /* a shape without area, such as a point or a line, or one of an unknown type */
};

struct labelme_shape {
    const struct value *value;
    struct slice whole; /* its text */
    struct slice group; /* the text of its group_id; `at` is NULL if it has none */
    const char *label, *type;
    enum labelme_kind kind;
    struct point *points;
    size_t n;
    size_t next;    /* index of the next shape of its object, or SIZE_MAX */
    bool continues; /* it is not the first shape of its object */
};

struct labelme_file {
    struct slice text;
    const struct value *root;
    struct labelme_shape *shapes;
    size_t n_shapes;
    size_t *first; /* of each object: the index of its first shape */
    size_t n_objects;
    const char *image; /* the last part of imagePath; "" if there is none */
    int width, height; /* 0: unknown */
};

/* True if the start of a text has a member that only LabelMe files have. */
bool labelme_is_file(struct slice head);

/* Reads a part of faults->text into the arena. Polygons and circles with one label and one group_id
 * form one object; each other shape with an area is an object. Returns false with faults
 * (labelme-root, labelme-label, labelme-points, json-...). */
bool labelme_read(struct faults *, struct slice text, struct arena *, struct labelme_file *);
/* Returns the part of the file's text that a value has. */
struct slice labelme_text_of(const struct labelme_file *, const struct value *);
