/* donor_images: reads the images that a record borrows from other records. */
#pragma once

#include "batch/image/work.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

/* Donor: a record that is borrowed. It is read as its own run would read it, with its own buffers.
 */
struct donor {
    struct scratch scratch;
    struct report report;
    struct work *work; /* NULL: the donor is idle */
};

/* Gives the sample of a record access to donors. The sample must not outlive the work. */
void donors_attach(struct work *, struct sample *);
/* Ends all borrowing: the donors' files and samples are released. */
void donors_release(struct work *);
/* Frees the donors' buffers, which are reused from record to record. */
void donors_drop(struct scratch *, const struct donor_calls *);
/* True if a donor failed. Then the work has failed with the donor's reason. */
bool donor_has_failed(struct work *);
/* True if the ops depend on the pixels of a donor, which are not read. */
bool donors_need_pixels(const struct work *);
