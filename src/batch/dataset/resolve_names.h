/* resolve_names: finds the image file for each name in the annotations. */
#pragma once

#include "batch/dataset/job.h"

enum match { MATCH_PATH, MATCH_BASENAME };
extern const struct choice match_choices[];

/* Returns the part of an annotated name that names a file below the folder, without the prefix if
 * the name has it. With MATCH_BASENAME, returns only the last part. `prefix` may be NULL. */
const char *resolve_name(const char *name, const char *prefix, enum match);

/* Removes the job's `strip_prefix` from every name that has it. With MATCH_BASENAME, then replaces
 * each name by the path of the only file below the folder that has the same last part. With several
 * folders, sets `roots.of` to the folder that has the image. Random numbers still depend on the
 * original name. Returns false with faults if no name has the prefix, or if several files or
 * folders match a name. */
bool resolve_names(struct job *, struct dataset *, struct faults *);

/* Appends a hint to the message that an image is missing: "; with -i DIR it is found", or nothing.
 */
void resolve_hint(const struct job *, const char *name, struct text *why);
