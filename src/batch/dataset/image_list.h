/* image_list: a file that names the images of a part, one per line. */
#pragma once

#include "batch/dataset/job.h"

/* Keeps only the records that the file names, in their order. A line is a path or a stem. It names
 * the image whose name, with or without its suffix, is the longest possible end of the line. Text
 * after a blank, as in "stem 1", does not count. Skips blank lines and lines that begin with #.
 * Notes lines without an image on stderr unless the job is quiet. Returns false with the reason if
 * the file cannot be read. */
bool image_list_apply(const struct job *, const char *path, struct pile *records, struct text *why);
