/* folder_labels: classes of whole images by the folders that they are in. */
#pragma once

#include "../format.h"

/* The images are listed: the first folder of each one's name is its class, numbered from 0 in the
 * order of bytes, as torchvision's ImageFolder does it. Nothing is written for them: outputs keep
 * their folders. False with faults (label-folder) where an image is in none. */
bool folder_labels_read(struct dataset *, struct faults *);
