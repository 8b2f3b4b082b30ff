/* registry: all ops, transforms and formats. The lists are generated from file names. */
#pragma once

#include "labels/format.h"
#include "steps/op.h"
#include "steps/transform.h"

/* All ops and transforms, each sorted by name, with those of plugins after lockstep's own; ended by
 * NULL. */
extern const struct op *const *registry_ops;
extern const struct transform *const *registry_transforms;
extern const struct format *const registry_formats[]; /* by name, ended by NULL */

/* Adds an entry of a plugin; it must live as long as the process. Call this before a plan is read,
 * since defaults depend on the registry's order. */
void registry_add_op(const struct op *);
void registry_add_transform(const struct transform *);

const struct op *registry_op(const char *name); /* or NULL */
const struct transform *registry_transform(const char *name);
/* Returns the format of the text of an annotation file; never a format of label folders. */
const struct format *registry_format(struct slice text);
/* Returns the format of a file that is translated to COCO, by the file's start; NULL for others. */
const struct format *registry_format_translated(struct slice head);
/* Appends the suffixes of label files with their formats: ".xml (Pascal VOC) or .txt (YOLO)". */
void registry_print_label_suffixes(struct text *);
/* Returns the format that is certain from the end of a file's name; NULL if the text decides. */
const struct format *registry_format_named(const char *path);

/* for (EACH(op, op, registry_ops)): loops over the entries of a list. */
#define EACH(type, entry, list)                                                                    \
    const struct type *const *entry##_at = (list), *entry;                                         \
    (entry = *entry##_at) != NULL;                                                                 \
    entry##_at++
