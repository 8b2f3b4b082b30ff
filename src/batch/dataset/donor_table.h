/* donor_table: which images of a dataset the steps of a plan may borrow. */
#pragma once

#include "batch/dataset/donor_pool.h"
#include "batch/dataset/job.h"

/* Images of one size that one step may borrow; of any size, as 0 x 0, where it does not matter. */
struct donor_group {
    const struct donors *donors; /* the step's parameter */
    struct frame frame;
    struct donor_pool pool;
};

/* All zero: nothing is borrowed. Const after it is made, and shared by all processes. */
struct donor_table {
    struct donor_key *key;   /* of each record */
    struct donor_pool names; /* of all records */
    struct donor_group *groups;
    size_t n_groups;
    uint64_t hash; /* of which images may be borrowed by which step */
};

/* Of a job whose plan and dataset were read, in the arena. False with faults: of the plan, images
 * that are not there (donor-missing); of the dataset, steps that can borrow none (donor-none) and
 * objects that cannot be read. */
bool donor_table_make(const struct job *, struct arena *, struct donor_table *, struct faults *plan,
                      struct faults *dataset);
/* The record of a name. False when there is none. */
bool donor_table_find(const struct donor_table *, const struct dataset *, const char *name,
                      size_t *record);
/* The record that 64 random bits choose for one that borrows. False with a reason. */
bool donor_table_draw(const struct donor_table *, const struct dataset *, const struct donors *,
                      size_t record, uint64_t draw, size_t *donor, struct text *why);
