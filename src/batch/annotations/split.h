/* split: divides the images of a COCO file into parts and writes each part as a COCO file. */
#pragma once

#include "labels/format.h"

enum { MAX_SPLIT_PARTS = 16 };

struct split_part {
    const char *name; /* name of its file, without ".json" */
    double ratio;     /* positive; the share of a part is its ratio divided by the sum of all */
    size_t n_images, n_annotations; /* numbers that the part received */
};

struct split {
    struct split_part part[MAX_SPLIT_PARTS];
    size_t n;
    const char *group_key; /* a member of the elements of images: equal values stay together; "" */
    const char *group_by;  /* POSIX extended regular expression over file names, or "": images with
                              the same match (of its first group, if it has one) stay together; names
                              without a match are grouped by the image that they were made from */
    bool stratify; /* exact shares, also of each category; otherwise by a hash of each name */
    int64_t seed;
    bool overwrite;
};

/* Divides the file at `path` into OUT/NAME.json. The part of an image depends only on its group,
 * the seed and the ratios, unless it is stratified. The group is the name; for an output of a run,
 * the name of its source (split_sources.h). Elements are copied byte for byte, in order. Writes all
 * files or none. Returns EXIT_DONE, or another exit code with faults. */
int split_annotations(struct split *, const char *path, const char *out, struct faults *);

/* A dataset whose records are divided, and the names of its records in an output. */
struct split_source_dataset {
    const struct dataset *dataset;
    const char *below;  /* the folder that precedes its names; "" */
    const char *folder; /* with manifest.jsonl, if it is the output of a run */
    size_t *part;       /* receives the index of the part of each record */
};

/* Divides the records of n datasets together, by the same rules. Returns EXIT_DONE, or another exit
 * code with faults. */
int split_records(struct split *, struct split_source_dataset *, size_t n, struct faults *);

/* --- for split*.c --- */

/* A group of images that stay together. */
struct split_unit {
    const char *key; /* the group: the image name or a part of it */
    uint64_t hash;   /* hash of the key and the seed */
    size_t n_images;
    uint32_t *labels; /* category index of each of its annotations */
    size_t n_labels;
    size_t part;
};

/* Assigns units to parts so that the sizes of parts are exact, except for units of several images.
 * Each category is shared out in the same proportions as far as possible. Source: Sechidis,
 * Tsoumakas and Vlahavas, On the Stratification of Multi-Label Data (2011). The result does not
 * depend on the order of the units. */
void split_stratify(const struct split *, struct split_unit *, size_t n_units, size_t n_labels);
