/* skip_value: skips values of a text that is known to be JSON, without looking at all their bytes.
 */
#pragma once

#include "base/base.h"

/* Moves from the first byte of a value to after its last one; NULL if it does not end before `end`.
 * The result for invalid JSON is unspecified, but never beyond `end`. */
const char *pass_value(const char *at, const char *end);
