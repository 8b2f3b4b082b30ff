/* other_pipeline: what a file seems to be that is given as a pipeline and is none. */
#pragma once

#include "base/text.h"

struct importer;

/* All that `lockstep import` has, ended by NULL. */
extern const struct importer *const importers[];

/* Adds the pipeline that comes with lockstep whose name is near the path of a file that cannot be
 * read. */
void pipeline_suggest(const char *path, struct text *why);
/* True if the text is no JSON object, but a file of another library, a Python program, or YAML.
 * `why` then says how it becomes a pipeline. */
bool pipeline_is_other(const char *path, struct slice text, struct text *why);
