/* npy_write: tables of numbers in NumPy's file format, version 1.0 (numpy.lib.format). */
#pragma once

#include "base/text.h"

/* Appends the header of a file of rows x columns numbers. The caller appends the numbers, row by
 * row. `type` is NumPy's name of the number type: "<f4", "<f8". */
void npy_head(struct text *, const char *type, size_t rows, size_t columns);
