/* skip_value: over values of a text that is known to be JSON, without looking at all that is in
 * them. */
#pragma once

#include "base/base.h"

/* At the first byte of a value: past its last one, or NULL when it does not end before `end`. What
 * is no JSON after all is passed over somehow, but never beyond `end`. */
const char *pass_value(const char *at, const char *end);
