/* run_key: the inputs and options that the whole result of a run depends on. Another run compares
 * them to know whether it can continue the result. The dependencies of single images are in their
 * reports (struct source_key). */
#pragma once

#include "batch/dataset/job.h"

/* Appends the key of a job, a JSON object in one line. Its members are the versions, the pipeline,
 * the options that change output bytes, and the dataset. */
void run_key_print(const struct job *, struct text *out);

/* Compares an earlier run's key with the job's, and adds a fault for each difference. The dataset
 * is compared only if `finished`: an unfinished run can continue with another dataset. Returns
 * false if there are faults. */
bool run_key_check(const struct job *, struct slice before, bool finished, struct faults *);
/* Returns a hash of everything that a single line of a run's manifest depends on, except the line's
 * own inputs. The hash covers the members of a printed key. It leaves out the dataset, its
 * categories, the selection of images, checksums, packing, and the replayed lines. */
uint64_t run_key_link(struct slice key);
/* Returns run_key_link of the job's own key. */
uint64_t run_key_link_of(const struct job *);

/* True if the member `name` of an earlier run's key equals the job's. */
bool run_key_member_is_same(const struct job *, struct slice before, const char *name);
/* True if the annotations and the image list equal those of an earlier run's key. */
bool run_key_has_annotations(const struct job *, struct slice before);
/* True if the images have the same names in the same order as in an earlier run's key. */
bool run_key_has_names(const struct job *, struct slice before);
