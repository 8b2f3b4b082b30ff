/* name_fold: names as the least exact file system sees them. */
#pragma once

#include "base/text.h"

/* The name in a form, in `out` (replaced), that is the same for all names that any file system in
 * use takes for one: without regard to case, to how accents are put together, to compatible forms
 * and to characters that nobody sees. Names of the same form need not be one to a given file
 * system. Bytes that are no UTF-8 stand for themselves. */
void name_fold(const char *name, struct text *out);
