/* dataset_choice: which images of a dataset a job processes, and where they and their masks are. */
#pragma once

#include "batch/dataset/shard_spec.h"
#include "batch/io/root.h"
#include "param/param.h"

struct choice_of_images;
struct passed;

/* The size that counts if annotations and file say different ones. */
enum trust { TRUST_BOTH, TRUST_FILE };
extern const struct choice trust_choices[];
/* How images of several frames or pages are read. */
enum on_frames { ON_FRAMES_FIRST, ON_FRAMES_FAIL };
extern const struct choice on_frames_choices[];

/* The folders of the images: each --images. Names of records are relative to theirs. */
struct roots {
    const char *const *at;
    size_t n;
    const uint8_t *of; /* of each record of the dataset; NULL: all are below the first */
};
enum { MOST_ROOTS = 255 };

struct dataset_choice {
    struct roots roots;
    const char *masks; /* folder; or NULL */
    enum links links;
    const char *strip_prefix; /* of names in the annotations; "" or NULL: nothing */
    int match;                /* enum match: which part of these names counts */
    struct passed *passed;    /* gets the files below `roots` that are no images of the dataset; or
                                 NULL */
    size_t n_records;         /* that are processed */
    /* Which ones, in the dataset's order; NULL: the first ones. See select_images.h. */
    const size_t *chosen;
    const struct choice_of_images *choice; /* what chose them; NULL: nothing did */
    /* In a job with shards, the shard whose records are given above, out of `n_planned` records
     * that `planned` numbers as `chosen` does. Names, ids, donors and the run's key are those of
     * all shards. */
    struct shard shard;
    const size_t *planned;
    size_t n_planned;
    int trust;         /* enum trust */
    int on_frames;     /* enum on_frames */
    size_t max_pixels; /* of one image */
};
