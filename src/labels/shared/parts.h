/* parts: how a dataset is divided (train, val, ...), by the folders of its images. */
#pragma once

#include "labels/format.h"

struct part_folder {
    /* The absolute folder of the source, as in its index, and without symbolic links. NULL: it is
     * known only by its name below the images' folders. */
    const char *path, *resolved;
    /* The folder that has its images, below the folder of written images; "": that folder itself.
     * NULL: no folder of images is inside or around it. */
    const char *out;
    bool has_images; /* that are written */
};

struct dataset_part {
    const char *name;
    bool listed; /* its folders are a list, which may have one element */
    struct part_folder *folders;
    size_t n;
};

struct parts {
    struct dataset_part *at;
    size_t n;
    bool stated; /* by the source; else they are guessed from names of folders */
    bool whole;  /* `out` of each folder is relative to the folder of the output, not to images */
};

bool part_folder_has_record(const struct dataset *, const struct part_folder *, size_t record);
bool part_has_record(const struct dataset *, const struct dataset_part *, size_t record);
/* True if an output of this name, below the folder of written images, is in one of the folders that
 * have images. */
bool part_has_output(const struct dataset_part *, const char *output);
/* True if one of its folders has images. */
bool part_has_images(const struct dataset_part *);
