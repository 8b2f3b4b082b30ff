/* extra_members: what annotations hold of an object beside what COCO knows, for ops that need it.
 */
#pragma once

#include "sample/sample.h"

/* The value of a member of the object's annotation, which `at` is NULL where there is none, or
 * null. */
struct slice object_member(const struct object *, const char *name);
/* The text of such a member, as steps have left it, in the arena; NULL where it is no string, or
 * has a NUL in it. */
const char *object_text(const struct object *, const char *name, struct arena *);
/* Is it one of COCO's own members, which are geometry, or say whose the object is? */
bool member_is_own(const char *name);
/* The numbers of a list of numbers, or of a list of such lists, one behind the other: n of them, at
 * most 1e30 in magnitude, in the arena. False when the value is something else. */
bool member_numbers(struct slice value, struct arena *, double **at, size_t *n);
/* Puts which object of its record the reason is about before it. Returns false. */
bool object_refuse(const struct object *, struct text *why);
