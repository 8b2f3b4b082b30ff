/* parts: the parts of a dataset (train, val, ...) that the outputs of a job keep. */
#pragma once

#include "batch/dataset/job.h"

/* Find the parts that the index beside the outputs states, and which have images of the job.
 * Returns false with a fault if an output would be in other parts than its source, or if the index
 * cannot state them. `note` gets the parts that it lacks, for a message. Nothing is done for a
 * dataset whose writer has no index. */
bool parts_find(const struct job *, struct dataset *, struct text *note, struct faults *);
