/* samples: archives of WebDataset, whose members are samples: an image, what is said of it, and its
 * label mask, KEY.jpg, KEY.json and KEY.mask.png. */
#pragma once

#include "archive.h"

/* What is in them beside images; drop it with samples_drop. */
struct samples {
    const char *masks;   /* the path of an archive of label masks, for input.h; NULL: none */
    const char *archive; /* where the first labels are, for messages */
    struct text labels;  /* of all: a COCO file; empty: there are none */
};

/* Take those of the paths that are archives, opened, and have samples, apart: from then on their
 * members are images alone, by the names that pack_escape was given. Labels are put together in the
 * order of their members: lists by their elements, of which equal ones are taken once but for
 * images and annotations; of other sections the first stays. False with faults: labels that are no
 * COCO file of their image. */
bool samples_take(const char *const *paths, size_t n, bool labels, struct samples *,
                  struct faults *);
void samples_drop(struct samples *);
