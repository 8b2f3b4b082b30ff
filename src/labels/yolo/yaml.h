/* yaml: a small YAML file as a tree of values; the only user of libyaml.
 *
 * Reads the YAML that programs write: mappings with scalar keys, sequences, scalars. Refuses
 * aliases, by which a few lines can mean gigabytes, merge keys and repeated keys. */
#pragma once

#include "json/value.h"

/* Reads a part of faults->text: one document, at most 64 deep. Every scalar has its text; an
 * unquoted one may also be a number, a flag or null. Positions are relative to faults->text. NULL
 * with faults: yaml-syntax, yaml-alias, yaml-depth, yaml-twice, yaml-library. */
const struct value *yaml_read(struct faults *, struct slice text, struct arena *);
