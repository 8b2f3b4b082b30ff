/* check_annotations: reads all annotations once before the run starts, so that all faults are
 * reported together. Checking all annotations of COCO takes a second. */
#pragma once

#include "batch/dataset/job.h"

/* Adds the faults of all annotations in the order of the records, up to about 1000. Forks up to as
 * many processes as the job has workers: the caller must have started neither libvips nor a thread.
 */
void check_all_annotations(const struct job *, struct faults *);
