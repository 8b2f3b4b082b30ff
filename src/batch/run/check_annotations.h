/* check_annotations: reads all annotations once before work begins, so that all faults are reported
 * at once. It takes a second for the annotations of COCO. */
#pragma once

#include "batch/dataset/job.h"

/* Adds what is wrong, in the order of the records, up to about a thousand faults. Done by as many
 * processes as the job has, forked here: the caller must have started neither libvips nor a thread.
 */
void examine_annotations(const struct job *, struct faults *);
