/* target_format: the format that annotations are written in, if it is not the one they were read
 * in. */
#pragma once

#include "batch/dataset/job.h"

extern const struct choice target_choices[];

/* Let the dataset, which has been read, be written as one of target_choices says. False with the
 * reason: there is nothing to write, or its format is written by itself alone. */
bool target_choose(struct dataset *, int choice, struct text *why);

/* True if the choice is a format, and not as the dataset was read. */
bool target_is_other(int choice);

/* The word of a choice: "yolo-segment". */
const char *target_word(int choice);

/* Returns the choice that a run's key calls by this word, as "coco 0", of a source of this format.
 * The first choice is "as they were read". */
int target_of_key(const char *word, const char *format);

/* What of the job's records has no place in the format, if that is another: all objects are loaded
 * once. Objects that cannot be loaded are left to those who look for faults. */
void target_omissions(const struct job *, struct omissions *);
/* "12 crowds, 3 values of "score"" */
void target_print_omissions(const struct omissions *, struct text *);
