/* target_format: the output format of annotations, if it differs from the input format. */
#pragma once

#include "batch/dataset/job.h"

/* "same", and the targets of all formats; ended by a NULL word. Not changed after main begins. */
extern struct choice target_choices[];

/* Sets the output format of a dataset that was read, by a value of target_choices. Returns false
 * with the reason if there is nothing to write, or if the dataset's format can only be written as
 * itself. */
bool target_choose(struct dataset *, int choice, struct text *why);

/* True if the choice is a format, and not "as they were read". */
bool target_is_other(int choice);

/* True if the choice is a form of this format. */
bool target_is_format(int choice, const struct format *);

/* Returns the word of a choice: "yolo-segment". */
const char *target_word(int choice);

/* Returns the choice of this word. */
int target_of_word(const char *word);

/* Returns the choice that a run's key stores as this word, such as "coco 0", for a source of this
 * format. The first choice is "as they were read". */
int target_of_key(const char *word, const char *format);

/* Counts the parts of the job's records that another output format cannot represent. Loads all
 * objects once. Objects that cannot be loaded are left to other checks. */
void target_omissions(const struct job *, struct omissions *);
