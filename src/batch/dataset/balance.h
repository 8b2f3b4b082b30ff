/* balance: how many copies of each image make the classes of a part of a dataset less unequal. */
#pragma once

#include "batch/dataset/job.h"

enum { BALANCE_MAX = -1 };

struct balance_rule {
    /* Repeat-factor sampling (Gupta et al., LVIS, 2019, section 4.2): classes in less than this
     * share of the images are repeated; 0: not used. */
    double threshold;
    /* Copies are added until each class has this number of objects; BALANCE_MAX: as many as the
     * most frequent class; 0: not used. */
    int64_t objects;
    unsigned max_copies; /* of one image */
};

/* Objects of a class in a part, in the source and in all copies. */
struct balanced_class {
    const struct category *category;
    const char *part; /* "" for a dataset without parts */
    uint64_t before, after;
};

struct balance {
    const uint32_t *copies; /* of each record of the dataset */
    const struct balanced_class *classes;
    size_t n_classes, n_images, n_copies; /* in the parts that are transformed */
    bool capped;                          /* an image would need more than max_copies */
};

/* Counts the objects of all images of the job's dataset that are transformed, whichever the job
 * selects, and decides the number of copies of each. Crowds do not count; labels of images do. The
 * result lives in the dataset's arena. Returns false with faults of objects that cannot be read. */
bool balance_make(const struct job *, const struct balance_rule *, struct balance *,
                  struct faults *);
