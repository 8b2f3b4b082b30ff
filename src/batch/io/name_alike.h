/* name_alike: file names that look the same to people. */
#pragma once

#include <stdbool.h>

/* True if the names differ only in the case of ASCII letters or in the Unicode form of accented
 * letters. macOS writes a letter and its marks where Windows writes one character. Any composed
 * character equals any letter with marks. */
bool names_are_alike(const char *, const char *);
