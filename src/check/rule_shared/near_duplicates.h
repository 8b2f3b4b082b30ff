/* near_duplicates: images that look alike, by a hash of their thumbnails, and images whose files
 * are equal.
 */
#pragma once

#include "batch/inspect/inspect.h"
#include "check/finding.h"

/* An image that was decoded. */
struct alike_image {
    uint32_t file, image; /* of the annotation file, and in its list */
    uint32_t first;       /* in the same list of these: the one it is like, or NOT_THERE */
    const struct inspected *seen;
};

struct alike_images {
    struct alike_image *at; /* by file and image */
    size_t n;
};

/* The decoded images of all annotation files. To be freed. */
struct alike_images alike_collect(const struct check *);

/* Which pairs are asked for. */
enum alike_scope { ALIKE_IN_A_FILE, ALIKE_BETWEEN_FILES };

/* Set `first` of each image to the first one before it whose file has the same bytes. */
void alike_find_equal(struct alike_images *, enum alike_scope);
/* The same of images that look alike: 64-bit dHashes that differ in at most ALIKE_BITS bits, cells
 * of the thumbnail whose luma differs by at most ALIKE_LUMA, about the same aspect ratio; and their
 * files are not equal. Images without contrast are like none. Of each image, the first is found
 * among the ALIKE_MOST before it that share a quarter of its hash. */
void alike_find_near(struct alike_images *, enum alike_scope);
enum { ALIKE_BITS = 3, ALIKE_LUMA = 12, ALIKE_MOST = 4096 };
