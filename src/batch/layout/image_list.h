/* image_list: a file that names the images of a part, one per line. */
#pragma once

#include "batch/layout/layout.h"

/* The images in a folder and below it. */
struct folder_images {
    struct listed_image *at; /* sorted by stem */
    size_t n;
    bool *named; /* for each: the current list names it */
};

/* Lists the images. Returns false with the reason if the folder cannot be read. */
bool folder_images_read(const char *folder, struct arena *, struct folder_images *,
                        struct text *why);

/* Takes the images that a list names for those of the part, in the order of their names. A line is
 * a path or a stem. It names the image whose name, with or without its suffix, is the longest
 * possible end of the line. Text after a blank, as in "stem 1", does not count. Skips blank lines
 * and lines that begin with #. Sets `unmatched` if lines name no image. Sets `missing` if the file
 * cannot be read, or if no line names an image. Sets `n_lines`, unless it is NULL, to the number of
 * lines. Returns false if the list has no lines: then the part has no images. */
bool image_list_take(const struct folder_images *, const char *list, struct arena *,
                     struct layout_part *, size_t *n_lines);
