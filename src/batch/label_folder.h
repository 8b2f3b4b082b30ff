/* label_folder: annotations that are a folder with a file of labels for each image, as YOLO and
 * Pascal VOC have them. */
#pragma once

#include "job.h"

/* Find the images of the job's folder, the file of labels of each below `path`, and the file that
 * names the classes: `names`, or, where that is "", one that lies in the folder or above it. Their
 * texts become the dataset's, whose format is that of the files. Then the format's `read` has not
 * been called yet. What has no counterpart is counted on stderr, unless the job is to be quiet.
 * False with faults. */
bool label_folder_open(struct job *, const char *path, const char *names, struct dataset *,
                       struct faults *);
