/* extra_members: members of annotations that are not part of COCO, for ops that use them. */
#pragma once

#include "sample/sample.h"

/* Returns the value of a member of the object's annotation; its `at` is NULL if there is none or it
 * is null. */
struct slice object_member(const struct object *, const char *name);
/* Returns the text of such a member, as earlier steps left it, in the arena. NULL if it is not a
 * string or contains a NUL. */
const char *object_text(const struct object *, const char *name, struct arena *);
/* True if it is one of COCO's own members, which hold geometry or identify the object. */
bool member_is_own(const char *name);
/* Reads a list of numbers, or a list of such lists, one after the other. They are n numbers of at
 * most 1e30 in magnitude, in the arena. Returns false if the value is something else. */
bool member_numbers(struct slice value, struct arena *, double **at, size_t *n);
/* Puts the object's position in its image before the reason. Returns false. */
bool object_refuse(const struct object *, struct text *why);
