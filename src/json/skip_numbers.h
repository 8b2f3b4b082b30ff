/* skip_numbers: lists of plain numbers, as polygons are, passed over many bytes at a time. */
#pragma once

#include "base/base.h"

/* At a comma behind a number of a list: past numbers as JSON has them, without exponents, set off
 * by a comma and at most one space. Where it ends up is again a comma behind a number, or the
 * list's closing bracket; `at` itself when there is nothing to pass. */
const char *plain_skip(const char *at, const char *end);
