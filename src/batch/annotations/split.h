/* split: a COCO file's images divided into parts, each written as a COCO file of its own. */
#pragma once

#include "base/fault.h"

enum { MOST_PARTS = 16 };

struct split_part {
    const char *name;               /* of its file, without ".json" */
    double ratio;                   /* above 0; its share is this by the sum of all */
    size_t n_images, n_annotations; /* that it got */
};

struct split {
    struct split_part part[MOST_PARTS];
    size_t n;
    const char *group_by; /* a POSIX extended regular expression over file names, or "": what it
                             matches (its first group, if it has one) keeps images together; where
                             it does not match, the image that they were made of does */
    bool stratify; /* exact shares, and of each category; else shares by a hash of each name */
    int64_t seed;
    bool overwrite;
};

/* Divide the file at `path` into OUT/NAME.json. Which part an image goes to depends on its group,
 * the seed and the ratios alone, unless it is stratified. Its group is its name; for an output of a
 * run, the name of its source (split_sources.h). Elements are written byte for
 * byte, in their order; all files or none. EXIT_DONE, or another code with faults. */
int split_annotations(struct split *, const char *path, const char *out, struct faults *);

/* --- for split*.c --- */

/* Images that stay together. */
struct split_unit {
    const char *key; /* the name, or what of it makes the group */
    uint64_t hash;   /* of the key and the seed */
    size_t n_images;
    uint32_t *labels; /* numbers of the categories of its annotations, one for each annotation */
    size_t n_labels;
    size_t part;
};

/* Assign units to parts so that sizes are exact (but for units of several images) and each category
 * is shared out in the same proportions, as far as that goes: Sechidis, Tsoumakas and Vlahavas, On
 * the Stratification of Multi-Label Data (2011). The order of the units does not matter. */
void split_stratify(const struct split *, struct split_unit *, size_t n_units, size_t n_labels);
