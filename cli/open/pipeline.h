/* pipeline: reads a pipeline from a file, or a built-in one. */
#pragma once

#include "plan/plan.h"

/* Reads the pipeline at `path`, or the built-in pipeline with this name. Returns EXIT_DONE, or
 * another exit code after printing why. */
int open_plan(const char *path, struct plan *);
/* Makes the pipeline without steps. */
void open_empty_plan(struct plan *);
