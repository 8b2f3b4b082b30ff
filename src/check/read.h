/* read: annotation files read tolerantly: a broken element is a finding, and reading goes on behind
 * it. */
#pragma once

#include "../rule.h"

/* Fill in an annotation file whose name, index, text and format are set: where its elements stand.
 * What is no JSON is reported by the families' `broken`. */
void check_index(struct check *, struct annotation_file *);

/* Then read its elements: ids, names, sizes, categories; call the families' functions for all of
 * them; complete the index. */
void check_walk(struct check *, struct annotation_file *);

/* The annotations of a panoptic file: their images, pictures and segments, as far as run reads
 * them.
 */
void check_walk_segments(struct check *, struct annotation_file *);

/* Report the faults with which run refuses an element: by the rule of each fault's code, unless an
 * error was reported for the element already. */
void check_refused(struct check *, const struct element *, const struct faults *);

/* Inspect the image files of all annotation files as far as the options want it. False with faults.
 */
bool check_inspect(struct check *, struct faults *);
void check_forget_inspection(struct annotation_file *);
