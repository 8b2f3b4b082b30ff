/* other_pipeline: recognizes files that are given as a pipeline and are none. */
#pragma once

#include "base/text.h"

struct importer;

/* The libraries whose pipelines `lockstep import` reads, ended by NULL. */
extern const struct importer *const importers[];

/* Adds the name of the built-in pipeline that is nearest to the path of an unreadable file. */
void pipeline_suggest(const char *path, struct text *why);
/* True if the text is not a JSON object, but another library's file, a Python program, or YAML.
 * `why` then says how to make a pipeline from it. */
bool pipeline_is_other(const char *path, struct slice text, struct text *why);
