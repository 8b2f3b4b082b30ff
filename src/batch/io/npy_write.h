/* npy_write: tables of numbers as NumPy's files of version 1.0 (numpy.lib.format). */
#pragma once

#include "base/text.h"

/* Append the head of a file of rows x columns numbers, row by row, which follow it. `type` is
 * NumPy's name of theirs: "<f4", "<f8". */
void npy_head(struct text *, const char *type, size_t rows, size_t columns);
