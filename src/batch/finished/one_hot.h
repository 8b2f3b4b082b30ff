/* one_hot: labels of images as a table of numbers, for training. */
#pragma once

#include "labels/format.h"

/* Prints the path of the file that names the columns of a table without names: NAME.classes.txt
 * for NAME.npy. In `out` (replaced); "" for other tables. */
void one_hot_classes_path(const char *path, struct text *out);
/* Writes the labels of the finished result in the folder `out` to the file at `path`
 * (output_file.h). A row is an output, in the order of the manifest; a column is a category, in the
 * order of ids. Numbers are weights, and 0 for what an output is not. The table is NumPy's float32
 * if the path ends in .npy, and CSV otherwise. The first row of CSV has the names of the classes,
 * and the first column has the outputs. Returns the exit code, and the reason. */
int one_hot_write(const char *out, const char *path, bool overwrite, struct text *why);
/* True if nothing is there, or a table with the same classes, as a former run of the same job wrote
 * it: it begins in the same way. */
bool one_hot_may_replace(const char *path, const struct dataset *);
