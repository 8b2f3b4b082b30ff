/* anchor_file: reads a file of boxes as the anchors of steps/op_shared/anchors.h. */
#pragma once

#include "base/fault.h"

/* Reads a file of anchors; "-" is stdin. The format follows from the content:
 * - JSON: a list of [x, y, width, height];
 * - NumPy: an array of float32 or float64, n x 4, little-endian, in C order (numpy.lib.format 1.0
 * to 3.0);
 * - CSV: one box per row, after an optional row x,y,width,height.
 * `bytes` becomes the faults' text. Returns false with faults. A file that cannot be read gives
 * anchors-unread, json-... or csv-syntax. Wrong boxes give anchors-value: a box without an area or
 * with a number beyond 1e7, no box at all, or more than 1048576. */
bool anchors_open(const char *path, struct text *bytes, struct faults *);
