/* status: describes an output folder, without changing it. */
#pragma once

#include "base/fault.h"
#include "batch/results/shard_state.h"

/* Returns EXIT_DONE; or, with faults added, EXIT_INPUT if there is no such folder, or EXIT_OCCUPIED
 * if it is damaged or foreign. In the last case the status has what is known, too. */
int status_read(const char *path, struct status *, struct faults *);

struct out_dir;

/* Prints one line of JSON, or text for people. `path` is the path of the folder. */
void status_print(const struct status *, const char *path, bool json, struct text *out);
