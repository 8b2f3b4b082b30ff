/* status: what an output folder holds; nothing in it is changed. */
#pragma once

#include "base/fault.h"
#include "batch/results/shard_state.h"

/* EXIT_DONE, or with faults added EXIT_INPUT when there is no such folder, EXIT_OCCUPIED when it is
 * damaged or foreign: then what is known is in the status, too. */
int status_read(const char *path, struct status *, struct faults *);

struct outdir;

/* A JSON object in a line, or lines for people. `path` is the folder's. */
void status_print(const struct status *, const char *path, bool json, struct text *out);
