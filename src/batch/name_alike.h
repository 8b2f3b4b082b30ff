/* name_alike: names of files that people take for the same. */
#pragma once

#include <stdbool.h>

/* True if the names differ only in the case of ASCII letters, or in the Unicode form of letters
 * with marks, as macOS and Windows write them: one character where the other name has a letter and
 * its marks. Which letter the character is composed of is not looked up. */
bool names_are_alike(const char *, const char *);
