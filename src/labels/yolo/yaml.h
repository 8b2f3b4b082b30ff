/* yaml: a small YAML file as a tree of values, by libyaml; the only use of it.
 *
 * What programs write is read: mappings with scalars as keys, sequences, scalars. Aliases, by which
 * a few lines can mean gigabytes, merge keys and repeated keys are refused. */
#pragma once

#include "json/value.h"

/* Read a stretch of faults->text: one document, at most 64 deep. Every scalar has its text;
 * one that is not quoted may be a number, a flag or null as well. Places are those in faults->text.
 * NULL with faults: yaml-syntax, yaml-alias, yaml-depth, yaml-twice, yaml-library. */
const struct value *yaml_read(struct faults *, struct slice text, struct arena *);
