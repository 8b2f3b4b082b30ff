/* run_key: what the whole of a run's result depends on, so that another run can tell whether it may
 * go on with it. What single images depend on stands in their reports (struct source_key). */
#pragma once

#include "batch/dataset/job.h"

/* A JSON object in one line: the versions, the pipeline, the options that change bytes, and the
 * dataset. */
void run_key_print(const struct job *, struct text *out);

/* Hold a key that was printed before against the job's. Faults for all that differs, of which
 * `finished` says whether the dataset is part: an unfinished run can go on with another one. False
 * when there are any. */
bool run_key_check(const struct job *, struct slice before, bool finished, struct faults *);
/* A hash of what any single line of a run's manifest depends on beside its own inputs: of the
 * members of a printed key but for those of the dataset, its categories, of which images are done
 * and of what else is said of them. */
uint64_t run_key_link(struct slice key);
/* The same of the job's own key. */
uint64_t run_key_link_of(const struct job *);

/* Does a key that was printed before say the same as the job of this member? */
bool run_key_has(const struct job *, struct slice before, const char *name);
/* Are the annotations, and the images' list, those of a key? */
bool run_key_has_annotations(const struct job *, struct slice before);
/* Are the images' names, in their order, those of a key? */
bool run_key_has_names(const struct job *, struct slice before);
