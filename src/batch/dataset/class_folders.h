/* class_folders: classes of whole images by the folders that contain them, as in torchvision's
 * ImageFolder. */
#pragma once

#include "base/base.h"

struct dataset;
struct faults;
struct format;
struct job;
struct rules;

/* Its files are images only. */
extern const struct format class_folders_format;

/* Gives each image of the dataset, which was listed from the job's folders, a class. The class is
 * the first folder of its path. If all first folders have names of dataset parts (train, val), the
 * class is the second folder. Roots of a layout have no parts (class_roots). The classes are those
 * of --classes, or all folders, also empty ones, sorted by name. Returns false with faults:
 * label-folder, class-unlisted. Their paths are names of images; if the dataset is lenient, only
 * these images have no class then. */
bool folder_labels_read(const struct job *, struct dataset *, struct faults *);

/* Puts the class of each image of a combined dataset before its name: "train/a.jpg" becomes
 * "train/cat/a.jpg". Returns false with faults (label-folder) if an image has no class or several,
 * or if its class cannot be the name of a folder. */
bool folder_names_set(struct dataset *, const struct rules *, struct faults *);
