/* class_folders: classes of whole images by the folders that they are in, as ImageFolder of
 * torchvision has them. */
#pragma once

#include "base/base.h"

struct dataset;
struct faults;
struct job;

/* Give each image of the dataset, which was listed from the job's folders, the class that is the
 * first folder of its path; the second one if all first ones are called as parts are. Classes are
 * the folders that there are, empty ones too, in the order of their names; or those of --classes.
 * False with faults: label-folder, class-unlisted. */
bool folder_labels_read(const struct job *, struct dataset *, struct faults *);
