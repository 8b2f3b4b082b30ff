/* anchor_file: a file of boxes becomes the anchors of steps/op_shared/anchors.h. */
#pragma once

#include "base/fault.h"

/* Reads a file, by what it holds: JSON, a list of [x, y, width, height]; NumPy's array of
 * float32 or float64, n x 4, little-endian, in C's order (numpy.lib.format 1.0 to 3.0); or CSV, a
 * box a row, perhaps below the row x,y,width,height. "-" is stdin. `bytes` becomes the faults'
 * text. False with faults: what cannot be read (anchors-unread, json-..., csv-syntax), or a row
 * that is no box with an area within 1e7, or there is none, or there are more than 1048576
 * (anchors-value). */
bool anchors_open(const char *path, struct text *bytes, struct faults *);
