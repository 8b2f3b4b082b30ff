/* donor_images: images that a record in work borrows from other records. */
#pragma once

#include "batch/image/work.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

/* A record that is borrowed: read as its own run would read it, with buffers of its own. */
struct lender {
    struct scratch scratch;
    struct report report;
    struct work *work; /* NULL: nothing is borrowed */
};

/* Let the sample of a record borrow, which lives no longer than the work. */
void lend_start(struct work *, struct sample *);
/* Ends what was borrowed: its files and samples are gone. */
void lend_end(struct work *);
/* Frees what is kept from record to record. */
void lend_drop(struct scratch *, const struct donor_calls *);
/* Of what is borrowed: has one failed? Then the work has, for its reason. Are pixels needed to know
 * what is drawn? */
bool lend_failed(struct work *);
bool lend_unknown(const struct work *);
