/* scan_string: the scanner's strings; not for other modules. scan_unescape and scan_equals (scan.h)
 * decode them. */
#pragma once

#include "json/scan.h"

/* Moves from the opening quote to after the closing one. False at the first byte that is invalid in
 * a JSON string. */
bool scan_skip_string(struct scan *);
