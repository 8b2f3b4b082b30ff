/* near_duplicates: finds images that look alike by hashes of their thumbnails, and images with
 * equal files. */
#pragma once

#include "batch/inspect/inspect.h"
#include "check/finding.h"

/* A decoded image. */
struct alike_image {
    uint32_t file, image; /* index of the annotation file, and of the image in its list */
    uint32_t first;       /* index of the similar image in the same list, or NOT_THERE */
    const struct inspected_file *seen;
};

struct alike_images {
    struct alike_image *at; /* sorted by file and image */
    size_t n;
};

/* Returns the decoded images of all annotation files. The caller frees them. */
struct alike_images alike_collect(const struct check *);

/* Where pairs are looked for. */
enum alike_scope { ALIKE_IN_A_FILE, ALIKE_BETWEEN_FILES };

/* Sets `first` of each image to the first image before it whose file has the same bytes. */
void alike_find_equal(struct alike_images *, enum alike_scope);
/* Sets `first` of each image to the first image before it that looks alike, and whose file is not
 * equal. Images look alike if their 64-bit dHashes differ in at most ALIKE_BITS bits, and the luma
 * of each thumbnail cell by at most ALIKE_LUMA. Their aspect ratios must be about equal, too.
 * Images without contrast match none. The search covers the ALIKE_MAX images before each image that
 * share a quarter of its hash. */
void alike_find_near(struct alike_images *, enum alike_scope);
enum { ALIKE_BITS = 3, ALIKE_LUMA = 12, ALIKE_MAX = 4096 };
