/* donor_table: the images of a dataset that each step of a plan may borrow. */
#pragma once

#include "batch/dataset/donor_pool.h"
#include "batch/dataset/job.h"

/* Images of one part of the dataset and one size that a step may borrow. If the size does not
 * matter, `frame` is 0 x 0. */
struct donor_group {
    const struct donors *donors; /* the step's parameter */
    size_t part;                 /* index in the combination; 0 without one */
    struct frame frame;
    struct donor_pool pool;
};

/* All zero: nothing is borrowed. Constant after donor_table_make, and shared by all processes. */
struct donor_table {
    struct donor_key *key;   /* key of each record */
    struct donor_pool names; /* pool of all records, to find names */
    struct donor_group *groups;
    size_t n_groups;
    uint64_t hash; /* hash of the images that each step may borrow */
};

/* Makes the table, in the arena, for a job with a plan and a dataset. Returns false with faults.
 * Faults of the plan are images that do not exist (donor-missing). Faults of the dataset are steps
 * without any candidate (donor-none), and objects that cannot be read. */
bool donor_table_make(const struct job *, struct arena *, struct donor_table *, struct faults *plan,
                      struct faults *dataset);
/* Finds the record of a name. Returns false if there is none. */
bool donor_table_find(const struct donor_table *, const struct dataset *, const char *name,
                      size_t *record);
/* Chooses a donor for a record by 64 random bits. Returns false with a reason. */
bool donor_table_draw(const struct donor_table *, const struct dataset *, const struct donors *,
                      size_t record, uint64_t draw, size_t *donor, struct text *why);
