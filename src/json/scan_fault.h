/* scan_fault: explains why no value begins somewhere; for scan.c alone. */
#pragma once

#include "json/scan.h"

/* Reports that no value begins at s->at, and what may have been meant. Returns false. */
bool scan_fail_value(struct scan *);
