/* examine: all annotations taken apart once before work begins, so that all that is wrong with them
 * is reported, and at once: it takes a second for as many as COCO has. */
#pragma once

#include "job.h"

/* Adds what is wrong, in the order of the records, up to about a thousand faults. Done by as many
 * processes as the job has, forked here: the caller must have started neither libvips nor a thread.
 */
void examine_annotations(const struct job *, struct faults *);
