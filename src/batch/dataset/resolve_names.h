/* resolve_names: which file of the images' folder a name of the annotations means. */
#pragma once

#include "batch/dataset/job.h"

enum match { MATCH_PATH, MATCH_BASENAME };
extern const struct choice match_choices[];

/* Returns the part of an annotated name that names a file below the folder. The prefix is left out
 * if the name has it. With MATCH_BASENAME, only the last part is left. `prefix` may be NULL. */
const char *locate_name(const char *name, const char *prefix, enum match);

/* Take the job's `strip_prefix` from the start of every name that has it, then, with
 * MATCH_BASENAME, replace each name by the path of the one file below the folder whose last part is
 * the name's.
 * With several folders, `roots.of` says which one has the image of that name.
 * What random numbers are drawn from stays the name as it was. False with faults: no name has the
 * prefix, or several files are called so, or are there in several folders. */
bool locate_images(struct job *, struct dataset *, struct faults *);

/* Append to a message that this image is missing what would find it: "; with -i DIR it is found",
 * or nothing. */
void locate_hint(const struct job *, const char *name, struct text *why);
