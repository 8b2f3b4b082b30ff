/* print: the LabelMe file of an output. */
#pragma once

#include "labels/labelme/file.h"

/* An object of the output, and the file and the object in it that it was read from; `file` is NULL
 * if it is from another format. */
struct labelme_source {
    const struct labelme_file *file;
    size_t object;
};

/* Appends a file. Members of `source` (NULL: none) that no change affects are copied, and so are
 * those of shapes. `from` has the source of each of the sample's objects. */
void labelme_print(const struct labelme_file *source, const struct sample *,
                   const struct labelme_source *from, const struct output *, struct text *);
