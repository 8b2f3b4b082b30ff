/* name_alike: names of files that people take for the same. */
#pragma once

#include <stdbool.h>

/* True if the names differ only in the case of ASCII letters or in the Unicode form of letters with
 * marks. macOS writes a letter and its marks where Windows writes one character. Any such character
 * counts as composed of any letter. */
bool names_are_alike(const char *, const char *);
