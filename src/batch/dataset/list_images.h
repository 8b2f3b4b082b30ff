/* list_images: the images of a folder, and which of its files the annotations do not name. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/dataset/skipped_files.h"

/* The images of the job's folders and of those below them (all that have an image's suffix, sorted
 * by name), or single image files, as a dataset without a format, which may have no images; sets
 * the job's `roots.of`. Other files are added to `passed`, which may be NULL. False with a message
 * in `why` about the folder `failed`: what cannot be listed might have had images. */
bool listing_read(struct job *, struct dataset *, struct passed *, const char **failed,
                  struct text *why);

/* Put the records in the order of their names, and number them. */
void listing_sort(struct dataset *);

/* Add to the job's `passed` the files below its folders that are no images of its dataset. What
 * cannot be listed is passed over: the annotations say what there should be. */
void listing_compare(const struct job *);
