/* scan_string: the scanner's strings; not for other modules. What they mean is given by
 * scan_unescape and scan_is (scan.h). */
#pragma once

#include "json/scan.h"

/* At the opening quote: past the closing one. False at the first byte that no string of JSON has.
 */
bool scan_skip_string(struct scan *);
