/* label_folder: annotations that are a folder with a file of labels for each image, as YOLO and
 * Pascal VOC have them. */
#pragma once

#include "labels/format.h"

struct job;

/* What a check wants of a folder beside labels of images. Findings stand in the text: those about a
 * file of an image, or about the folder, in a stretch of a line's end alone that has its name. */
struct label_places {
    const struct slice *images; /* one for each record */
    struct slice folder;
    /* Files of labels that no image has: their texts, and names relative to the folder. */
    const struct slice *unused;
    const char *const *unused_name;
    size_t n_unused;
};

/* Find the images of the job's folder, the file of labels of each below `path`, and the file that
 * names the classes: `names`, or, where that is "", one that lies in the folder or above it. Their
 * texts become the dataset's, whose format is that of the files. Then the format's `read` has not
 * been called yet. What has no counterpart is counted on stderr, unless the job is to be quiet; the
 * places may be NULL.
 * False with faults. */
bool label_folder_open(struct job *, const char *path, const char *names, struct dataset *,
                       struct label_places *, struct faults *);

/* Is the path of annotations that of such labels: a folder, or a data.yaml, which lies in the
 * folder of its labels? Then `folder`, and the file that names the classes in place of `names`
 * where that is "". They live in the arena. */
bool label_folder_find(const char *path, struct arena *, const char **folder, const char **names);

/* Adds the fault of such labels, in a folder or a data.yaml, that come without the folder of their
 * images. That folder is missing (option-missing), unless there are no labels at all, which is
 * another fault. Returns true in the first case. */
bool label_folder_refuse(const char *path, struct faults *);
