/* one_hot: labels of images as a table of numbers, for training. */
#pragma once

#include "labels/format.h"

/* Prints the path of the file with the column names of a table that has no header: NAME.classes.txt
 * for NAME.npy. Replaces `out`; "" for other tables. */
void one_hot_classes_path(const char *path, struct text *out);
/* Writes the labels of the finished result in the folder `out` to the file at `path`
 * (output_file.h). Each output is a row, in the order of the manifest; each category is a column,
 * in the order of ids. Values are weights, and 0 where an output does not have the label. The table
 * is a NumPy float32 array if the path ends in .npy, and CSV otherwise. The first row of a CSV file
 * has the names of the classes, and its first column the outputs. Returns the exit code, with a
 * reason. */
int one_hot_write(const char *out, const char *path, bool overwrite, struct text *why);
/* True if the path is free, or has a table with the same classes from an earlier run of the same
 * job. The headers are compared. */
bool one_hot_may_replace(const char *path, const struct dataset *);
