/* scan_fault: what is wrong where no value begins; for scan.c alone. */
#pragma once

#include "json/scan.h"

/* No value begins at s->at: the fault says what may have been meant. Returns false. */
bool scan_fail_value(struct scan *);
