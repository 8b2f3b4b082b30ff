/* archive_open: opening tars and ZIP archives of images, in the place of a folder.
 *
 * They are indexed once, before workers are forked, and stay open: workers read members at their
 * offsets. */
#pragma once

#include "base/fault.h"

/* Open and index it, or with "-" the one that comes from stdin, once; it stays as long as the
 * process lives (archive_set.h). EXIT_DONE, or another code with faults: each member that is
 * refused is one. */
int archive_open(const char *path, struct faults *);
