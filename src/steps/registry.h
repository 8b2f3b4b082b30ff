/* registry: every op, transform and format there is; the lists are made from file names. */
#pragma once

#include "labels/format.h"
#include "steps/op.h"
#include "steps/transform.h"

/* By name, those of plugins behind them, ended by NULL. */
extern const struct op *const *registry_ops;
extern const struct transform *const *registry_transforms;
extern const struct format *const registry_formats[]; /* by name, ended by NULL */

/* Add what a plugin brings, which is borrowed for good: before a plan is read, whose defaults go by
 * the registry's order. */
void registry_add_op(const struct op *);
void registry_add_transform(const struct transform *);

const struct op *registry_op(const char *name); /* or NULL */
const struct transform *registry_transform(const char *name);
/* What the text of an annotation file is to be read as: not one of a folder of labels. */
const struct format *registry_format(struct slice text);
/* That of all files whose names end like this one; NULL where the text tells. */
const struct format *registry_format_named(const char *path);

/* for (EACH(op, registry_ops)): `op` is each entry in turn. */
#define EACH(type, entry, list)                                                                    \
    const struct type *const *entry##_at = (list), *entry;                                         \
    (entry = *entry##_at) != NULL;                                                                 \
    entry##_at++
