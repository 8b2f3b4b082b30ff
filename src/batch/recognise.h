/* recognise: what a file is that is given as annotations, and is none. */
#pragma once

#include "../base/text.h"

/* Does the file begin as something that many use, but that is not read, or not as a single file?
 * Then say what it seems to be, and what is read. */
bool recognise_other(const char *path, struct slice text, struct text *why);
