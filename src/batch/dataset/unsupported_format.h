/* unsupported_format: names the formats of annotations that many use and that are not read. */
#pragma once

#include "base/text.h"

enum { RECOGNISE_GLANCE = 1 << 16 }; /* bytes of a file's beginning that are looked at */

/* True if the file begins as something that many use, but that is not read, or not as a single
 * file. `why` then says what it seems to be, and what is read. */
bool recognise_other(const char *path, struct slice text, struct text *why);
/* The same for a file in a folder of labels, which has the suffix of a format that is read. */
bool recognise_other_labels(struct slice text, struct text *why);
