/* job_sandbox: sandboxes of processes that read the images of a job. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/process/sandbox.h"

/* Opens the sandbox of the job's processes: they may read its folders of images and masks, and the
 * targets of symbolic links in them. The job's images must be known. */
void job_sandbox_open(struct sandbox *, const struct job *);

/* Calls `found` for each image or mask of a struct job that is read through a symbolic link and
 * is outside the job's folders. */
void job_find_links(const void *job, sandbox_link *found, void *to);

/* Makes a job that reads images, and masks if there are any, and writes nothing, and opens its
 * sandbox. The job keeps the addresses. */
void job_for_reading(struct job *, const struct dataset *, struct roots images, struct roots masks,
                     struct sandbox *sandbox);
