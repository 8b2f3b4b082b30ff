/* list_images: lists the images of a folder, and its files that the annotations do not name. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/dataset/skipped_files.h"

/* Makes a dataset without a format from the images of the job's folders and their subfolders,
 * sorted by name, or from single image files. An image is a file with the suffix of one. The
 * dataset may be empty. With a list of images, only these are taken. Sets the job's `roots.of`.
 * Adds other files to `passed`, which may be NULL. Returns false with a message in `why` if a
 * folder, `failed`, cannot be listed, since it may contain images. */
bool listing_read(struct job *, struct dataset *, struct skipped_files *, const char **failed,
                  struct text *why);

/* Sorts the records by name, and numbers them. */
void listing_sort(struct dataset *);

/* Adds the files below the job's folders that are not images of its dataset to the job's `passed`.
 * Skips folders that cannot be listed, since the annotations list the images. Does
 * nothing if the job has a list of images. */
void listing_compare(const struct job *);
