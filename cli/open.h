/* open: what run and preview have in common: a pipeline, a dataset, folders. */
#pragma once

#include "../src/batch/job.h"
#include "command.h"

/* Read the pipeline at `path` into the plan. EXIT_DONE, or another code after printing why. */
int open_plan(const char *path, struct plan *);

/* Read the annotations, or list the images when there are none, into the job's dataset. `dataset`
 * and `arena` live as long as the job. EXIT_DONE, or another code after printing why. */
int open_dataset(const char *annotations, struct job *, struct dataset *, struct arena *);

enum { MOST_PIXELS = 268402689 }; /* 16383 squared: more is refused from the header */
