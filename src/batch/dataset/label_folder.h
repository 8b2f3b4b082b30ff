/* label_folder: annotations in a folder with one label file per image, as in YOLO and Pascal VOC.
 */
#pragma once

#include "labels/format.h"

struct job;

/* Texts of a label folder for `check`. Findings point into the joined text. A finding about an
 * image's file, or about the folder, points to a piece that contains only a line end and has that
 * name. */
struct label_places {
    const struct slice *images; /* text of each record's file */
    struct slice folder;
    /* Label files without an image: their texts, and their names relative to the folder. */
    const struct slice *unused;
    const char *const *unused_name;
    size_t n_unused;
};

/* Lists the images of the job's folder, and finds the label file of each below `path` and the file
 * of class names. The class file is `names`; if that is "", it is searched in the folder and above
 * it. The joined texts become the dataset's text, and their format its format, whose `read` is not
 * called yet. Files without a counterpart are counted on stderr, unless the job is quiet. `places`
 * may be NULL. Returns false with faults. */
bool label_folder_open(struct job *, const char *path, const char *names, struct dataset *,
                       struct label_places *, struct faults *);

/* True if annotations at this path are label files: `path` is a folder, or a data.yaml in the
 * folder of its labels. `folder` gets the folder. `names` gets the file of class names if it was
 * "". Both texts live in the arena. */
bool label_folder_find(const char *path, struct arena *, const char **folder, const char **names);

/* Adds the fault of label files, given as a folder or a data.yaml, without the image folder. If
 * there are labels, the fault is option-missing, and the result is true. If there are no labels at
 * all, the fault is a different one, and the result is false. */
bool label_folder_refuse(const char *path, struct faults *);
