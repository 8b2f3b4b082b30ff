/* one_hot: labels of images as a table of numbers, for training. */
#pragma once

#include "../base/text.h"

/* Prints the path of the file that names the columns of a table without names: NAME.classes.txt
 * for NAME.npy. In `out` (replaced); "" for other tables. */
void one_hot_classes_path(const char *path, struct text *out);
/* Write the labels of the finished result in the folder `out` to the file at `path`: a row for each
 * output, in the order of its manifest, a column for each category, in the order of ids; weights,
 * and 0 for what an output is not. NumPy's float32 where the path ends in .npy, else CSV. Its
 * first row has the names of the classes, and its first column the outputs. The file is there
 * whole, and kept by the disk, or not at all. False with the reason. */
bool one_hot_write(const char *out, const char *path, struct text *why);
