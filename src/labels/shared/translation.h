/* translation: annotations of a format that is read as COCO. The format passes images and objects,
 * and they become the text of a COCO file. */
#pragma once

#include "labels/shared/class_list.h"

/* Finds image files for a format that does not state their whole names, or their sizes. */
struct image_finder {
    /* Returns the file's name, which may have a suffix that `name` lacks, in the arena; NULL if
     * there is no such file. `frame` gets its size; NULL: it is not needed. */
    const char *(*find)(void *context, const char *name, struct arena *, struct frame *frame);
    void *context;
};

struct translation {
    struct faults *faults;             /* with the text of the source */
    struct arena *arena;               /* of the result */
    const struct class_list *classes;  /* of --classes, or NULL */
    const struct image_finder *finder; /* NULL: there are no images */
    struct omissions omissions;        /* what COCO cannot represent */

    /* The rest is private. */
    struct pile images, objects, labels, declared, places;
    struct text members;
    size_t offset, line; /* a place in the source, and its line */
};

/* Adds an image; a size of 0 x 0 is unknown. `offset` is its place in the source, which may not
 * decrease from call to call. Returns its index. */
size_t translation_add_image(struct translation *, const char *name, struct frame, size_t offset);
/* Keeps the text of an object, the line of an image, as its member TRANSLATED_LINE. */
#define TRANSLATED_LINE "lockstep_line"
void translation_keep_line(struct translation *, size_t image, struct slice line);
/* Returns the image of this index. */
const char *translation_image_name(const struct translation *, size_t image, struct frame *);
/* Adds the object of an image. `members` are members of its annotation, such as "\"bbox\": [...]".
 */
void translation_add_object(struct translation *, size_t image, const char *label, size_t offset,
                            const struct text *members);
/* Adds a class that the source lists, which is numbered before others. */
void translation_add_class(struct translation *, const char *name);
/* Makes the text, and frees what was added. The text and the places of its lines, for faults, live
 * in the arena. False with faults, if a label is not among the classes. */
bool translation_end(struct translation *, struct slice *text, struct fault_file **places,
                     size_t *n);

/* Append members: a box, with its area and without an outline; an outline, with its box. */
void translation_print_box(struct box, struct text *);
void translation_print_ring(const struct ring *, struct text *);
