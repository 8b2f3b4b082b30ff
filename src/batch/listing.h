/* listing: the images of a folder, and which of its files the annotations do not name. */
#pragma once

#include "job.h"
#include "passed.h"

/* The images of a folder and of those below it (all that have an image's suffix, sorted by name),
 * or one image file, as a dataset without a format, which may have no images. Other files are added
 * to `passed`, which may be NULL. False with a message in `why`: what cannot be listed might have
 * had images. */
bool listing_read(const char *path, enum links, struct dataset *, struct passed *,
                  struct text *why);

/* Put the records in the order of their names, and number them. */
void listing_sort(struct dataset *);

/* Add to `passed` the files below the folder that are no image of the dataset. What cannot be
 * listed is passed over: the annotations say what there should be. */
void listing_compare(const char *path, enum links, const struct dataset *, struct passed *);
