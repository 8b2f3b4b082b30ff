/* name_fold: file names as the least exact file system compares them. */
#pragma once

#include "base/text.h"

/* Writes the folded form of a name to `out` (replaced). Names that any common file system treats as
 * equal have the same form. The form ignores case, composed or decomposed accents, compatible
 * forms, and invisible characters. A given file system may still distinguish names that have the
 * same form. Bytes that are not UTF-8 are copied unchanged. */
void name_fold(const char *name, struct text *out);
