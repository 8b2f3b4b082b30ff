/* unsupported_format: recognizes common annotation formats that lockstep does not read. */
#pragma once

#include "base/text.h"

enum { DETECT_BYTES = 1 << 16 }; /* number of bytes at the start of a file that are checked */

/* True if the start of a file shows a common format that lockstep does not read, or not as a single
 * file. `why` then gets the likely format, and the formats that lockstep reads. */
bool detect_unsupported(const char *path, struct slice text, struct text *why);
/* True if a label file with the suffix of a supported format contains another format. */
bool detect_unsupported_labels(struct slice text, struct text *why);
