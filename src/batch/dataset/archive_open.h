/* archive_open: opens tar and ZIP archives of images, which take the place of a folder.
 *
 * They are indexed once, before workers are forked, and stay open: workers read members at their
 * offsets. */
#pragma once

#include "base/fault.h"

/* Opens and indexes the archives of a path, which may be a range or an index (shard_index.h); "-"
 * reads one archive from stdin. They stay open as
 * long as the process lives (archive_set.h). Returns EXIT_DONE, or another code with faults, one
 * per refused member. */
int archive_open(const char *path, struct faults *);
