/* dataset_choice: the images that a job processes, and the folders of images and masks. */
#pragma once

#include "batch/dataset/shard_spec.h"
#include "batch/io/root.h"
#include "param/param.h"

struct image_selection;
struct skipped_files;

/* Which size to trust if the annotations and the file differ. */
enum trust { TRUST_BOTH, TRUST_FILE };
extern const struct choice trust_choices[];
/* Handling of images with several frames or pages. */
enum on_frames { ON_FRAMES_FIRST, ON_FRAMES_FAIL };
extern const struct choice on_frames_choices[];

/* Folders of the images, one per --images. Names of records are relative to their folder. */
struct roots {
    const char *const *at;
    size_t n;
    const uint8_t *of; /* root index of each record; NULL: all are below the first */
};
enum { MAX_ROOTS = 255 };

struct dataset_choice {
    struct roots roots;
    /* Only these files, and those in these folders, are images of the first folder. NULL: all are.
     * While parts of a dataset are read. */
    const char *const *places;
    size_t n_places;
    bool class_roots;         /* the folders in the roots are classes, whatever their names */
    const char *label_format; /* the format of files of labels; NULL: they show it */
    struct roots masks;       /* folders of label masks; none: the images have no masks */
    size_t lost_masks;        /* number of masks that are not read: --to has no place for them */
    enum links links;
    const char *strip_prefix; /* prefix to remove from names in the annotations; "" or NULL: none */
    int match;                /* enum match: the part of these names that counts */
    /* Files and folders that a whole dataset is read from, besides its folders of images. */
    struct names sources;
    struct skipped_files *passed; /* gets files that are not images of the dataset; or NULL */
    size_t n_records;             /* number of records to process */
    /* Their indices, in the dataset's order; NULL: the first n_records. See select_images.h. */
    const size_t *chosen;
    const struct image_selection *choice; /* the rule that selected them; NULL: none */
    /* For a job with shards: the shard whose records are given above. The whole job has `n_planned`
     * records, which `planned` lists as `chosen` does. Names, ids, donors and the run's key are the
     * same in all shards. */
    struct shard shard;
    const size_t *planned;
    size_t n_planned;
    int trust;         /* enum trust */
    int on_frames;     /* enum on_frames */
    size_t max_pixels; /* of one image */
};
