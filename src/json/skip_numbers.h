/* skip_numbers: skips lists of plain numbers, such as polygons, many bytes at a time. */
#pragma once

#include "base/base.h"

/* Skips JSON numbers without exponents, separated by a comma and at most one space. `at` is a comma
 * after a number of the list. Returns a later comma after a number, or the list's closing bracket;
 * `at` itself if there is nothing to skip. */
const char *plain_skip(const char *at, const char *end);
