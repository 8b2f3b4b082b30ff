/* parts: keeps outputs in the same part of a dataset (train, val, ...) as their sources. */
#pragma once

#include "batch/dataset/job.h"

/* Finds the parts that the index file states and that have images of the job. Returns false with a
 * fault if an output would be in other parts than its source, or if the index cannot state the
 * parts. `note` gets a message about parts that the index lacks. Does nothing if the dataset's
 * writer has no index. */
bool parts_find(const struct job *, struct dataset *, struct text *note, struct faults *);
