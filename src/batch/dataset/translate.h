/* translate: opens annotations that are read as COCO. */
#pragma once

#include "batch/io/root.h"
#include "labels/format.h"

/* The inputs of a translation besides the text; all zero: there are none. */
struct translate_inputs {
    const char *const *roots; /* folders of the images */
    size_t n_roots;
    enum links links;
    const struct class_list *classes; /* of --classes */
};

/* Replaces the text of the faults by COCO's text, which the arena owns, if the text is of a format
 * that is read as COCO. Sets the faults' files to the lines of the source. Notes what COCO cannot
 * represent. Returns the format, or NULL for other text, or if there are faults. */
const struct format *translate_text(const struct translate_inputs *, struct arena *,
                                    struct faults *);
/* Prints what a translation left out, for commands that do not print notes. */
void translate_tell(const struct faults *notes);
